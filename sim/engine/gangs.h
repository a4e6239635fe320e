// Gangs: who works, who stands by, and what is waited for.
//
// A job with a `gang` works on the fit nodes of a pool that it has for itself. Its line (models/workloads/
// gang.h) says who is next; here the moves are carried out, and the job waits while there are too few.
//
//   a place is lost      the slot gives up its place, whose share nobody carries
//   the restart is due   `may_restart`: standbys take the vacant places; without enough of them a new gang is
//                        formed, which takes its time; without enough fit nodes the job is held, and waits
//   a node comes         by itself (fit again), or pre-empted from another pool, one by one
//
// Worked example: two places, one standby. Node 0 fails: at the restart the standby takes its place. Node 1
// fails, too: no standby, and one fit node is too few: the job is held by a node that is still away, until
// one is fit again: `HostsSelected`, and the restart after the selection.
//
// Invariants: a slot is in the line exactly while its machine is fit and its node healthy, as of the last
// `update`; while a gang waits, its job is held once for that.
//
// Ownership: calls Jobs, Holds, Speeds and Places; is called by Placement, Milestones and the assembly.
//
// Thread rule: one per simulation.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/faults/active_faults.h"
#include "models/workloads/gang.h"
#include "sim/engine/holds.h"
#include "sim/engine/jobs.h"
#include "sim/engine/node_health.h"
#include "sim/engine/places.h"
#include "sim/engine/speeds.h"

namespace faultline {

class Gangs {
 public:
  Gangs(const SimulationPlan& plan, Kernel& kernel, const Standing& standing,
        const NodeHealth& health, Places& places, Jobs& jobs, Holds& holds, Speeds& speeds);
  void begin();

  // Whether the slot is of a pool that a gang works on (or takes nodes from).
  bool has(NodeSlot slot) const { return job_of(slot).valid(); }
  // Whether the node is in the line, after anything that could have changed it.
  void update(NodeSlot slot);
  // The slot gives up its place.
  void vacate(NodeSlot slot);
  // A node that has crashed and stays goes to the end of the line; if nobody knows why it crashed, a standby may
  // take its place.
  void crashed(const ActiveFault& fault, bool explained);

  bool waits(JobId job) const { return gangs_[job.index()] && gangs_[job.index()]->waits; }
  // The restart is due: there is no gang, or every place is taken. Otherwise something else is expected now.
  bool may_restart(JobId job) {
    return !gangs_[job.index()] || !gang(job).line.has_vacancy() || is_whole(job);
  }
  // The node that was to be taken from other work is there.
  void preempted(JobId job);

 private:
  struct State {
    Gang line;
    bool waits = false;     // there are too few fit nodes
    bool preempts = false;  // meanwhile, a node is taken from other work
    NodeId waits_for;       // the node that the ledger charges the wait to
    std::uint32_t selections = 0;
  };

  JobId job_of(NodeSlot slot) const {
    return of_pool_.empty() ? JobId() : of_pool_[plan_.fleet().pool_of(slot).index()];
  }
  State& gang(JobId job) { return *gangs_[job.index()]; }
  void add(JobId job);
  void lose_place(NodeSlot slot);
  void fill_place(JobId job, const Gang::Move& move);
  // Fills the vacant places as far as it goes; whether the restart may begin.
  bool is_whole(JobId job);
  void form(JobId job);
  void go_on_waiting(JobId job);

  const SimulationPlan& plan_;
  Kernel& kernel_;
  const Standing& standing_;
  const NodeHealth& health_;
  Places& places_;
  Jobs& jobs_;
  Holds& holds_;
  Speeds& speeds_;
  std::vector<std::optional<State>> gangs_;  // by job
  std::vector<JobId> of_pool_;               // empty: there is no gang
};

}  // namespace faultline
