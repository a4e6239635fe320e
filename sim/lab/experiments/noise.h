// The six arrangements of an agent's bursts, side by side for one job: what a run charges
// (charged_noise.h: the closed form or, where it fails, a replay of its own), and a replay that walks
// the gang through the bursts of all of its nodes, to compare.
//
// The replay's slowdown is the ratio of all time lost to all time worked, over `sets` sets of
// phases (ratio_of_means.h); its error is that of the mean over the sets.
//
// A slowdown of x loses x / (1 + x) of the time; the GPU-hours lost are that share of the job's.
//
// Thread rule: pure functions.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "models/detectors/agent_noise.h"
#include "models/detectors/charged_noise.h"
#include "models/detectors/noise_replay.h"
#include "sim/lab/stats/mean_estimate.h"

namespace faultline {

struct NoiseSettings {
  noise::SynchronisedGang gang;
  noise::Monitoring monitoring;
  InsideNode inside = InsideNode::kTogether;  // at present
  AcrossNodes across = AcrossNodes::kIndependent;
  std::uint64_t gpus = 0;
  std::uint64_t seed = 1;
  std::int64_t sets = 20;
};

struct NoiseRow {
  noise::NoiseArrangement arrangement;
  noise::ChargedNoise charged;
  MeanEstimate replayed;  // slowdown
  bool present = false;
};

struct NoiseComparison {
  NoiseSettings settings;
  std::vector<NoiseRow> rows;   // six, in the order of the enumerations
  double shorter_burst = 0;     // charged in the present arrangement with half the burst
  double saturating_nodes = 0;  // from so many on, most meetings wait for somebody's burst

  const NoiseRow& present() const;
  const NoiseRow& row(InsideNode inside, AcrossNodes across) const;
  double gpu_hours_a_day(double slowdown) const;
};

// By the replay, in any arrangement.
MeanEstimate replayed_slowdown(const NoiseSettings& settings, InsideNode inside,
                               AcrossNodes across);

NoiseComparison compare_noise(const NoiseSettings& settings);

// A part of a replay to look at; a period at most.
struct NoiseSlice {
  std::vector<noise::NoiseReplay::Meetings> meetings;
  noise::NoiseReplay::Phases phases;
};
// The present arrangement, the first set of phases from its beginning on: so many delayed meetings.
NoiseSlice replay_slice(const NoiseSettings& settings, std::size_t delayed);

}  // namespace faultline
