#include "models/detectors/charged_noise.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "models/base/random.h"
#include "models/detectors/noise_replay.h"

namespace faultline::noise {
namespace {

constexpr std::uint64_t kSeed = 0x6e6f697365;
constexpr std::int64_t kBursts = 200'000;  // in all sets
constexpr std::int64_t kFewestSets = 6;
constexpr std::int64_t kPeriods = 2;
constexpr std::int64_t kMostDelayed = 500;  // in a set
constexpr double kFewestStalls = 20;        // in all sets
constexpr double kShare = 0.01;

// The error is that of a ratio of two sums, by the delta method.
ReplayedNoise walk(const ReplaySetting& setting, std::int64_t sets) {
  std::vector<ReplayedTime> times;
  double waited = 0;
  double worked = 0;
  for (std::int64_t set = 0; set < sets; ++set) {
    NoiseReplay gang(setting, RandomSource(kSeed, static_cast<std::uint32_t>(set)));
    times.push_back(replay(gang, setting.monitoring.period, kPeriods, kMostDelayed));
    waited += times.back().wait.seconds();
    worked += times.back().undisturbed.seconds();
  }
  const double slowdown = waited / worked;
  double squares = 0;
  for (const ReplayedTime& time : times) {
    const double residual = time.wait.seconds() - slowdown * time.undisturbed.seconds();
    squares += residual * residual;
  }
  const auto n = static_cast<double>(sets);
  return {.slowdown = slowdown, .error = std::sqrt(squares * n / (n - 1)) / worked};
}

bool refutes(const ReplayedNoise& replayed, double form) {
  return std::abs(form - replayed.slowdown) >
         std::max(kErrorsToRefute * replayed.error, kShare * replayed.slowdown);
}

}  // namespace

ChargedNoise charged_noise(const SynchronisedGang& gang, const Monitoring& monitoring,
                           InsideNode inside, AcrossNodes across) {
  const double form = noise_slowdown(gang, monitoring, inside, across);
  ChargedNoise charged{.slowdown = form, .form = form};
  if (across == AcrossNodes::kAligned) return charged;
  const std::int64_t sets = std::max(kFewestSets, kBursts / (gang.nodes * monitoring.tasks));
  const double seconds = static_cast<double>(sets * kPeriods) * monitoring.period.seconds();
  const double waited = seconds * form / (1 + form);
  if (waited < kFewestStalls * monitoring.burst.seconds()) return charged;
  charged.replayed =
      walk({.gang = gang, .monitoring = monitoring, .inside = inside, .across = across}, sets);
  charged.refuted = refutes(*charged.replayed, form);
  if (charged.refuted) charged.slowdown = charged.replayed->slowdown;
  return charged;
}

}  // namespace faultline::noise
