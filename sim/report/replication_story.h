// What made one replication bad for a candidate, in one or two sentences.
//
//   +2.15 pp in redo, +1.44 pp in restart. What cost more is repairs: 490 stops that
//   cost 2d 03h 04m, with A 174 that cost 18h 02m. The costliest: llama3, 2h 13m from 12d 03:04:05.678 on,
//   repair of train-17: drain 5s, provision 1m 21.7s, restart 3m 20.2s; work lost 9m 12s.
//
// The ledger says where the time went that the baseline did not lose. Both replications are run
// again, with a journal's view of them (outages.h), to find the cause whose outages cost so much
// more, in time down and work lost, and the costliest of them.
//
// Thread rule: pure function.
#pragma once

#include <cstdint>
#include <string>

#include "sim/engine/plan.h"

namespace faultline {

// `baseline_name`: what the text calls it, "A".
std::string replication_story(const SimulationPlan& baseline, const SimulationPlan& candidate,
                              std::uint64_t seed, std::uint32_t replication,
                              const std::string& baseline_name);

}  // namespace faultline
