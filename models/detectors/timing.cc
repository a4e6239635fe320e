#include "models/detectors/timing.h"

#include <algorithm>

#include "models/detectors/fail_slow.h"

namespace faultline {
namespace {

constexpr StreamId kPhase("detector/phase");
constexpr StreamId kReportPhase("detector/report");

}  // namespace

SimTime DetectionTiming::first_tick(StreamId stream, std::uint32_t channel, Duration period,
                                    double jitter, const Watched& watched,
                                    const RandomSource& random) const {
  if (period == Duration::zero()) return SimTime::start();
  // One draw per (channel, machine): generations of a slot are set apart by the draw number.
  const std::uint32_t draw = (watched.node.generation << 8) | channel;
  const bool there_from_the_start = watched.node.generation == 0;
  if (!there_from_the_start && jitter == 0) return watched.started + period;
  const double u = random.uniform(stream, watched.node.slot.value(), draw);
  if (there_from_the_start) {
    return SimTime::at(Duration::from_seconds(u * period.seconds()));
  }
  return watched.started + Duration::from_seconds(period.seconds() * (1 + u * jitter));
}

SimTime DetectionTiming::first_poll(ReasonId reason, const PollChannel& poll,
                                    const Watched& watched, const RandomSource& random) const {
  return first_tick(kPhase, contract_.reason(reason).channel.value(), poll.period,
                    poll.first_tick_jitter, watched, random);
}

SimTime DetectionTiming::sighted(ReasonId reason, SimTime first, Duration period, SimTime signal,
                                 SimTime gone) const {
  const SimTime seen =
      next_tick(first, period, signal) + period * (contract_.reason(reason).occurrences - 1);
  return seen < gone ? seen : SimTime::never();
}

SimTime DetectionTiming::first_renewal(const LeaseChannel& lease, const Watched& watched,
                                       const RandomSource& random) const {
  return first_tick(kPhase, 0xFF, lease.renew, 0, watched, random);
}

SimTime DetectionTiming::first_look(ReasonId reason, Duration period, const Watched& watched,
                                    const RandomSource& random) const {
  return first_tick(kPhase, contract_.reason(reason).channel.value(), period, 0, watched, random);
}

SimTime DetectionTiming::next_report(const Watched& watched, SimTime seen,
                                     const RandomSource& random) const {
  if (config_.report == Duration::zero()) return seen;
  const bool known = watched.first_report != nullptr && !watched.first_report->is_never();
  const SimTime first = known ? *watched.first_report
                              : first_tick(kReportPhase, 0, config_.report, 0, watched, random);
  if (watched.first_report != nullptr) *watched.first_report = first;
  return next_tick(first, config_.report, seen);
}

SimTime DetectionTiming::published_at(ReasonId reason, const Watched& watched, SimTime signal,
                                      SimTime gone, double u, const RandomSource& random) const {
  const auto& by = channel(reason).by;
  if (const auto* push = std::get_if<PushChannel>(&by)) {
    return next_report(watched, signal + push->delay.sample(u), random);
  }
  if (const auto* poll = std::get_if<PollChannel>(&by)) {
    const SimTime seen =
        sighted(reason, first_poll(reason, *poll, watched, random), poll->period, signal, gone);
    return seen.is_never() ? seen : next_report(watched, seen, random);
  }
  if (const auto* check = std::get_if<StatusCheckChannel>(&by)) {
    return sighted(reason, first_look(reason, check->period, watched, random), check->period,
                   signal, gone);
  }
  if (const auto* log = std::get_if<LogChannel>(&by)) {
    const SimTime first = first_tick(kPhase, contract_.reason(reason).channel.value(), log->flush,
                                     0, watched, random);
    return next_report(watched, next_tick(first, log->flush, signal), random);
  }
  if (const auto* progress = std::get_if<ProgressChannel>(&by)) {
    return fail_slow::seen(*progress, signal, gone);
  }
  if (const auto* peers = std::get_if<PeersChannel>(&by)) {
    return fail_slow::seen(*peers, signal, gone);
  }
  if (const auto* probe = std::get_if<ProbeChannel>(&by)) {
    const SimTime first = first_look(reason, probe->period, watched, random);
    return fail_slow::seen(*probe, next_tick(first, probe->period, signal), gone);
  }
  const auto& lease = std::get<LeaseChannel>(by);
  const SimTime first = first_renewal(lease, watched, random);
  const SimTime next_renewal = next_tick(first, lease.renew, signal);
  const SimTime last_renewal =
      next_renewal == signal ? signal : std::max(SimTime::start(), next_renewal - lease.renew);
  const SimTime unknown =
      next_tick(SimTime::start(), lease.monitor, std::max(signal, last_renewal + lease.grace));
  if (!gone.is_never() && next_tick(first, lease.renew, gone) <= unknown) return SimTime::never();
  return unknown;
}

SimTime DetectionTiming::cleared_at(ReasonId reason, const Watched& watched, SimTime published,
                                    SimTime gone, const RandomSource& random) const {
  const auto& by = channel(reason).by;
  const SimTime from = std::max(published, gone);
  if (const auto* lease = std::get_if<LeaseChannel>(&by)) {
    return next_tick(first_renewal(*lease, watched, random), lease->renew, from);
  }
  if (const auto* poll = std::get_if<PollChannel>(&by)) {
    return next_report(
        watched, next_tick(first_poll(reason, *poll, watched, random), poll->period, from), random);
  }
  if (const auto* check = std::get_if<StatusCheckChannel>(&by)) {
    return next_tick(first_look(reason, check->period, watched, random), check->period, from);
  }
  if (const auto* progress = std::get_if<ProgressChannel>(&by)) return from + progress->window;
  if (const auto* peers = std::get_if<PeersChannel>(&by)) {
    return from + peers->continuity + peers->alert;
  }
  if (const auto* probe = std::get_if<ProbeChannel>(&by)) {
    return next_tick(first_look(reason, probe->period, watched, random), probe->period, from) +
           probe->takes;
  }
  return next_report(watched, from + config_.recheck, random);
}

}  // namespace faultline
