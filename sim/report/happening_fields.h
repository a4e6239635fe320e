// The names of the happenings and of their fields, once: the journal's writer, its reader and
// everything else that goes through a happening field by field walk this list.
//
//   HappeningFields<FaultStruck>::kName                   "FaultStruck"
//   HappeningFields<FaultStruck>::visit(struck, visitor)  visitor("class", struck.fault_class); ...
//
// A visitor has a call operator for every type that occurs: the ids, `NodeId`, `bool`,
// `std::uint32_t`, `std::int64_t`, `Duration` (its name ends with _seconds) and the enums. A const
// happening is visited as const: that is how one list both writes and reads.
// `visitor.optional(name, value)` is an id that may be invalid, or a duration that is zero unless the
// scenario has the feature; every other id is valid.
//
// Units and meanings are those of models/happenings.h. To add a happening: declare it there, list
// its fields here, give it a sentence in happening_text.cc.
//
// Thread rule: no state.
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "models/base/fields.h"
#include "models/happenings.h"

namespace faultline {

template <>
struct EnumNames<ConditionStatus> {
  static constexpr std::array kNames{
      std::pair{ConditionStatus::kAbsent, to_string(ConditionStatus::kAbsent)},
      std::pair{ConditionStatus::kTrue, to_string(ConditionStatus::kTrue)},
      std::pair{ConditionStatus::kFalse, to_string(ConditionStatus::kFalse)},
      std::pair{ConditionStatus::kUnknown, to_string(ConditionStatus::kUnknown)}};
};
template <>
struct EnumNames<RepairAction> {
  static constexpr std::array kNames{
      std::pair{RepairAction::kReplace, std::string_view("replace")},
      std::pair{RepairAction::kRepairInPlace, std::string_view("repair_in_place")}};
};
template <>
struct EnumNames<StopKind> {
  static constexpr std::array kNames{std::pair{StopKind::kCrash, std::string_view("crash")},
                                     std::pair{StopKind::kWatchdog, std::string_view("watchdog")},
                                     std::pair{StopKind::kDrain, std::string_view("drain")},
                                     std::pair{StopKind::kEvicted, std::string_view("evicted")},
                                     std::pair{StopKind::kSilent, std::string_view("silent")},
                                     std::pair{StopKind::kPlanned, std::string_view("planned")}};
};

template <>
struct EnumNames<RepairStage> {
  static constexpr std::array kNames{
      std::pair{RepairStage::kAutomatic, std::string_view("automatic")},
      std::pair{RepairStage::kManual, std::string_view("manual")}};
};
template <>
struct EnumNames<RepairOutcome> {
  static constexpr std::array kNames{
      std::pair{RepairOutcome::kEscalated, std::string_view("escalated")},
      std::pair{RepairOutcome::kMended, std::string_view("mended")},
      std::pair{RepairOutcome::kNotMended, std::string_view("not_mended")}};
};

template <class Happened>
struct HappeningFields;

template <>
struct HappeningFields<FaultStruck> {
  static constexpr std::string_view kName = "FaultStruck";
  static void visit(auto& h, auto& visitor) {
    visitor("fault", h.fault);
    visitor("class", h.fault_class);
    visitor.optional("node", h.node);
    visitor.optional("job", h.job);
    visitor("gpu", h.gpu);
    visitor("primary", h.primary);
  }
};
template <>
struct HappeningFields<FaultCleared> {
  static constexpr std::string_view kName = "FaultCleared";
  static void visit(auto& h, auto& visitor) {
    visitor("fault", h.fault);
    visitor("class", h.fault_class);
    visitor.optional("node", h.node);
    visitor.optional("job", h.job);
  }
};
template <>
struct HappeningFields<SignalRaised> {
  static constexpr std::string_view kName = "SignalRaised";
  static void visit(auto& h, auto& visitor) {
    visitor("fault", h.fault);
    visitor("node", h.node);
    visitor("reason", h.reason);
  }
};
template <>
struct HappeningFields<ConditionChanged> {
  static constexpr std::string_view kName = "ConditionChanged";
  static void visit(auto& h, auto& visitor) {
    visitor("node", h.node);
    visitor("condition", h.condition);
    visitor("status", h.status);
    visitor.optional("reason", h.reason);
  }
};
template <>
struct HappeningFields<EventPosted> {
  static constexpr std::string_view kName = "EventPosted";
  static void visit(auto& h, auto& visitor) {
    visitor("node", h.node);
    visitor("reason", h.reason);
  }
};
template <>
struct HappeningFields<FaultBehind> {
  static constexpr std::string_view kName = "FaultBehind";
  static void visit(auto& h, auto& visitor) {
    visitor("node", h.node);
    visitor("reason", h.reason);
    visitor("fault", h.fault);
    visitor("class", h.fault_class);
    visitor("since_fault_seconds", h.since_fault);
  }
};
template <>
struct HappeningFields<RepairDecided> {
  static constexpr std::string_view kName = "RepairDecided";
  static void visit(auto& h, auto& visitor) {
    visitor("node", h.node);
    visitor("action", h.action);
    visitor("on_call", h.on_call);
  }
};
template <>
struct HappeningFields<RepairBlocked> {
  static constexpr std::string_view kName = "RepairBlocked";
  static void visit(auto& h, auto& visitor) {
    visitor("node", h.node);
    visitor("unhealthy", h.unhealthy);
    visitor("allowed", h.allowed);
    visitor("total", h.total);
    visitor.optional("every_seconds", h.every);
  }
};

// Happenings that are about one node and say no more.
struct NodeFields {
  static void visit(auto& h, auto& visitor) { visitor("node", h.node); }
};
template <>
struct HappeningFields<RepairWasNeedless> : NodeFields {
  static constexpr std::string_view kName = "RepairWasNeedless";
};
template <>
struct HappeningFields<NodeDrained> : NodeFields {
  static constexpr std::string_view kName = "NodeDrained";
};
template <>
struct HappeningFields<NodeRemoved> : NodeFields {
  static constexpr std::string_view kName = "NodeRemoved";
};
template <>
struct HappeningFields<NodeRepaired> : NodeFields {
  static constexpr std::string_view kName = "NodeRepaired";
};
template <>
struct HappeningFields<NodeRequested> : NodeFields {
  static constexpr std::string_view kName = "NodeRequested";
};
template <>
struct HappeningFields<CapacityMissing> : NodeFields {
  static constexpr std::string_view kName = "CapacityMissing";
};
template <>
struct HappeningFields<CapacityFound> : NodeFields {
  static constexpr std::string_view kName = "CapacityFound";
};
template <>
struct HappeningFields<RegistrationTimedOut> : NodeFields {
  static constexpr std::string_view kName = "RegistrationTimedOut";
};
template <>
struct HappeningFields<NodeRegistered> : NodeFields {
  static constexpr std::string_view kName = "NodeRegistered";
};
template <>
struct HappeningFields<NodeJoined> : NodeFields {
  static constexpr std::string_view kName = "NodeJoined";
};

template <>
struct HappeningFields<JobInterrupted> {
  static constexpr std::string_view kName = "JobInterrupted";
  static void visit(auto& h, auto& visitor) {
    visitor("job", h.job);
    visitor("kind", h.kind);
    visitor.optional("node", h.node);
    visitor.optional("class", h.fault_class);
    visitor("work_lost_seconds", h.work_lost);
    visitor("already_down", h.already_down);
    visitor.optional("surfaces_seconds", h.surfaces);
  }
};
template <>
struct HappeningFields<JobStalled> {
  static constexpr std::string_view kName = "JobStalled";
  static void visit(auto& h, auto& visitor) {
    visitor("job", h.job);
    visitor.optional("node", h.node);
    visitor.optional("class", h.fault_class);
  }
};
template <>
struct HappeningFields<JobUnstalled> {
  static constexpr std::string_view kName = "JobUnstalled";
  static void visit(auto& h, auto& visitor) { visitor("job", h.job); }
};
template <>
struct HappeningFields<JobProgressed> {
  static constexpr std::string_view kName = "JobProgressed";
  static void visit(auto& h, auto& visitor) {
    visitor("job", h.job);
    visitor("work_seconds", h.work);
    visitor("straggler_seconds", h.straggler);
    visitor("checkpoint_seconds", h.checkpoint);
    visitor.optional("noise_seconds", h.noise);
    visitor.optional("slowed_by", h.slowed_by);
  }
};
template <>
struct HappeningFields<JobHeld> {
  static constexpr std::string_view kName = "JobHeld";
  static void visit(auto& h, auto& visitor) {
    visitor("job", h.job);
    visitor.optional("node", h.node);
  }
};
template <>
struct HappeningFields<JobReleased> {
  static constexpr std::string_view kName = "JobReleased";
  static void visit(auto& h, auto& visitor) {
    visitor("job", h.job);
    visitor.optional("node", h.node);
  }
};
template <>
struct HappeningFields<PlaceTaken> {
  static constexpr std::string_view kName = "PlaceTaken";
  static void visit(auto& h, auto& visitor) {
    visitor("job", h.job);
    visitor("from", h.from);
    visitor("to", h.to);
  }
};
template <>
struct HappeningFields<JobRestarting> {
  static constexpr std::string_view kName = "JobRestarting";
  static void visit(auto& h, auto& visitor) {
    visitor("job", h.job);
    visitor("failed_attempts", h.failed_attempts);
  }
};
template <>
struct HappeningFields<JobResumed> {
  static constexpr std::string_view kName = "JobResumed";
  static void visit(auto& h, auto& visitor) { visitor("job", h.job); }
};
template <>
struct HappeningFields<RepairStageEnded> {
  static constexpr std::string_view kName = "RepairStageEnded";
  static void visit(auto& h, auto& visitor) {
    visitor("node", h.node);
    visitor("stage", h.stage);
    visitor("outcome", h.outcome);
    visitor("retired", h.retired);
  }
};
template <>
struct HappeningFields<JobSubmitted> {
  static constexpr std::string_view kName = "JobSubmitted";
  static void visit(auto& h, auto& visitor) { visitor("job", h.job); }
};
template <>
struct HappeningFields<HostsSelected> {
  static constexpr std::string_view kName = "HostsSelected";
  static void visit(auto& h, auto& visitor) {
    visitor("job", h.job);
    visitor("standbys", h.standbys);
  }
};
template <>
struct HappeningFields<NodePreempted> {
  static constexpr std::string_view kName = "NodePreempted";
  static void visit(auto& h, auto& visitor) {
    visitor("job", h.job);
    visitor("node", h.node);
  }
};
template <>
struct HappeningFields<JobCompleted> {
  static constexpr std::string_view kName = "JobCompleted";
  static void visit(auto& h, auto& visitor) { visitor("job", h.job); }
};
template <>
struct HappeningFields<RunEnded> {
  static constexpr std::string_view kName = "RunEnded";
  static void visit(auto&, auto&) {}
};

}  // namespace faultline
