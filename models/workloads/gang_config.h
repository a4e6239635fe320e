// How a job's gang is formed and kept whole, as a scenario describes it.
#pragma once

#include <cstdint>
#include <string>

#include "models/base/fields.h"
#include "models/base/limits.h"
#include "models/base/time.h"

namespace faultline {

struct GangConfig {
  std::int64_t standbys = 0;
  Duration host_selection;
  bool refill_standbys = false;
  bool swap_unexplained = false;
  std::string preempts;
  Duration preemption;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit(
        "standbys", &GangConfig::standbys,
        {.help = "Nodes of the job that stand by warm: one of them takes the place of a lost node "
                 "without a delay, when the job has recovered from the stop.",
         .at_least = 0,
         .at_most = kMostNodes});
    visit("host_selection", &GangConfig::host_selection,
          {.help = "Time to form a new gang, once enough nodes are fit: at the start, and whenever "
                   "no standby is left for a lost node."});
    visit(
        "refill_standbys", &GangConfig::refill_standbys,
        {.help = "When a new gang cannot be formed: `true` waits until there are enough fit nodes "
                 "for the standbys too, `false` only until the gang is complete. Waiting for the "
                 "standbys makes more of them cost more time, not less."});
    visit("swap_unexplained", &GangConfig::swap_unexplained,
          {.help = "Whether the node of a crash that no detector explains changes places with a "
                   "standby, and goes unrepaired to the end of the line."});
    visit("preempts", &GangConfig::preempts,
          {.help = "Pool whose nodes do other work that the job may take them from, one after "
                   "another and for good, when its own pool has too few. Empty: none."});
    visit("preemption", &GangConfig::preemption, {.help = "Time to take one node from that work."});
  }
};

}  // namespace faultline
