// A fabric in a state: what each link carries, and the route from a GPU to another.
//
// Routes are computed, not searched. Inside a node: GPU port, NVSwitch, GPU port. Between nodes:
// NIC, leaf, and where the leaves differ a spine, and where the pods differ a core switch. In `rail`
// a message for GPU g leaves by g's rail: on its way out it crosses its own node's NVSwitch first
// when the sender has another rail (NCCL's PXN). The spine is that of the sender's place at its leaf
// (place mod spines), so the flows of a ring do not meet in a healthy fabric.
//
// Around dead parts: the next NIC of the node, the next spine, the next core switch that is alive
// at both ends, counted upwards and round. A node of another job is never a stepping stone: hosts do
// not forward.
//
// Thread rule: immutable; share freely. The fabric must outlive the view.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "models/fleet/fabric_state.h"

namespace faultline {

// One direction of a cable.
using LinkIndex = std::uint32_t;
constexpr LinkIndex up_link(ElementId cable) { return 2 * cable.value(); }
constexpr LinkIndex down_link(ElementId cable) { return 2 * cable.value() + 1; }
constexpr ElementId cable_of(LinkIndex link) { return ElementId(link / 2); }

struct Route {
  static constexpr std::size_t kMostLinks = 10;
  std::array<LinkIndex, kMostLinks> link{};
  std::uint8_t length = 0;
  double latency = 0;  // seconds: the sum over its links

  std::span<const LinkIndex> links() const { return {link.data(), length}; }
};

class FabricView {
 public:
  FabricView(const Fabric& fabric, const FabricState& state);

  const Fabric& fabric() const { return fabric_; }
  bool healthy() const { return cables_.empty(); }
  bool alive(ElementId cable) const { return share(cable) > 0; }
  double bandwidth(LinkIndex link) const;  // bytes per second
  double latency(LinkIndex link) const;    // seconds
  // Cables that are not as new, in order.
  std::vector<ElementId> touched_cables() const;

  // None where no path of living parts joins the two.
  std::optional<Route> route(GpuIndex from, GpuIndex to) const;

 private:
  struct Effect {
    ElementId cable;
    double share;
    double extra_latency;
  };
  const Effect* effect(ElementId cable) const;
  double share(ElementId cable) const {
    const Effect* const found = effect(cable);
    return found == nullptr ? 1 : found->share;
  }
  void expand(const FabricFault& fault);
  void append(Route& route, LinkIndex link) const;
  // The part between two NICs of one plane; false where there is none.
  bool append_between(Route& route, std::uint32_t from_node, std::uint32_t from_rail,
                      std::uint32_t to_node, std::uint32_t to_rail) const;

  const Fabric& fabric_;
  std::vector<Effect> cables_;  // ordered
};

}  // namespace faultline
