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
  times_.resize(streams_.size());
}

void Arrivals::begin(const RandomSource& random) {
  random_ = &random;
  for (std::size_t s = 0; s < streams_.size(); ++s) {
    times_[s] = SimTime::start();
    streams_[s].ordinal = 0;
    draw_gap(s);
  }
  find_earliest();
}

void Arrivals::draw_gap(std::size_t s) {
  Stream& stream = streams_[s];
  const auto [gap, victim] =
      random_->two_uniforms(stream.stream, population_index_, stream.ordinal);
  times_[s] = times_[s] + Duration::from_seconds(-std::log(1 - gap) * stream.mean_gap_seconds);
  stream.victim = victim;
}

void Arrivals::find_earliest() {
  // Written so that it compiles without a branch: which stream is next cannot be predicted.
  SimTime next = SimTime::never();
  std::size_t earliest = 0;
  for (std::size_t s = 0; s < times_.size(); ++s) {
    const bool before = times_[s] < next;
    next = before ? times_[s] : next;
    earliest = before ? s : earliest;
  }
  next_ = next;
  earliest_ = earliest;
}

Arrival Arrivals::take() {
  FAULTLINE_CHECK(!next_.is_never(), "no arrival is due");
  Stream& stream = streams_[earliest_];
  const auto part = static_cast<std::uint64_t>(stream.victim * static_cast<double>(stream.parts));
  const Arrival arrival{.fault_class = stream.fault_class,
                        .part = std::min(part, stream.parts - 1),
                        .ordinal = stream.ordinal};
  ++stream.ordinal;
  draw_gap(earliest_);
  find_earliest();
  return arrival;
}

}  // namespace faultline
