// The repair phase of every node place, followed through the happenings.
//
//   healthy --fault--> detect --condition bad--> tolerate --gate closed--> gate
//      ^                  |                         |   |                   |  |
//      '----- cleared ----'------ conditions good --'---|-------------------'  |
//      |                                                '------ decided -------'
//      |                                                           v
//      '-- joined, or repaired -- provision <-------- drained -- drain
//                                   |   ^
//                              shortage (no_capacity)
//
// Phases carry the names of the ledger's accounts; `kProductive` stands for a place where nothing
// is wrong. A repair in place goes from the decision to `provision` at once. A fault that was never
// reported ends in `detect`.
//
// Thread rule: one per simulation.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/happenings.h"
#include "sim/engine/accounts.h"

namespace faultline {

class NodePhases {
 public:
  static constexpr Account kHealthy = Account::kProductive;
  struct Change {
    NodeSlot slot;
    Account before = kHealthy;
    Account after = kHealthy;
  };

  explicit NodePhases(std::size_t slots) : nodes_(slots) {}

  // What the happening changes, if anything.
  std::optional<Change> on(const Happening& happening);

  Account phase(NodeSlot slot) const { return nodes_[slot.index()].phase; }
  // Nodes with a condition that is False or Unknown, or that have registered and are not ready.
  std::int64_t unhealthy() const { return unhealthy_; }
  // Places without a machine: drained and not replaced yet.
  std::int64_t missing() const { return missing_; }

 private:
  struct Node {
    Account phase = kHealthy;
    std::uint16_t faults = 0;  // present
    std::uint8_t bad_conditions = 0;
    bool missing = false;
  };

  void set_bad(Node& node, int bad);
  void set_missing(Node& node, bool missing);
  void condition_changed(Node& node, ConditionStatus status);
  void made_whole(Node& node);

  std::vector<Node> nodes_;
  std::int64_t unhealthy_ = 0;
  std::int64_t missing_ = 0;
};

}  // namespace faultline
