// The outages of every job, piece by piece: from the instant at which it makes no progress to the
// instant at which it does again, and what it waited for in between.
//
// The pieces follow the ledger's rule (sim/engine/ledger.h, "Blame"): while the job is down, each
// instant belongs to the repair phase of the node that lets it go on last. So the pieces of a run,
// added up per account, are exactly what the ledger says about the time in which the job made no
// progress; the ledger sums, this keeps the pieces for those who draw or tell them. What the job
// waited for is known when the restart begins: until then the pieces of the time down are missing.
//
// A restart that is interrupted makes the outage longer: it ends with progress only.
//
// Thread rule: one per simulation.
#pragma once

#include <optional>
#include <vector>

#include "models/happenings.h"
#include "sim/engine/accounts.h"
#include "sim/report/node_phases.h"

namespace faultline {

// Consecutive pieces; the first begins with the outage, the last ends with it.
struct OutagePiece {
  SimTime from;
  SimTime to;
  Account account = Account::kRestart;
  NodeId node;  // whose repair it was; invalid: none (hang, restart, maintenance)
};

struct Outage {
  JobId job;
  SimTime from;
  SimTime to = SimTime::never();  // never: it is not over
  HappeningId first;              // the stall or stop that began it
  HappeningId last;               // that ended it: JobResumed, JobUnstalled, RunEnded
  NodeId node;                    // the first to blame; invalid: none
  FaultClassId fault_class;       // invalid: a repair took the node away
  StopKind kind =
      StopKind::kCrash;  // of the first stop; a stall without one counts as a watchdog's
  Duration work_lost;
  std::vector<OutagePiece> pieces;
};

class Outages {
 public:
  Outages(std::size_t jobs, std::size_t slots);

  void on(const Happening& happening);

  // The outage in which the job is, or the last one that it had; it has begun if `first` is valid.
  const Outage& latest(JobId job) const { return jobs_[job.index()].outage; }
  const NodePhases& phases() const { return phases_; }
  // What the last happening changed about a node.
  const std::optional<NodePhases::Change>& change() const { return change_; }

 private:
  struct Mark {
    SimTime from;
    Account account;
  };
  struct Hold {
    NodeId node;
    SimTime from;
    SimTime to = SimTime::never();
    std::vector<Mark> marks;  // the node's phases while it held the job
  };
  enum class State { kRunning, kStalled, kDown, kRestarting };
  void submit(const JobSubmitted& submitted, const Happening& happening);
  struct JobTrack {
    State state = State::kRunning;
    SimTime since;  // of the state
    std::vector<Hold> holds;
    Outage outage;
  };

  void mark_holds(const NodePhases::Change& change, SimTime now);
  void go_on(JobTrack& job, const Happening& happening);
  void open(JobId job, const Happening& happening, NodeId node, FaultClassId fault_class,
            StopKind kind);
  void close(JobTrack& job, const Happening& happening);
  void interrupt(const JobInterrupted& interrupted, const Happening& happening);
  void hold(JobTrack& job, NodeId node, SimTime now);
  void end(const Happening& happening);
  static void release(JobTrack& job, NodeSlot slot, SimTime now);
  static void add_piece(JobTrack& job, SimTime to, Account account);
  static void add_wait(JobTrack& job, SimTime until);

  NodePhases phases_;
  std::optional<NodePhases::Change> change_;
  std::vector<JobTrack> jobs_;
};

}  // namespace faultline
