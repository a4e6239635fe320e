#include "sim/report/happening_text.h"

#include <fmt/format.h>

#include "sim/report/happening_fields.h"

namespace faultline {
namespace {

class Teller {
 public:
  explicit Teller(const HappeningNames& names) : names_(names) {}

  HappeningText operator()(const FaultStruck& h) const {
    const std::string victim = h.node.slot.valid() ? name(h.node) : name(h.job);
    std::string detail;
    if (names_.lists().classes[h.fault_class.index()].per_gpu)
      detail = fmt::format(" (GPU {})", h.gpu);
    if (!h.primary) detail = " too";
    return {"fault", fmt::format("{} strikes {}{}", name(h.fault_class), victim, detail)};
  }
  HappeningText operator()(const FaultCleared& h) const {
    const std::string victim = h.node.slot.valid() ? name(h.node) : name(h.job);
    return {"fault", fmt::format("{} on {} is gone by itself", name(h.fault_class), victim)};
  }
  HappeningText operator()(const SignalRaised& h) const {
    return {"signal", fmt::format("{} can be seen on {}", name(h.reason), name(h.node))};
  }
  HappeningText operator()(const ConditionChanged& h) const {
    std::string text =
        fmt::format("{}={} on {}", name(h.condition), to_string(h.status), name(h.node));
    if (observed::is_bad(h.status) && h.reason.valid()) text += ", " + name(h.reason);
    return {"condition", text};
  }
  HappeningText operator()(const EventPosted& h) const {
    return {"event", fmt::format("warning {} on {}", name(h.reason), name(h.node))};
  }
  HappeningText operator()(const FaultBehind& h) const {
    return {"truth", fmt::format("{}, {} before, is behind {} on {}", name(h.fault_class),
                                 spoken(h.since_fault), name(h.reason), name(h.node))};
  }
  HappeningText operator()(const RepairDecided& h) const {
    const std::string_view who = h.on_call ? "the person on call: " : "";
    const std::string what = h.action == RepairAction::kReplace
                                 ? fmt::format("replace {}", name(h.node))
                                 : fmt::format("repair {} in place", name(h.node));
    return {"decision", fmt::format("{}{}", who, what)};
  }
  HappeningText operator()(const RepairWasNeedless& h) const {
    return {"truth",
            fmt::format("the repair of {} is needless: no fault stops work, and none would "
                        "have stayed",
                        name(h.node))};
  }
  HappeningText operator()(const RepairBlocked& h) const {
    return {
        "decision",
        fmt::format("the gate holds the repair of {} back: {} of {} nodes unhealthy, {} allowed",
                    name(h.node), h.unhealthy, h.total, h.allowed)};
  }
  HappeningText operator()(const NodeDrained& h) const {
    return {"action", fmt::format("{} is drained", name(h.node))};
  }
  HappeningText operator()(const NodeRemoved& h) const {
    return {"action", fmt::format("{} is gone", name(h.node))};
  }
  HappeningText operator()(const NodeRepaired& h) const {
    return {"action", fmt::format("{} is repaired", name(h.node))};
  }
  HappeningText operator()(const NodeRequested& h) const {
    return {"capacity", fmt::format("{} is requested", name(h.node))};
  }
  HappeningText operator()(const CapacityMissing& h) const {
    return {"capacity", fmt::format("there is no machine for {}", name(h.node))};
  }
  HappeningText operator()(const CapacityFound& h) const {
    return {"capacity", fmt::format("a machine for {} is found", name(h.node))};
  }
  HappeningText operator()(const RegistrationTimedOut& h) const {
    return {"capacity", fmt::format("{} has not registered in time and is deleted", name(h.node))};
  }
  HappeningText operator()(const NodeRegistered& h) const {
    return {"capacity", fmt::format("{} registers, not ready yet", name(h.node))};
  }
  HappeningText operator()(const NodeJoined& h) const {
    return {"capacity", fmt::format("{} is ready", name(h.node))};
  }
  HappeningText operator()(const JobInterrupted& h) const {
    if (h.already_down) {
      return {"job", fmt::format("{} is down already: {} counts as one more interruption",
                                 name(h.job), blame(h.node, h.fault_class))};
    }
    return {"job", fmt::format("{} stops: {}, {} of work lost", name(h.job), stop(h.kind),
                               spoken(h.work_lost))};
  }
  HappeningText operator()(const JobStalled& h) const {
    // Who has not enqueued the collective, or has not got its messages through.
    const std::string suspect =
        h.node.slot.valid() ? "; the flight recorder points at the ranks of " + name(h.node) : "";
    return {"job",
            fmt::format("{} stalls: every rank waits in a collective{}", name(h.job), suspect)};
  }
  HappeningText operator()(const JobUnstalled& h) const {
    return {"job", fmt::format("{} goes on: the collective completes", name(h.job))};
  }
  HappeningText operator()(const JobProgressed& h) const {
    const std::string noise = h.noise == Duration::zero()
                                  ? ""
                                  : fmt::format(", {} for monitoring agents", spoken(h.noise));
    return {"job", fmt::format("{} has worked for {}, {} of it waiting for stragglers{}",
                               name(h.job), spoken(h.work + h.straggler + h.noise + h.checkpoint),
                               spoken(h.straggler), noise)};
  }
  HappeningText operator()(const JobHeld& h) const {
    return {"job", fmt::format("{} cannot go on because of {}", name(h.job), holder(h.node))};
  }
  HappeningText operator()(const JobReleased& h) const {
    return {"job", fmt::format("{} no longer holds {}", holder(h.node), name(h.job))};
  }
  HappeningText operator()(const PlaceTaken& h) const {
    return {"placement",
            fmt::format("{} takes the place of {} in {}", name(h.to), name(h.from), name(h.job))};
  }
  HappeningText operator()(const JobRestarting& h) const {
    std::string failed;
    if (h.failed_attempts > 0) {
      failed = fmt::format(" (after {} failed {})", h.failed_attempts,
                           h.failed_attempts == 1 ? "attempt" : "attempts");
    }
    return {"job", fmt::format("{} restarts{}", name(h.job), failed)};
  }
  HappeningText operator()(const JobResumed& h) const {
    return {"job", fmt::format("{} makes progress again", name(h.job))};
  }
  HappeningText operator()(const RepairStageEnded& h) const {
    const std::string_view stage = h.stage == RepairStage::kAutomatic ? "automatic" : "manual";
    std::string_view outcome = "goes on to the manual stage";
    if (h.outcome == RepairOutcome::kMended) outcome = "is mended";
    if (h.outcome == RepairOutcome::kNotMended) outcome = "is as it was";
    return {"repair", fmt::format("the {} repair of {} ends: it {}{}", stage, name(h.node), outcome,
                                  h.retired ? ", and is given up" : "")};
  }
  HappeningText operator()(const JobSubmitted& h) const {
    return {"job", fmt::format("{} is submitted", name(h.job))};
  }
  HappeningText operator()(const HostsSelected& h) const {
    return {"placement", fmt::format("a gang is formed for {}, with {} {}", name(h.job), h.standbys,
                                     h.standbys == 1 ? "standby" : "standbys")};
  }
  HappeningText operator()(const NodePreempted& h) const {
    return {"placement",
            fmt::format("{} is taken from other work for {}", name(h.node), name(h.job))};
  }
  HappeningText operator()(const JobCompleted& h) const {
    return {"job", fmt::format("{} has done its work", name(h.job))};
  }
  HappeningText operator()(const RunEnded&) const { return {"run", "the simulated time ends"}; }

