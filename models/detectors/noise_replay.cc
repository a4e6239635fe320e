#include "models/detectors/noise_replay.h"

#include <algorithm>
#include <utility>

namespace faultline::noise {
namespace {

constexpr StreamId kPhase("noise/phase");
constexpr std::uint32_t kNobody = 0xFFFFFFFFU;

NoiseReplay::Phases drawn(const ReplaySetting& setting, const RandomSource& random) {
  const Monitoring& m = setting.monitoring;
  const auto phase = [&](std::uint32_t node, std::uint32_t task) {
    const double u = random.uniform(kPhase, node, task);
    return Duration::nanoseconds(static_cast<std::int64_t>(u * static_cast<double>(m.period.ns())));
  };
  NoiseReplay::Phases phases;
  const bool aligned = setting.across == AcrossNodes::kAligned;
  // (aligned nodes are alike: the slowest of them is all of them)
  const std::int64_t nodes = aligned ? 1 : setting.gang.nodes;
  for (std::uint32_t node = 0; node < nodes; ++node) {
    std::vector<Duration>& tasks = phases.emplace_back();
    for (std::uint32_t task = 0; task < m.tasks; ++task) {
      switch (setting.inside) {
        case InsideNode::kTogether: tasks.push_back(phase(node, 0)); break;
        case InsideNode::kJittered: tasks.push_back(phase(node, task)); break;
        case InsideNode::kQueued:
          tasks.push_back((phase(node, 0) + m.burst * task) % m.period);
          break;
      }
    }
  }
  return phases;
}

}  // namespace

NoiseReplay::NoiseReplay(const ReplaySetting& setting, const RandomSource& random)
    : NoiseReplay(setting, drawn(setting, random)) {}

NoiseReplay::NoiseReplay(const ReplaySetting& setting, Phases phases)
    : setting_(setting),
      work_(Duration::nanoseconds(setting.gang.step.ns() / setting.gang.meetings)),
      slow_work_(setting.gang.slowest == 1
                     ? work_
                     : Duration::from_seconds(work_.seconds() / setting.gang.slowest)),
      phases_(std::move(phases)) {
  sort_starts();
}

void NoiseReplay::sort_starts() {
  for (std::uint32_t node = 0; node < phases_.size(); ++node) {
    for (const Duration phase : phases_[node]) starts_.push_back({.phase = phase, .node = node});
  }
  std::sort(starts_.begin(), starts_.end(),
            [](const Start& a, const Start& b) { return a.phase < b.phase; });
}

SimTime NoiseReplay::finish(std::uint32_t node, SimTime from) const {
  const Monitoring& m = setting_.monitoring;
  Duration left = node == 0 ? slow_work_ : work_;
  SimTime now = from;
  while (left > Duration::zero()) {
    const Duration at = now.since_start() % m.period;
    std::int64_t demand = 0;
    Duration steady = m.period;  // until the next burst begins or ends
    for (const Duration phase : phases_[node]) {
      const Duration age = at < phase ? at + m.period - phase : at - phase;
      const bool active = age < m.burst;
      if (active) demand += m.cores;
      steady = std::min(steady, active ? m.burst - age : m.period - age);
    }
    const bool works = demand <= m.spare_cores;
    const Duration span = works ? std::min(steady, left) : steady;
    now = now + span;
    if (works) left -= span;
  }
  return now;
}

NoiseReplay::Meetings NoiseReplay::next() {
  const Duration period = setting_.monitoring.period;
  const Duration burst = setting_.monitoring.burst;
  const SimTime began = now_;
  const SimTime due = began + slow_work_;
  // The first burst that is not over yet, and all that begin before the work is done.
  const Duration oldest = (began.since_start() + period - burst + 1_ns) % period;
  auto start = std::lower_bound(starts_.begin(), starts_.end(), oldest,
                                [](const Start& s, Duration phase) { return s.phase < phase; });
  Meetings met{.began = began, .ended = due};
  std::uint32_t walked = kNobody;
  for (std::size_t seen = 0; seen < starts_.size(); ++seen, ++start) {
    if (start == starts_.end()) start = starts_.begin();
    const Duration ahead = (start->phase + period - oldest) % period;
    if (ahead >= burst + slow_work_) {
      if (seen > 0) break;
      // Quiet until this burst: as many meetings as end before it begins.
      met.count = (ahead - burst) / slow_work_;
      met.ended = now_ = began + slow_work_ * met.count;
      return met;
    }
    if (start->node == walked) continue;  // (the next of a node's tasks)
    walked = start->node;
    const SimTime finished = finish(walked, began);
    if (finished <= met.ended) continue;
    met.ended = finished;
    met.last = start->node;
  }
  met.wait = met.ended - due;
  now_ = met.ended;
  return met;
}

ReplayedTime replay(NoiseReplay& replay, Duration period, std::int64_t periods, std::int64_t most) {
  const SimTime end = SimTime() + period * periods;
  const Duration undisturbed = replay.undisturbed();
  ReplayedTime time;
  std::int64_t disturbed = 0;
  for (SimTime now; now < end && disturbed < most;) {
    const NoiseReplay::Meetings met = replay.next();
    if (met.wait > Duration::zero()) ++disturbed;
    // (quiet meetings that begin after the end would be too many)
    const std::int64_t begun = (end - met.began - 1_ns) / undisturbed + 1;
    time.undisturbed += undisturbed * std::min(met.count, begun);
    time.wait += met.wait;
    now = met.ended;
  }
  return time;
}

}  // namespace faultline::noise
