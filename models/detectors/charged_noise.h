// What a run charges for agent noise: the closed form, or what a replay says where it refutes it.
//
// For aligned nodes the forms of agent_noise.h hold for any pattern of stalls. Those for independent
// nodes let a node stall once between two meetings, and forget which nodes have just stalled. Both
// is as good as true of nodes whose tasks wake together or queue, unless bursts fill much of the
// period. The first fails for jittered tasks: a large gang waits for the one node of many that was
// hit twice, or in the time that the first hit took. No form is known for the longest sum of the
// bursts of N nodes. So the gang is walked (noise_replay.h) over fixed sets of phases:
//
//   R, E     all waiting over all work, and the standard error of this ratio over the sets
//   refuted  |form - R| > 3 E, and > R/100: the forms are good to a percent. Then R is charged
//
// else the form, which has no error of its own. A form that is wrong and not refuted is off by about
// 3 E at most. E is below 1% of R where stalls are many, which is where the forms fail. It is more
// where they are rare (jittered, with cores to spare); there the form is what to trust, as it is a
// first order in rare stalls. With fewer than 20 to be expected there is no replay.
//
// Worked example, by hand. T = 10 s, tau = 50 ms, k = 4 tasks of d = 5 ms, jittered, independent, no
// spare core, N = 2,048.
//   form (5)  10.0%: every meeting waits for somebody's burst, 5 ms
//   but       N C(k, 2) ((tau + d)/T)^2 = 2,048 x 6 x 0.0055^2 = 0.37 nodes have two bursts in a
//             meeting: a share 1 - exp(-0.37) = 0.31 of meetings wait for two, 10% x 1.31 = 13.1%
//   replay    13.1%, which is charged
// N = 64: 0.012 nodes, 7.36% x 1.012 = 7.44% of the time; the replay says 7.47%.
//
// Cost: the replay some 20 to 75 ms of a core (130 ms for 16,384 nodes), bounded by the bursts and
// the delayed meetings that it walks. Whole nanoseconds and sums in one order: the same everywhere.
//
// Draws: those of noise_replay.h, of a seed of its own, which is neither the scenario's nor that of
// the replay which `faultline noise` shows beside it. Thread rule: a pure function.
#pragma once

#include <optional>

#include "models/detectors/agent_noise.h"
#include "models/detectors/monitoring_config.h"

namespace faultline::noise {

constexpr double kErrorsToRefute = 3;

// R and E.
struct ReplayedNoise {
  double slowdown = 0;
  double error = 0;
};

struct ChargedNoise {
  double slowdown = 0;                    // charged
  double form = 0;                        // by agent_noise.h
  bool refuted = false;                   // the form, so that the replay is charged
  std::optional<ReplayedNoise> replayed;  // if it had something to judge
};

ChargedNoise charged_noise(const SynchronisedGang& gang, const Monitoring& monitoring,
                           InsideNode inside, AcrossNodes across);

}  // namespace faultline::noise
