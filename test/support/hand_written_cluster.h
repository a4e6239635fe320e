// A cluster written by hand for a control plane: some nodes, a pod on each, and somebody who writes down
// what the control plane does. There is no simulation: the test says what becomes of machines.
//
//   HandWrittenCluster cluster(5, {...controllers...});
//   cluster.set(1, kGpu, ConditionStatus::kFalse, 0_s);   // a fact, and what follows at that instant
//   cluster.run_until(1_h);                               // and what the controllers do later
//   cluster.story  -> {"600 node-1 deleted by node-repair", "605 node-1 drained", ...}
#pragma once

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/control/control_plane.h"

namespace faultline {

class HandWrittenCluster final : public ControlListener {
 public:
  static constexpr ConditionId kGpu{1};
  static constexpr ConditionId kNetwork{2};
  static constexpr ConditionId kInstance{3};
  static inline const std::vector<std::string> kTypes{"Ready", "Gpu", "Network", "InstanceStatus"};

  using Controllers = std::vector<std::unique_ptr<const Controller>>;

  HandWrittenCluster(int nodes, Controllers controllers,
                     observed::PodOwner owner = {.name = "trainer"},
                     std::int64_t max_unavailable = -1)
      : controllers_(std::move(controllers)),
        plane(controllers_, start(controllers_, nodes, std::move(owner), max_unavailable), *this) {
    plane.begin(random_);
  }

  // A fact at a time of its own, after what the controllers do until then.
  template <class Change>
  void observe(const Change& change, Duration at) {
    run_until(at);
    plane.observe(change, now_);
    plane.settle(now_);
  }
  void set(int node, ConditionId type, ConditionStatus status, Duration at) {
    observe(
        observed::ConditionSet{
            .node = observed::NodeKey(node), .type = type, .status = status, .reason = {}},
        at);
  }
  void page(int node, Duration at) {
    observe(observed::PodPaged{observed::PodKey(node), {.since = SimTime::at(at)}}, at);
  }
  void run_until(Duration until) {
    for (Appointments::Next next = plane.next();
         next.at < SimTime::at(until) || next.at == SimTime::at(until); next = plane.next()) {
      if (next.at.is_never()) break;
      now_ = next.at;
      plane.take_next(now_);
    }
    now_ = SimTime::at(until);
  }

  std::vector<std::string> story;

 private:
  static observed::Picture start(const ControllerList& controllers, int nodes,
                                 observed::PodOwner owner, std::int64_t max_unavailable) {
    observed::Picture picture(kTypes, {true, true, true, true});
    count_for(controllers, picture);
    const PoolId pool = picture.add_pool("pool");
    if (max_unavailable >= 0) owner.budget = picture.add_budget("trainer", max_unavailable);
    const observed::OwnerKey trainer = picture.add_owner(std::move(owner));
    const SimTime start = SimTime::start();
    for (int n = 0; n < nodes; ++n) {
      picture.apply(observed::MachineAdded{.pool = pool, .replaces = {}}, start);
      picture.apply(observed::NodeAdded{.pool = pool,
                                        .machine = observed::MachineKey(n),
                                        .labels = {},
                                        .name = fmt::format("node-{}", n)},
                    start);
      const observed::NodeKey node(n);
      picture.apply(observed::ConditionSet{.node = node, .type = observed::kReady, .reason = {}},
                    start);
      picture.apply(observed::PodAdded{.owner = trainer, .node = node}, start);
    }
    picture.remember();
    return picture;
  }

  void tell(std::string what) {
    story.push_back(fmt::format("{:g} {}", now_.since_start().seconds(), what));
  }
  std::string name(observed::NodeKey node) const { return std::string(plane.picture().name(node)); }

  void node_deleted(observed::NodeKey node, std::size_t by) override {
    tell(fmt::format("{} deleted by {}", name(node), controllers_[by].name()));
  }
  void worked_on(observed::NodeKey node, Duration takes, std::size_t by) override {
    tell(fmt::format("{} worked on for {} by {}", name(node), to_string(takes),
                     controllers_[by].name()));
  }
  void blocked(observed::NodeKey node, const GateClosed& gate, Duration) override {
    tell(fmt::format("{} blocked, {} of {} unhealthy, {} allowed", name(node), gate.unhealthy,
                     gate.total, gate.allowed));
  }
  void pod_stops(observed::PodKey pod) override { tell(fmt::format("pod-{} stops", pod.value())); }
  void pod_gone(observed::PodKey, observed::NodeKey) override {}
  void drained(observed::NodeKey node) override { tell(name(node) + " drained"); }
  void launch(observed::MachineKey machine) override {
    const observed::MachineKey old = plane.picture().machine(machine).replaces;
    tell(fmt::format("machine-{} requested for machine-{}", machine.value(), old.value()));
  }
  void given_back(observed::MachineKey machine) override {
    tell(fmt::format("machine-{} given back", machine.value()));
  }

  ControllerList controllers_;
  RandomSource random_{1, 0};
  SimTime now_;

 public:
  ControlPlane plane;
};

}  // namespace faultline
