#include "sim/lab/experiments/noise.h"

#include <algorithm>

#include "sim/lab/stats/ratio_of_means.h"

namespace faultline {
namespace {

constexpr std::int64_t kPeriods = 2;
constexpr std::int64_t kMostDisturbed = 20'000;

noise::ReplaySetting setting_of(const NoiseSettings& settings, InsideNode inside,
                                AcrossNodes across) {
  return {
      .gang = settings.gang, .monitoring = settings.monitoring, .inside = inside, .across = across};
}

}  // namespace

MeanEstimate replayed_slowdown(const NoiseSettings& settings, InsideNode inside,
                               AcrossNodes across) {
  std::vector<double> lost;
  std::vector<double> worked;
  for (std::int64_t set = 0; set < settings.sets; ++set) {
    const RandomSource random(settings.seed, static_cast<std::uint32_t>(set));
    noise::NoiseReplay replay(setting_of(settings, inside, across), random);
    const noise::ReplayedTime time =
        noise::replay(replay, settings.monitoring.period, kPeriods, kMostDisturbed);
    lost.push_back(time.wait.seconds());
    worked.push_back(time.undisturbed.seconds());
  }
  return mean_estimate(ratio_pseudo_values(lost, worked));
}

const NoiseRow& NoiseComparison::present() const { return row(settings.inside, settings.across); }

const NoiseRow& NoiseComparison::row(InsideNode inside, AcrossNodes across) const {
  return *std::find_if(rows.begin(), rows.end(), [&](const NoiseRow& one) {
    return one.arrangement.inside == inside && one.arrangement.across == across;
  });
}

double NoiseComparison::gpu_hours_a_day(double slowdown) const {
  return static_cast<double>(settings.gpus) * 24 * slowdown / (1 + slowdown);
}

NoiseComparison compare_noise(const NoiseSettings& settings) {
  NoiseComparison comparison{.settings = settings, .rows = {}};
  for (const noise::NoiseArrangement& one :
       noise::compare_arrangements(settings.gang, settings.monitoring)) {
    comparison.rows.push_back(
        {.arrangement = one,
         .charged =
             noise::charged_noise(settings.gang, settings.monitoring, one.inside, one.across),
         .replayed = replayed_slowdown(settings, one.inside, one.across),
         .present = one.inside == settings.inside && one.across == settings.across});
  }
  noise::Monitoring shorter = settings.monitoring;
  shorter.burst = std::max(1_ns, Duration::nanoseconds(shorter.burst.ns() / 2));
  comparison.shorter_burst =
      noise::charged_noise(settings.gang, shorter, settings.inside, settings.across).slowdown;
  const Duration work = Duration::nanoseconds(settings.gang.step.ns() / settings.gang.meetings);
  comparison.saturating_nodes =
      noise::saturating_nodes(work, settings.monitoring.period, settings.monitoring.burst);
  return comparison;
}

NoiseSlice replay_slice(const NoiseSettings& settings, std::size_t delayed) {
  noise::NoiseReplay replay(setting_of(settings, settings.inside, settings.across),
                            RandomSource(settings.seed, 0));
  NoiseSlice slice{.meetings = {}, .phases = replay.phases()};
  const SimTime end = SimTime() + settings.monitoring.period;
  for (std::size_t seen = 0; seen < delayed;) {
    const noise::NoiseReplay::Meetings met = replay.next();
    if (met.wait > Duration::zero()) ++seen;
    slice.meetings.push_back(met);
    if (met.ended >= end) break;
  }
  return slice;
}

}  // namespace faultline
