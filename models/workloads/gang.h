// Which nodes a job works on, which stand by, and who is next: the line of fit nodes.
//
//   the line: fit nodes of the pool, longest there first
//   +-----------------------------------------------+---------------+
//   |  gang: `nodes` places, + up to K standbys      |  idle         |   <- who is fit again
//   +-----------------------------------------------+---------------+
//   other pool: nodes to pre-empt, first come first
//
// A node that is fit again goes to the end of the line, and to the end of the standbys' queue if
// that holds fewer than K. A lost place is *vacant* until somebody takes it:
//
//   a standby   the head of the queue, as long as there is one (`take_standby`)
//   a new gang  the first nodes + K of the line, or as many as there are, if at least `nodes`
//               (`select`). Which K of them stand by is drawn: every choice has the same chance.
//
// Nodes that work already keep their place in a selection where they can: ranks are alike, so only
// who works and who does not matters, and a selection costs the idle nodes and the standbys, not
// the gang.
//
// Worked example. Nodes 0 1 2 3 4, two places, one standby: 0 and 1 work, 2 stands by, 3 and 4 idle.
// Node 0 fails: 2 takes its place. Node 1 fails: no standby, so the first three of the line 2 3 4
// are the new gang: two of them work, one stands by. Node 0 is fit again: line 2 3 4 0, no room
// among the standbys: idle.
//
// Invariants: a slot is in the line exactly while it is fit and of the job's pool; standbys and idle
// nodes are in the line.
//
// Thread rule: one per job and simulation.
#pragma once

#include <cstdint>
#include <vector>

#include "models/base/ids.h"
#include "models/base/index_set.h"
#include "models/base/random.h"

namespace faultline {

class Gang {
 public:
  struct Move {
    std::uint32_t rank;
    NodeSlot to;
  };

  // `own`: the slots of its pool, in order: the first `nodes` work at the start, the next
  // `standbys` stand by. `others`: those to pre-empt. `slots`: of the fleet.
  Gang(JobId job, std::size_t nodes, std::size_t standbys, std::vector<NodeSlot> own,
       std::vector<NodeSlot> others, std::size_t slots);

  void begin();

  // A slot of this gang's pools.
  bool knows(NodeSlot slot) const { return at(slot).role != Role::kStranger; }
  std::size_t in_line() const { return in_line_; }
  std::size_t standbys() const { return standbys_.size(); }
  bool has_vacancy() const { return !vacant_.empty(); }
  // A node of its pool that neither works nor is fit, rather one that has lost its place; invalid if
  // there is none.
  NodeSlot missing() const;
  bool in_line(NodeSlot slot) const { return at(slot).in_line; }
  // In the line, or waiting to be pre-empted.
  bool available(NodeSlot slot) const {
    return at(slot).in_line || at(slot).role == Role::kToPreempt;
  }

  // It is fit again.
  void enter(NodeSlot slot);
  // It is not fit any more. If it works, its place stays its own until `vacate`.
  void leave(NodeSlot slot);
  void to_the_end(NodeSlot slot);
  // It works no longer. If it is in the line, it may stand by.
  void vacate(NodeSlot slot);

  // The first standby takes a vacant place; false if there is none.
  bool take_standby(Move& move);
  // An idle node takes a vacant place, and nobody loses one: where the fit ones are too few for a
  // new gang, but those who work though they are not fit are enough to go on with.
  bool take_idle(Move& move);
  bool idle_suffice() const { return vacant_.size() <= idle_.size(); }
  // Fills every vacancy, and the standbys; at least `nodes` must be in line. The answer is good
  // until the next call.
  const std::vector<Move>& select(const RandomSource& random, std::uint32_t ordinal);
  // The next of the other pool goes to the end of the line; invalid if none is left.
  NodeSlot preempt();
  bool can_preempt() const { return !others_.empty(); }

 private:
  enum class Role : std::uint8_t { kStranger, kNone, kWorks, kStandsBy, kIdle, kToPreempt };
  static constexpr std::uint32_t kNil = 0xFFFFFFFFU;
  struct Place {
    std::uint32_t before = kNil;
    std::uint32_t after = kNil;
    std::uint32_t rank = 0;
    Role role = Role::kStranger;
    bool in_line = false;
    bool own = false;  // of its pool, or pre-empted
    bool out = false;  // beyond the new gang, during a selection
  };

  Place& at(NodeSlot slot) { return places_[slot.index()]; }
  const Place& at(NodeSlot slot) const { return places_[slot.index()]; }
  void append(NodeSlot slot);
  void unlink(NodeSlot slot);
  void stand_by_or_idle(NodeSlot slot);
  void works(NodeSlot slot, std::uint32_t rank);

  JobId job_;
  std::size_t nodes_;
  std::size_t most_standbys_;
  std::vector<Place> start_;
  std::vector<NodeSlot> ranks_at_start_;
  std::vector<NodeSlot> standbys_at_start_;
  std::vector<NodeSlot> idle_at_start_;
  std::vector<NodeSlot> others_at_start_;
  std::uint32_t first_at_start_ = kNil;
  std::uint32_t last_at_start_ = kNil;
  std::size_t in_line_at_start_ = 0;

  std::vector<Place> places_;    // by slot
  std::vector<NodeSlot> ranks_;  // who works there, or did last
  std::vector<NodeSlot> standbys_;
  IndexSet<NodeSlot> idle_;
  std::vector<NodeSlot> others_;
  std::vector<std::uint32_t> vacant_;
  std::vector<NodeSlot> unfit_;  // they work, but are not in the line
  std::uint32_t first_ = kNil;
  std::uint32_t last_ = kNil;
  std::size_t in_line_ = 0;
  std::vector<Move> moves_;
  std::vector<NodeSlot> candidates_;
};

}  // namespace faultline
