// The vocabulary: one small struct for each thing that can happen. Whoever has read this file knows
// what the simulator does.
//
//   fault -> signal -> condition -> decision -> action -> capacity -> placement -> progress
//
// Every happening has a time, a running number and the number of the happening that caused it
// (invalid for what has no cause inside the simulation). The *journal* is the stream of happenings
// in order; every number of a report is a pure function of it (`sim/engine/ledger.h`, `metrics.h`),
// and `faultline why` walks the causes.
//
// Truth. What only a simulator knows is told by happenings of its own: FaultStruck, FaultCleared,
// SignalRaised, FaultBehind, RepairWasNeedless. A recorded cluster has none of them and tells the same
// story otherwise; what takes no notice of them holds for both.
//
// The order of times never goes back; at equal times, causes stand before their effects.
//
// Thread rule: values.
#pragma once

#include <cstdint>
#include <variant>

#include "models/base/ids.h"
#include "models/base/time.h"
#include "models/observed/condition.h"

namespace faultline {

// --- fault
// -----------------------------------------------------------------------------------------

// A fault strikes a node (or, for classes counted per job, a job). A fault of a whole rack strikes
// each of its nodes: the first is `primary`, the others follow from it and are not counted again.
struct FaultStruck {
  FaultId fault;
  FaultClassId fault_class;
  NodeId node;            // invalid slot: a fault of the job itself
  JobId job;              // the job that uses the part at that time, if any
  std::uint32_t gpu = 0;  // which GPU of the node, for classes counted per GPU
  bool primary = true;
};
// The fault is gone by itself.
struct FaultCleared {
  FaultId fault;
  FaultClassId fault_class;
  NodeId node;
  JobId job;
};

// --- signal, condition
// -----------------------------------------------------------------------------

// Something that can be seen: an Xid, a silent kubelet, a line in a log.
struct SignalRaised {
  FaultId fault;
  NodeId node;
  ReasonId reason;
};
// A node condition changes its status; `reason` says why it left True.
struct ConditionChanged {
  NodeId node;
  ConditionId condition;
  ConditionStatus status = ConditionStatus::kTrue;
  ReasonId reason;
};
// A warning: a Kubernetes Event, no condition.
struct EventPosted {
  NodeId node;
  ReasonId reason;
};
// The fault that the condition which has turned bad, or the event, tells of: told directly after it, and
// caused by it. `since_fault` is the time from the fault to the report: what the channel can honestly promise.
struct FaultBehind {
  NodeId node;      // where it was reported; the fault may be on another one
  ReasonId reason;  // of the condition or the event
  FaultId fault;
  FaultClassId fault_class;
  Duration since_fault;
};

// --- decision, action
// ------------------------------------------------------------------------------

enum class RepairAction : std::uint8_t { kReplace, kRepairInPlace };
struct RepairDecided {
  NodeId node;
  RepairAction action = RepairAction::kReplace;
  bool on_call = false;  // a person decided
};
// No fault of the node stops or slows work, and none would have stayed: told directly after the decision,
// and caused by it.
struct RepairWasNeedless {
  NodeId node;
};
// The safety gate holds a repair back: at this look, and at each further one, `every` apart, until the node's
// next decision, refusal or recovery.
struct RepairBlocked {
  NodeId node;
  std::int64_t unhealthy = 0;
  std::int64_t allowed = 0;
  std::int64_t total = 0;
  Duration every;
};
struct NodeDrained {
  NodeId node;
};
// The Node object is gone.
struct NodeRemoved {
  NodeId node;
};
// Hands-on repair of a node that stays.
struct NodeRepaired {
  NodeId node;
};

// What a stage of the repair shop came to, for the machine that was this node.
enum class RepairStage : std::uint8_t { kAutomatic, kManual };
enum class RepairOutcome : std::uint8_t {
  kEscalated,  // it goes on to the next stage
  kMended,     // what was wrong with it is gone
  kNotMended,  // it comes back as it was
};
struct RepairStageEnded {
  NodeId node;
  RepairStage stage = RepairStage::kAutomatic;
  RepairOutcome outcome = RepairOutcome::kMended;
  bool retired = false;  // it is given up, and does not come back
};

// --- capacity
// --------------------------------------------------------------------------------------

// A replacement is asked for. `node` is the new one: same slot, next generation.
struct NodeRequested {
  NodeId node;
};
// The provider has none: an insufficient-capacity error, or the stock is empty.
struct CapacityMissing {
  NodeId node;
};
// After a shortage, the launch goes on.
struct CapacityFound {
  NodeId node;
};
// The new machine's Node has not registered in time: the machine is deleted, and another one is asked
// for.
struct RegistrationTimedOut {
  NodeId node;
};
// The kubelet has registered the Node; it is not Ready yet.
struct NodeRegistered {
  NodeId node;
};
// The node is initialised and can take pods.
struct NodeJoined {
  NodeId node;
};

// --- placement, progress
// ---------------------------------------------------------------------------

enum class StopKind : std::uint8_t {
  kCrash,     // an error surfaced
  kWatchdog,  // a hang ended by the NCCL watchdog or the heartbeat monitor
  kDrain,     // a node was taken away by a repair
  kEvicted,   // the pod on a node that was unreachable for too long was deleted
  kSilent,    // silent corruption was found
  kPlanned,   // maintenance
};
// Whether a controller stopped the job, not a fault.
constexpr bool is_of_control_plane(StopKind kind) {
  return kind == StopKind::kDrain || kind == StopKind::kEvicted;
}
// The job stops: `work_lost` of its work was not in a checkpoint. A fault that would have stopped
// it while it was down anyway is an interruption too (`already_down`): it counts, and costs what it
// prolongs.
struct JobInterrupted {
  JobId job;
  StopKind kind = StopKind::kCrash;
  NodeId node;               // whose fault or drain it was; invalid: the job's own
  FaultClassId fault_class;  // invalid for a drain or an eviction, unless it only ended a hang
  Duration work_lost;
  bool already_down = false;
  Duration surfaces = {};  // of a crash: until every rank knows (told to readers, not in journals)
};
// Every rank waits for a collective that does not complete.
struct JobStalled {
  JobId job;
  NodeId node;
  FaultClassId fault_class;
};
// The stall is over without a restart (a flap that was shorter than the watchdog).
struct JobUnstalled {
  JobId job;
};
// A stretch of steps at one speed has ended: what it came to. The parts sum to its wall time.
struct JobProgressed {
  JobId job;
  Duration work;                // useful steps, in time at full speed
  Duration straggler;           // extra time because the slowest rank sets the pace
  Duration noise;               // extra time because a monitoring agent took cores from some rank
  Duration checkpoint;          // time that checkpoints stopped the steps
  FaultClassId slowed_by = {};  // who set the pace (told to readers, not in journals)
};
// A node lets the job go no further, from now: it is sick in a way that fails restarts, or it is
// away.
struct JobHeld {
  JobId job;
  NodeId node;  // invalid slot: planned maintenance of the job
};
// That node no longer holds the job: replaced, repaired, its fault gone, or its place taken by a
// spare.
struct JobReleased {
  JobId job;
  NodeId node;
};
// The job's share of a lost node moves to a warm spare.
struct PlaceTaken {
  JobId job;
  NodeId from;
  NodeId to;
};
// The restart that will succeed, if nothing else happens, begins; in place, it may have begun
// before on a node that was still sick, and has not failed.
struct JobRestarting {
  JobId job;
  // Restarts on a sick node before this one, until the node was fit or was taken away.
  std::uint32_t failed_attempts = 0;
};
struct JobResumed {
  JobId job;
};
// The job is handed in and waits for its gang; absent for a job that is running at the start.
struct JobSubmitted {
  JobId job;
};
// A gang is formed from the fit nodes; so many beyond it stand by.
struct HostsSelected {
  JobId job;
  std::uint32_t standbys = 0;
};
// A node of another pool is taken from the work that it did there, for good.
struct NodePreempted {
  JobId job;
  NodeId node;
};
// All its work is done.
struct JobCompleted {
  JobId job;
};
// The horizon is reached, or every job is done. Always the last line.
struct RunEnded {};

struct Happening {
  using What = std::variant<FaultStruck, FaultCleared, SignalRaised, ConditionChanged, EventPosted,
                            FaultBehind, RepairDecided, RepairWasNeedless, RepairBlocked,
                            NodeDrained, NodeRemoved, NodeRepaired, NodeRequested, CapacityMissing,
                            CapacityFound, NodeRegistered, NodeJoined, JobInterrupted, JobStalled,
                            JobUnstalled, JobProgressed, JobHeld, JobReleased, PlaceTaken,
                            JobRestarting, JobResumed, RunEnded, RepairStageEnded, JobSubmitted,
                            HostsSelected, NodePreempted, JobCompleted, RegistrationTimedOut>;
  SimTime time;
  HappeningId id;
  HappeningId cause;
  What what;
};

}  // namespace faultline
