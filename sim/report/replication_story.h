// What made one replication bad for a candidate, in one or two sentences.
//
//   +1.9 pp in gate, +0.4 pp in restart; the jobs stood still 46 times, with A 41 times. The most in gate: llama3,
//   2h 13m from 12d 03:04:05.678 on, gpu-hbm on train-17: detect 12.1s, gate 2h 01m, drain 5s.
//
// The ledger says where the time went that the baseline did not lose; the replication is run again, with
// a journal's view of it, to find the outage that lost most of it there. Where the loss is no time down (straggler,
// checkpoint), or none, it is the longest outage.
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
