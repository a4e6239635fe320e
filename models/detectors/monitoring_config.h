// What an agent takes from the nodes that it watches, as a scenario describes it: tasks that wake
// every period and take cores for a burst. What that costs a job: agent_noise.h.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "models/base/fields.h"
#include "models/base/time.h"

namespace faultline {

enum class InsideNode {
  kTogether,  // all tasks of a node wake at once
  kJittered,  // each at a phase of its own
  kQueued,    // one after another
};
template <>
struct EnumNames<InsideNode> {
  static constexpr std::array kNames{std::pair{InsideNode::kTogether, std::string_view("together")},
                                     std::pair{InsideNode::kJittered, std::string_view("jittered")},
                                     std::pair{InsideNode::kQueued, std::string_view("queued")}};
};

enum class AcrossNodes {
  kAligned,      // every node has the same phases (a wall clock, say)
  kIndependent,  // every node has its own
};
template <>
struct EnumNames<AcrossNodes> {
  static constexpr std::array kNames{
      std::pair{AcrossNodes::kAligned, std::string_view("aligned")},
      std::pair{AcrossNodes::kIndependent, std::string_view("independent")}};
};

struct MonitoringConfig {
  std::int64_t tasks = 1;
  Duration period = 300_s;
  Duration burst;
  std::int64_t cores = 1;
  InsideNode inside_node = InsideNode::kJittered;
  AcrossNodes across_nodes = AcrossNodes::kIndependent;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("tasks", &MonitoringConfig::tasks,
          {.help = "Tasks of the agent that wake on each node every `period`, all alike.",
           .required = true,
           .more_than_zero = true});
    visit("period", &MonitoringConfig::period,
          {.help = "Time between two bursts of a task.", .required = true, .more_than_zero = true});
    visit("burst", &MonitoringConfig::burst,
          {.help = "Time for which a task takes its cores. Cached reads of /proc make it shorter.",
           .required = true,
           .more_than_zero = true});
    visit("cores", &MonitoringConfig::cores,
          {.help = "Cores that a task takes during its burst, before the ranks of the job get "
                   "theirs.",
           .more_than_zero = true});
    visit(
        "inside_node", &MonitoringConfig::inside_node,
        {.help = "When the tasks of one node wake: `together`, `jittered` (each at a phase of its "
                 "own) or `queued` (one after another)."});
    visit("across_nodes", &MonitoringConfig::across_nodes,
          {.help = "`aligned`: at the same times on every node, by the wall clock, say. "
                   "`independent`: at times of its own on each (what a jittered start does)."});
  }

  void check(FieldProblems& problems) const {
    if (burst * tasks >= period) {
      problems.add("burst", tasks == 1 ? "is not shorter than `period`: the task would never rest"
                                       : "times `tasks` is not shorter than `period`: the agent "
                                         "would never rest");
    }
  }
};

}  // namespace faultline
