// Strong ids: a number that says what it numbers, so that a job cannot be passed as a node.
//
// Every id is a dense index from 0: vectors are indexed with `id.index()`. Ids order and compare;
// they do not add. The default id is *invalid* and says so.
//
// Node identity. A `NodeSlot` is a place in a pool ("the 7th node of pool train"): it exists for
// the whole simulation. The machine in it may be replaced: the new one is a new Kubernetes Node
// with a new name, in the same slot. `NodeId` is the pair (slot, generation), generation 0 being
// the machine that stood there at the start.
//
// Thread rule: values; share freely.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace faultline {

template <class Tag>
class StrongId {
 public:
  constexpr StrongId() = default;
  explicit constexpr StrongId(std::uint32_t value) : value_(value) {}
  explicit constexpr StrongId(std::size_t value) : value_(static_cast<std::uint32_t>(value)) {}
  explicit constexpr StrongId(int value) : value_(static_cast<std::uint32_t>(value)) {}

  constexpr bool valid() const { return value_ != kInvalid; }
  constexpr std::uint32_t value() const { return value_; }
  constexpr std::size_t index() const { return value_; }

  constexpr auto operator<=>(const StrongId&) const = default;

 private:
  static constexpr std::uint32_t kInvalid = 0xFFFFFFFFU;
  std::uint32_t value_ = kInvalid;
};

using PoolId = StrongId<struct PoolTag>;        // a node pool
using NodeSlot = StrongId<struct NodeSlotTag>;  // a place for a node, over all pools
using MachineId = StrongId<struct MachineTag>;  // a machine, wherever it is: in a slot, in the shop
using JobId = StrongId<struct JobTag>;          // a workload
using FaultClassId = StrongId<struct FaultClassTag>;  // a class of the failure catalogue
using FaultId = StrongId<struct FaultTag>;            // one fault that struck, in order of striking
using ConditionId = StrongId<struct ConditionTag>;    // a node condition type, such as Ready
using ReasonId = StrongId<struct ReasonTag>;          // a reason code, such as NvidiaXID79Error
using ChannelId = StrongId<struct ChannelTag>;        // a detection channel
using HappeningId = StrongId<struct HappeningTag>;    // a line of the journal

struct NodeId {
  NodeSlot slot;
  std::uint32_t generation = 0;

  constexpr auto operator<=>(const NodeId&) const = default;
};

}  // namespace faultline
