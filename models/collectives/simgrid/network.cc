#include "models/collectives/simgrid/network.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <simgrid/Exception.hpp>
#include <simgrid/kernel/routing/NetPoint.hpp>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u.hpp>
#include <string>

#include "models/base/check.h"
#include "models/fleet/fabric_routes.h"

namespace faultline {
namespace {

namespace s4u = simgrid::s4u;
namespace routing = simgrid::kernel::routing;

// What a message sends beside its size: nothing.
char kToken = 0;

// The fabric's routes, asked for when a message starts.
class FabricZone final : public routing::NetZoneImpl {
 public:
  explicit FabricZone(const std::string& name) : NetZoneImpl(name) {}

  void get_local_route(const routing::NetPoint* from, const routing::NetPoint* to,
                       routing::Route* into, double* latency) override {
    const auto source = static_cast<GpuIndex>(from->id());
    const auto target = static_cast<GpuIndex>(to->id());
    const auto route = view->route(source, target);
    FAULTLINE_CHECK(route.has_value(), "no route from GPU {} to GPU {}", source, target);
    for (const LinkIndex link : route->links()) {
      into->link_list_.push_back(links[link]->get_impl());
      if (with_latency) *latency += view->latency(link);
    }
    if (!with_latency) return;
    const Fabric& f = view->fabric();
    *latency += f.node_of(source) == f.node_of(target) ? software.nvlink : software.net;
  }

  std::vector<s4u::Link*> links;
  const FabricView* view = nullptr;
  bool with_latency = false;
  SimLatency software;
};

}  // namespace

struct SimGridNetwork::Implementation {
  explicit Implementation(const Fabric& fabric_) : fabric(fabric_) {
    // Defaults are those of TCP over a wide area: no latency factors, no window, no acknowledgements
    // that take bandwidth. Stacks are small, because there is one for each rank.
    static char name[] = "faultline";
    static char quiet[] = "--log=root.thresh:error";
    static char* arguments[] = {name, quiet, nullptr};
    int count = 2;
    engine.emplace(&count, arguments);
    for (const char* setting :
         {"network/model:CM02", "network/crosstraffic:0", "network/TCP-gamma:1e30",
          "surf/precision:1e-12", "contexts/stack-size:64"}) {
      s4u::Engine::set_config(setting);
    }
    root = s4u::create_full_zone("root");
    zone = new FabricZone("fabric");  // (owned by SimGrid)
    zone->set_parent(root->get_impl());
    const std::uint32_t gpus = fabric.count(ElementKind::kGpuPort);
    for (GpuIndex gpu = 0; gpu < gpus; ++gpu) {
      hosts.push_back(zone->create_host(fmt::format("gpu{}", gpu), {1.0}));
      FAULTLINE_CHECK(hosts.back()->get_netpoint()->id() == gpu, "host {}", gpu);
    }
    for (std::uint32_t cable = 0; cable < fabric.cables(); ++cable) {
      const double bandwidth = fabric.bandwidth(fabric.kind(ElementId(cable)));
      for (const char* way : {"up", "down"}) {
        zone->links.push_back(
            zone->create_link(fmt::format("{}{}", way, cable), {bandwidth})->set_latency(0));
      }
    }
    zone->seal();
    root->seal();
  }

  // Sets the links as the state says, runs what `start` has made, and sets them back. Seconds.
  template <class Start>
  double run(const FabricState& state, Start start) {
    const FabricView view(fabric, state);
    set_links(view, view);
    zone->view = &view;
    const double begin = s4u::Engine::get_clock();
    start();
    engine->run();
    const double end = s4u::Engine::get_clock();
    const FabricState none;
    set_links(view, FabricView(fabric, none));
    zone->view = nullptr;
    return end - begin;
  }

  void set_links(const FabricView& touched, const FabricView& as) {
    for (const ElementId cable : touched.touched_cables()) {
      // (a dead link has no speed in SimGrid; no route uses it)
      for (const LinkIndex link : {up_link(cable), down_link(cable)}) {
        if (as.bandwidth(link) > 0) zone->links[link]->set_bandwidth(as.bandwidth(link));
      }
    }
  }

  s4u::Mailbox* mailbox(std::size_t n) {
    while (mailboxes.size() <= n) {
      mailboxes.push_back(
          s4u::Mailbox::by_name(fmt::format("flow{}-{}", generation, mailboxes.size())));
    }
    return mailboxes[n];
  }

