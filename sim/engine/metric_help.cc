#include "sim/engine/metric_help.h"

#include <array>

namespace faultline {
namespace {

constexpr std::array kHelps{
    MetricHelp{"ettr_ratio", "",
               "Effective training time: work that was kept / time, per job, weighted by GPUs."},
    MetricHelp{"goodput_ratio", "",
               "GPU-seconds of kept work / GPU-seconds owned, spares included."},
    MetricHelp{"interruptions_total", "",
               "Faults that stopped a job, or met it down already; with {class}, of one "
               "class. Planned ones, drains and evictions are apart."},
    MetricHelp{"interruptions_while_down_total", "",
               "Of the interruptions, those that met the job down already."},
    MetricHelp{"planned_interruptions_total", "",
               "Planned maintenance that stopped a job, or met it down already."},
    MetricHelp{"repair_interruptions_total", "",
               "Jobs that were up and were stopped because a repair took a node."},
    MetricHelp{
        "evictions_total", "",
        "Jobs stopped because a node was unreachable for longer than their pods tolerate; one "
        "that only ended a hang for good counts as the hang's interruption."},
    MetricHelp{"replacements_total", "",
               "Nodes that were deleted and replaced, needlessly or not."},
    MetricHelp{"needless_replacements_total", "",
               "Replacements when nothing was wrong that stops or slows work, or that "
               "would have stayed (ground truth; no policy knows)."},
    MetricHelp{"repairs_in_place_total", "", "Nodes that somebody mended where they stand."},
    MetricHelp{"gate_blocked_total", "", "Refusals of the safety gate, each look counted."},
    MetricHelp{"gate_blocked_seconds", "",
               "Node-seconds from a node's first refusal to its repair or recovery."},
    MetricHelp{"unhealthy_peak_ratio", "",
               "Most nodes with a bad condition at once / nodes of the fleet."},
    MetricHelp{"spares_used_max", "", "Most warm spares in use at once."},
    MetricHelp{"stockout_ratio", "",
               "Share of the time that jobs wait for a node that does not exist: the accounts "
               "`provision` and `no_capacity`. 0 where nodes are mended in place."},
    MetricHelp{"registration_timeouts_total", "",
               "New machines given back because they had not registered in time."},
    MetricHelp{"failed_restarts_total", "",
               "Container restarts that met a sick node: until its fault was gone, or it was "
               "taken away."},
    MetricHelp{"faulty_nodes_replaced_total", "",
               "Nodes replaced for a real fault: what mttr_seconds{detect} to "
               "{provision} are means over."},
    MetricHelp{"job_restarts_total", "",
               "Restarts that came to a first step: what mttr_seconds{restart} is a mean over."},
    MetricHelp{"job_stops_total", "",
               "Stops of jobs that were up, by whatever: what mttr_seconds{redo} is a mean over."},
    MetricHelp{"lost_ratio", "cause",
               "Share of the jobs' GPU-time per account; with {productive} they sum to 1."},
    MetricHelp{"stall_seconds", "kind", "Time that jobs stalled: hang, straggler, agent_noise."},
    MetricHelp{"mttr_seconds", "phase",
               "Mean time of a repair phase per node replaced for a real fault (detect, tolerate, "
               "gate, drain, provision; an idle node's fault counts from its strike), per "
               "restart (restart), and of the work done again per stop (redo)."},
    MetricHelp{"faults_total", "class", "Strikes of a class, alarms included."},
    MetricHelp{"completion_seconds", "", "When the last job was done; unknown if one was not."},
    MetricHelp{"completed_ratio", "", "Share of the jobs that were done."},
    MetricHelp{"host_selections_total", "", "Gangs formed, the first included."},
    MetricHelp{"preemptions_total", "", "Nodes taken from other work."},
    MetricHelp{"machines_to_shop_total", "", "Machines that went to the repair shop."},
    MetricHelp{"repairs_automatic_total", "", "Automatic repair stages that ended."},
    MetricHelp{"repairs_manual_total", "", "Manual repair stages that ended."},
    MetricHelp{"repairs_mended_total", "", "Visits to the shop that mended what was wrong."},
    MetricHelp{"repairs_failed_total", "", "Visits to the shop that did not."},
    MetricHelp{"machines_retired_total", "", "Machines that were given up."},
};

}  // namespace

std::span<const MetricHelp> metric_helps() { return kHelps; }

std::string_view without_unit(std::string_view name) {
  for (const std::string_view unit : {"_ratio", "_total", "_seconds"}) {
    if (name.size() > unit.size() && name.ends_with(unit)) {
      return name.substr(0, name.size() - unit.size());
    }
  }
  return name;
}

}  // namespace faultline
