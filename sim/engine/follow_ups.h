// What one room of the engine can leave for another at the same instant: the kinds of the agenda.
//
//   fault -> (effect on the job) -> signal -> condition -> decision -> action -> capacity -> placement
//
// The structs stand in that order, which is also their priority (`FollowUps`, at the end): of all that is
// waiting, the first of this page is worked off first. Two kinds stand elsewhere, for a reason:
//   - `FaultPasses` comes after the placement: a fault that is gone at the instant at which it struck is
//     there while its consequences are drawn.
//   - `MachineLeaves` comes after it: a machine that leaves at the instant of the decision leaves when the
//     work has left it; and the one that takes its place at once is asked for (`MachineWanted`) when
//     everybody knows that the old one has left.
//
// Each says what happened, not what to do about it, and names the room that posts it and the one that
// hears it. An entry holds ids and durations, never a pointer; a fault is named by its index in ActiveFaults,
// which is given to no other fault before `FaultForgotten`, the last kind, is heard.
//
// Thread rule: values.
#pragma once

#include <cstdint>

#include "models/base/ids.h"
#include "models/base/time.h"
#include "models/observed/condition.h"
#include "models/workloads/training_job.h"
#include "sim/engine/agenda.h"

namespace faultline {

// --- fault ---------------------------------------------------------------------------------------

// The machine in the slot left, or was mended: what was wrong with it is over (machines -> faults, signals).
struct FaultsEnd {
  NodeSlot slot;
};
// A fault has struck a machine that the repair shop keeps a file of (faults -> machines).
struct MachineStruck {
  NodeSlot slot;
};
// A lemon stands in the slot now, or no longer (machines -> faults).
struct LemonMoves {
  NodeSlot slot;
  bool comes = false;
};
// A slot works for the job now, or no longer; only where lemons matter (work -> faults).
struct PlaceMoves {
  JobId job;
  NodeSlot slot;
  bool taken = false;
};
// The job's processes are there again, or no longer: the clock of `clock: running` (work -> faults).
struct JobTurns {
  JobId job;
  bool busy = false;
};
// A flap stops the messages of a job that did not run on the node when it struck (work -> faults).
struct FaultMeetsJob {
  std::uint32_t fault = 0;
  JobId job;
};
// A signal of the fault is about another node of its job (signals -> faults).
struct AnotherIsBlamed {
  std::uint32_t fault = 0;
  std::uint32_t signal = 0;
  NodeSlot slot;
};

// --- effect on the job ---------------------------------------------------------------------------

// The fault is gone: by itself (`cleared` says so), or with its machine (faults -> work).
struct EffectEnds {
  std::uint32_t fault = 0;
  HappeningId cleared;
  bool with_machine = false;
};
struct EffectBegins {  // the fault has struck (faults -> work)
  std::uint32_t fault = 0;
};
struct CorruptionFound {  // what the fault has corrupted is noticed (faults -> work)
  std::uint32_t fault = 0;
};

// --- signal --------------------------------------------------------------------------------------

struct
    SignalBegins {  // one signal of a fault elsewhere, on the node that is blamed (faults -> signals)
  std::uint32_t fault = 0;
  std::uint32_t signal = 0;
};
struct SignalsBegin {  // the fault has struck a node (faults -> signals)
  std::uint32_t fault = 0;
};
enum class SignalsEndBy : std::uint8_t {
  kClears,   // what was published is taken back in its time
  kStays,    // what was published stays as it is: the machine leaves
  kDropped,  // the machine has left: there is nothing left to look at
};
struct SignalsEnd {  // (faults -> signals)
  std::uint32_t fault = 0;
  SignalsEndBy by = SignalsEndBy::kClears;
};
struct StepsBegin {  // the job has made a step: what counts steps counts anew (work -> signals)
  JobId job;
};

// --- condition -----------------------------------------------------------------------------------

// A place of a job is carried by that slot now, or (invalid) by none: its pod is bound there (work -> control).
struct PodMoves {
  JobId job;
  std::uint32_t rank = 0;
  NodeSlot to;
};
// The restarts of the job's container fail on the node since then, or (never) no longer (work -> control).
struct PodRestarts {
  NodeId node;
  SimTime failing_since = SimTime::never();
};
// Something about the Node object other than a condition (machines -> control).
enum class NodeObject : std::uint8_t {
  kRegistered,   // it is there, and not Ready
  kInitialised,  // Ready, and can take pods
  kMended,       // up again after hands-on work: every condition is True
  kRemoved,
};
struct NodeObjectChanges {
  NodeId node;
  NodeObject what = NodeObject::kRegistered;
};
// The machine that the slot waits for was launched: its registration is due (machines -> control).
struct MachineLaunches {
  NodeSlot slot;
};
// The kubelet renews its lease again; the node is Ready a little later (signals -> control).
struct KubeletBack {
  NodeId node;
};
// Who reports a condition says it has this status (signals -> control); `cause`: the signal.
struct ConditionReported {
  NodeId node;
  ConditionId condition;
  ConditionStatus status = ConditionStatus::kTrue;
  ReasonId reason;
  HappeningId cause;
  // The fault that a bad one tells of; invalid: it is good again.
  FaultId fault;
  FaultClassId fault_class;
  SimTime struck;
};

// --- action --------------------------------------------------------------------------------------

struct NodeToReplace {  // a controller or a person has decided (control -> machines)
  NodeId node;
  bool on_call = false;
};
struct NodeToMend {  // a person works on it for so long (control -> machines)
  NodeId node;
  Duration hands_on;
};
// No pod may stay on the node: it is drained, or worked on where it stands (machines -> work).
struct NodeEmptied {
  NodeId node;
  bool leaves = true;
};
// A pod on a node that stays was evicted, and its processes end (control -> work).
struct PodEvicted {
  NodeId node;
};
// The machine that the slot waits for was given back: it did not register in time (control -> machines).
struct MachineGivenBack {
  NodeSlot slot;
};

// --- placement -----------------------------------------------------------------------------------

struct ConditionsChanged {  // of the node (control -> work)
  NodeId node;
};
// The crash of a node of a gang; `explained`: some signal shows it (signals -> work).
struct GangNodeCrashed {
  std::uint32_t fault = 0;
  bool explained = false;
};
// A machine stands in the slot that can work: a new one, or the old one mended (machines -> work).
struct NodeReady {
  NodeId node;
  TrainingJob::Fit fit = TrainingJob::Fit::kAnew;
};

// --- the end of the instant ----------------------------------------------------------------------

// The fault is gone at the instant at which it struck (faults, or work for a job's own -> faults).
struct FaultPasses {
  std::uint32_t fault = 0;
};
// A job's own fault is over with the restart that it causes (work -> faults).
struct FaultDropped {
  std::uint32_t fault = 0;
};
// The pods of the node are gone, and its machine ends (control -> machines).
struct MachineLeaves {
  NodeId node;
};
// A machine is asked for in the place of the one that leaves, or was given back (control -> machines).
struct MachineWanted {
  NodeSlot slot;
};
// Nothing can be seen of the fault any more (signals -> faults).
struct FaultForgotten {
  std::uint32_t fault = 0;
};

using FollowUps = Agenda<FaultsEnd, MachineStruck, LemonMoves, PlaceMoves, JobTurns, FaultMeetsJob,
                         AnotherIsBlamed,                                     //
                         EffectEnds, EffectBegins, CorruptionFound,           //
                         SignalBegins, SignalsBegin, SignalsEnd, StepsBegin,  //
                         PodMoves, PodRestarts, NodeObjectChanges, MachineLaunches, KubeletBack,
                         ConditionReported,                                                     //
                         NodeToReplace, NodeToMend, NodeEmptied, PodEvicted, MachineGivenBack,  //
                         ConditionsChanged, GangNodeCrashed, NodeReady,                         //
                         FaultPasses, FaultDropped, MachineLeaves, MachineWanted, FaultForgotten>;

}  // namespace faultline
