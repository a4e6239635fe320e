#include "models/faults/arrivals.h"

#include <algorithm>
#include <cmath>

#include "models/base/check.h"

namespace faultline {

Arrivals::Arrivals(const std::vector<FaultClass>& classes, FaultClock clock,
                   const Population& population, std::uint32_t population_index)
    : population_index_(population_index) {
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const FaultClassConfig& config = *classes[c].config;
    const std::uint64_t parts = population.parts(classes[c].unit);
    const double rate = classes[c].bounding_rate_per_part * static_cast<double>(parts);
    if (config.clock != clock || !(rate > 0)) continue;
    streams_.push_back({.fault_class = FaultClassId(c),
                        .stream = classes[c].arrival_stream,
                        .mean_gap_seconds = 1 / rate,
                        .parts = parts,
                        .ordinal = 0,
                        .victim = 0});
  }
  pending_.resize(streams_.size());
}

void Arrivals::begin(const RandomSource& random) {
  random_ = &random;
  for (std::size_t s = 0; s < streams_.size(); ++s) {
    streams_[s].ordinal = 0;
    pending_[s] = {.at = draw_next(streams_[s], SimTime::start()), .stream = s};
  }
  std::sort(pending_.begin(), pending_.end(), [](const Pending& a, const Pending& b) {
    return a.at != b.at ? a.at < b.at : a.stream < b.stream;
  });
}

SimTime Arrivals::draw_next(Stream& stream, SimTime from) {
  const auto [gap, victim] =
      random_->two_uniforms(stream.stream, population_index_, stream.ordinal);
  stream.victim = victim;
  return from + Duration::from_seconds(-std::log(1 - gap) * stream.mean_gap_seconds);
}

Arrival Arrivals::take() {
  FAULTLINE_CHECK(!pending_.empty(), "no arrival is due");
  Pending next = pending_.front();
  Stream& stream = streams_[next.stream];
  const auto part = static_cast<std::uint64_t>(stream.victim * static_cast<double>(stream.parts));
  const Arrival arrival{.fault_class = stream.fault_class,
                        .part = std::min(part, stream.parts - 1),
                        .ordinal = stream.ordinal};
  ++stream.ordinal;
  next.at = draw_next(stream, next.at);
  // Back to its place: the arrivals before it move up by one.
  std::size_t place = 0;
  for (; place + 1 < pending_.size() && pending_[place + 1].at <= next.at; ++place) {
    pending_[place] = pending_[place + 1];
  }
  pending_[place] = next;
  return arrival;
}

}  // namespace faultline