 private:
  template <class Id>
  std::string name(Id id) const {
    if constexpr (std::is_same_v<Id, NodeId>) {
      return id.slot.valid() ? names_.text(id) : "nobody";
    } else {
      return id.valid() ? names_.text(id) : "nothing";
    }
  }
  std::string holder(NodeId id) const { return id.slot.valid() ? name(id) : "planned maintenance"; }
  std::string blame(NodeId node, FaultClassId fault_class) const {
    if (!fault_class.valid()) return "the repair of " + name(node);
    return node.slot.valid() ? name(fault_class) + " on " + name(node) : name(fault_class);
  }
  static std::string_view stop(StopKind kind) {
    switch (kind) {
      case StopKind::kCrash: return "crash";
      case StopKind::kWatchdog: return "a watchdog ends the stall";
      case StopKind::kDrain: return "a repair takes its node away";
      case StopKind::kEvicted:
        return "its pod on a node that was unreachable for too long is deleted";
      case StopKind::kSilent: return "silent corruption is found";
      case StopKind::kPlanned: return "planned maintenance";
    }
    return "?";
  }

  const HappeningNames& names_;
};

// Whole tenths, without a zero tenth.
std::string tenths(std::int64_t n, int width) {
  const std::string seconds = fmt::format("{:0{}}", n / 10, width);
  return n % 10 == 0 ? seconds + "s" : fmt::format("{}.{}s", seconds, n % 10);
}

}  // namespace

HappeningText describe(const Happening& happening, const HappeningNames& names) {
  return std::visit(Teller(names), happening.what);
}

std::string spoken(Duration d) {
  if (d.is_infinite()) return "for ever";
  if (d < Duration::zero()) return "-" + spoken(-d);
  if (d < 1_s) {
    const std::int64_t ms = d / 1_ms;
    if (ms == 0) return to_string(d);
    std::string text = fmt::format("0.{:03}", ms);
    text.erase(text.find_last_not_of('0') + 1);
    return text + "s";
  }
  const std::int64_t minutes = d / 1_min;
  const std::int64_t tenth = (d % 1_min) / 100_ms;
  if (minutes == 0) return tenths(tenth, 1);
  if (minutes < 60) return fmt::format("{}m {}", minutes, tenths(tenth, 2));
  const std::int64_t hours = minutes / 60;
  if (hours < 24) return fmt::format("{}h {:02}m {:02}s", hours, minutes % 60, tenth / 10);
  return fmt::format("{}d {:02}h {:02}m", hours / 24, hours % 24, minutes % 60);
}

}  // namespace faultline
