// The ledger charges every nanosecond of every job to exactly one account. A pure function of the
// journal.
//
// While a job runs, what its stretches came to is charged as they end; work that is lost later
// moves from `productive` to `redo`. A stall is charged to `hang` when it ends.
//
// Blame. While a job is down, each instant is charged to the repair phase of the node that lets the
// job go on last, among the nodes that hold it at that instant: the critical path. That is known
// when the restart begins, so the time down is charged then:
//
//   take the holds of this outage; going back from the begin of the restart, the hold that was released last
//   answers for the time back to its own begin; before that, the one released last among those that had begun
//   before; and so on. Time that no hold covers (tear-down, back-off) is `restart`.
//
// A fault that strikes meanwhile therefore counts only where it prolongs the wait.
//
// Worked example. Node A is struck at 0 and replaced at 12 min; node B is struck at 5 min and
// replaced at 17 min. [5, 17] is charged to B's phases (detect, tolerate, ...), [0, 5] to A's.
//
// A node's phase: `detect` from the fault, `tolerate` from the condition, `gate` from the first
// refusal, `drain` from the decision, `provision` from the end of the drain (in place: from the
// decision), `no_capacity` while the provider has none.
//
// Invariant: at the end of a run the accounts of a job sum to the horizon, or to the time at which it
// was done, exactly (checked).
//
// Thread rule: one per simulation.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/base/time.h"
#include "models/base/touched_table.h"
#include "models/happenings.h"
#include "sim/engine/accounts.h"
#include "sim/engine/sink.h"

namespace faultline {

class Ledger final : public HappeningSink {
 public:
  using Accounts = std::array<Duration, kAccounts>;

  Ledger(std::size_t jobs, std::size_t slots);

  // Forgets everything; costs the nodes that were written about.
  void begin();
  void on(const Happening& happening) override;

  // The same, for a reader that knows what it is.
  void take(const FaultStruck& struck, SimTime now);
  void take(const ConditionChanged& changed, SimTime now);
  void take(const FaultCleared& cleared, SimTime now);
  void take(const RepairDecided& decided, SimTime now);
  void take(const RepairBlocked& blocked, SimTime now);
  void take(const NodeDrained& drained, SimTime now);
  void take(const CapacityMissing& missing, SimTime now);
  void take(const CapacityFound& found, SimTime now);
  void take(const NodeRepaired& repaired, SimTime now);
  void take(const NodeJoined& joined, SimTime now);
  void take(const JobProgressed& progressed, SimTime);
  void take(const JobInterrupted& interrupted, SimTime now);
  void take(const JobUnstalled& unstalled, SimTime now);
  void take(const JobHeld& held, SimTime now);
  void take(const JobRestarting& restarting, SimTime now);
  void take(const JobResumed& resumed, SimTime now);
  void take(const JobStalled& stalled, SimTime now);
  void take(const JobReleased& released, SimTime now);
  void take(const RunEnded&, SimTime now) { end(now); }
  void take(const JobSubmitted& submitted, SimTime now);
  void take(const JobCompleted& completed, SimTime now);
  // These change no account.
  void take(const RepairStageEnded&, SimTime) {}
  void take(const HostsSelected&, SimTime) {}
  void take(const NodePreempted&, SimTime) {}
  void take(const SignalRaised&, SimTime) {}
  void take(const EventPosted&, SimTime) {}
  void take(const FaultBehind&, SimTime) {}
  void take(const RepairWasNeedless&, SimTime) {}
  void take(const NodeRemoved&, SimTime) {}
  void take(const NodeRequested&, SimTime) {}
  void take(const RegistrationTimedOut&, SimTime) {}
  void take(const NodeRegistered&, SimTime) {}
  void take(const PlaceTaken&, SimTime) {}

  const Accounts& accounts(JobId job) const { return jobs_[job.index()].accounts; }
  // The end of the accounts: when the job was done, or the end of the run.
  SimTime accounted_until(JobId job, SimTime now) const {
    const JobTrack& track = jobs_[job.index()];
    return track.state == State::kDone ? track.since : now;
  }

 private:
  // From `from` on, an outage that this node prolongs is charged to `account`.
  struct Mark {
    SimTime from;
    Account account;
  };
  struct NodeTrack {
    std::vector<Mark> marks;
    Account phase = Account::kProductive;  // productive: nothing is wrong
    std::uint8_t bad_conditions = 0;
    std::uint8_t holds = 0;
  };
  struct Piece {
    SimTime from;
    SimTime to;
    Account account;
  };
  struct Hold {
    NodeId node;
    SimTime from;
    SimTime to;  // never: not released yet
    std::uint32_t first_piece = 0;
    std::uint32_t pieces = 0;
  };
  enum class State { kRunning, kStalled, kDown, kRestarting, kDone };
  struct JobTrack {
    Accounts accounts{};
    State state = State::kRunning;
    SimTime since;              // of the state
    std::vector<Hold> holds;    // of this outage
    std::vector<Piece> pieces;  // their phases
  };

  Account phase(NodeSlot slot) const { return nodes_[slot.index()].phase; }
  bool waiting(NodeSlot slot) const {
    return phase(slot) == Account::kProductive || phase(slot) == Account::kDetect;
  }
  void enter(NodeSlot slot, SimTime now, Account phase);
  NodeTrack& write(NodeSlot slot) { return nodes_.touch(slot.index()); }
  void charge(JobTrack& job, Account account, Duration time) {
    job.accounts[static_cast<std::size_t>(account)] += time;
  }
  void release(JobTrack& job, NodeId node, SimTime now);
  void cut_pieces(JobTrack& job, Hold& hold);
  void charge_outage(JobTrack& job, SimTime until);
  void end(SimTime now);

  TouchedTable<NodeTrack> nodes_;
  std::vector<JobTrack> jobs_;
};

}  // namespace faultline