  const Fabric& fabric;
  std::optional<s4u::Engine> engine;
  s4u::NetZone* root = nullptr;
  FabricZone* zone = nullptr;
  std::vector<s4u::Host*> hosts;
  std::vector<s4u::Mailbox*> mailboxes;
  int generation = 0;  // of the mailboxes
};

SimGridNetwork::SimGridNetwork(const Fabric& fabric)
    : implementation_(std::make_unique<Implementation>(fabric)) {}
SimGridNetwork::~SimGridNetwork() = default;

double SimGridNetwork::ring_seconds(const FabricState& state, std::span<const SimFlow> flows,
                                    std::uint32_t ring, std::int64_t steps, SimLatency latency) {
  Implementation& sim = *implementation_;
  sim.zone->with_latency = true;
  sim.zone->software = latency;
  return sim.run(state, [&] {
    for (std::size_t i = 0; i < flows.size(); ++i) {
      const std::size_t before = i % ring == 0 ? i + ring - 1 : i - 1;
      FAULTLINE_CHECK(flows[before].to == flows[i].from, "flow {} does not follow {}", i, before);
      s4u::Mailbox* const out = sim.mailbox(i);
      s4u::Mailbox* const in = sim.mailbox(before);
      const std::uint64_t bytes = flows[i].bytes;
      s4u::Actor::create("rank", sim.hosts[flows[i].from], [out, in, bytes, steps] {
        void* received = nullptr;
        for (std::int64_t step = 0; step < steps; ++step) {
          const s4u::CommPtr sent = out->put_async(&kToken, bytes);
          const s4u::CommPtr got = in->get_async<void>(&received);
          sent->wait();
          got->wait();
        }
      });
    }
  });
}

double SimGridNetwork::flow_seconds(const FabricState& state, std::span<const SimFlow> flows) {
  Implementation& sim = *implementation_;
  // SimGrid shares a link by the inverse of the flows' latencies; without any, evenly.
  sim.zone->with_latency = false;
  return sim.run(state, [&] {
    for (std::size_t i = 0; i < flows.size(); ++i) {
      const SimFlow& flow = flows[i];
      s4u::Mailbox* const box = sim.mailbox(i);
      s4u::Actor::create("sender", sim.hosts[flow.from], [box, flow] {
        s4u::this_actor::sleep_for(flow.start);
        box->put(&kToken, flow.bytes);
      });
      s4u::Actor::create("receiver", sim.hosts[flow.to], [box] { box->get<void>(); });
    }
  });
}

std::vector<SimGridNetwork::RankEnd> SimGridNetwork::stalled_ring(
    std::span<const SimFlow> flows, std::int64_t steps, SimLatency latency,
    std::span<const double> enqueued, ElementId cable, double stops_at, double goes_on_at,
    double timeout) {
  Implementation& sim = *implementation_;
  sim.zone->with_latency = true;
  sim.zone->software = latency;
  FAULTLINE_CHECK(enqueued.size() == flows.size(), "{} ranks, {} times", flows.size(),
                  enqueued.size());
  std::vector<RankEnd> ends(flows.size());
  const double begin = s4u::Engine::get_clock();
  const auto set_cable = [&](double bandwidth) {
    for (const LinkIndex link : {up_link(cable), down_link(cable)}) {
      sim.zone->links[link]->set_bandwidth(bandwidth);
    }
  };
  const double as_new = sim.fabric.bandwidth(sim.fabric.kind(cable));
  sim.run(FabricState(), [&] {
    s4u::Actor::create("fault", sim.hosts[0], [&, begin] {
      s4u::this_actor::sleep_until(begin + stops_at);
      set_cable(1.0);
      if (!std::isfinite(goes_on_at)) return;
      s4u::this_actor::sleep_until(begin + goes_on_at);
      set_cable(as_new);
    });
    for (std::size_t i = 0; i < flows.size(); ++i) {
      s4u::Mailbox* const out = sim.mailbox(i);
      s4u::Mailbox* const in = sim.mailbox((i + flows.size() - 1) % flows.size());
      s4u::Actor::create("rank", sim.hosts[flows[i].from], [&, out, in, i, begin] {
        s4u::this_actor::sleep_until(begin + enqueued[i]);
        const double gives_up = begin + enqueued[i] + timeout;
        void* received = nullptr;
        for (std::int64_t step = 0; step < steps; ++step) {
          const s4u::CommPtr sent = out->put_async(&kToken, flows[i].bytes);
          const s4u::CommPtr got = in->get_async<void>(&received);
          try {
            for (const s4u::CommPtr& comm : {sent, got}) {
              comm->wait_for(std::max(0.0, gives_up - s4u::Engine::get_clock()));
            }
          } catch (const simgrid::Exception&) {
            // Its own watchdog, or a neighbour that gave up and took the message with it. A GPU does
            // not see the latter: it spins until its own watchdog ends it.
            s4u::this_actor::sleep_until(gives_up);
            ends[i].timed_out = true;
            for (const s4u::CommPtr& comm : {sent, got}) {
              if (comm->get_state() == s4u::Activity::State::STARTED) comm->cancel();
            }
          }
          if (ends[i].timed_out) break;
        }
        ends[i].seconds = s4u::Engine::get_clock() - begin;
      });
    }
  });
  set_cable(as_new);
  // (messages of ranks that gave up may lie in them)
  sim.mailboxes.clear();
  ++sim.generation;
  return ends;
}

}  // namespace faultline
