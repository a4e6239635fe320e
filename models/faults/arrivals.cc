#include "models/faults/arrivals.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "models/base/check.h"

namespace faultline {

namespace {

constexpr std::uint32_t kFirstOrdinalApart = 1U << 31;

}  // namespace

Arrivals::Arrivals(const std::vector<FaultClass>& classes, FaultClock clock,
                   const Population& population, std::uint32_t population_index,
                   const Population& apart)
    : population_index_(population_index) {
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const FaultClassConfig& config = *classes[c].config;
    const std::uint64_t all = population.parts(classes[c].unit);
    const bool lives = config.life_from_restart && all > 0;
    const bool fixed = config.victims == FaultVictims::kAll && !lives;
    const std::uint64_t set_apart = fixed ? apart.parts(classes[c].unit) : 0;
    if (config.clock != clock) continue;
    const auto add_stream = [&](std::uint64_t first_part, std::uint64_t parts,
                                std::uint32_t first_ordinal) {
      const double rate = classes[c].bounding_rate_per_part * static_cast<double>(parts);
      if (!(rate > 0 || lives)) return;
      streams_.push_back({.fault_class = FaultClassId(c),
                          .level = level_of(classes[c].unit),
                          .stream = classes[c].arrival_stream,
                          .mean_gap_seconds = 1 / rate,
                          .first_part = first_part,
                          .parts = parts,
                          .first_ordinal = first_ordinal,
                          .ordinal = first_ordinal,
                          .victim = 0,
                          .victims = config.victims,
                          .all_parts = parts,
                          .mean_exposure_seconds = 1 / classes[c].bounding_rate_per_part,
                          .left = 0,
                          .as_of = {},
                          .life = lives ? &*config.life_from_restart : nullptr});
      counts_lemons_ |= config.victims != FaultVictims::kAll;
      has_lives_ |= lives;
    };
    add_stream(0, all - set_apart, 0);
    if (set_apart > 0) add_stream(all - set_apart, set_apart, kFirstOrdinalApart);
  }
  pending_.resize(streams_.size());
}

void Arrivals::begin(const RandomSource& random) {
  random_ = &random;
  for (std::size_t s = 0; s < streams_.size(); ++s) {
    streams_[s].ordinal = streams_[s].first_ordinal;
    streams_[s].parts = streams_[s].victims == FaultVictims::kLemons ? 0 : streams_[s].all_parts;
    pending_[s] = {.at = draw_next(streams_[s], SimTime::start()), .stream = s};
  }
  std::sort(pending_.begin(), pending_.end(), [](const Pending& a, const Pending& b) {
    return a.at != b.at ? a.at < b.at : a.stream < b.stream;
  });
}

SimTime Arrivals::draw_next(Stream& stream, SimTime from) {
  if (stream.life != nullptr) return draw_life(stream, from);
  const auto [gap, victim] =
      random_->two_uniforms(stream.stream, population_index_, stream.ordinal);
  stream.victim = victim;
  if (stream.victims != FaultVictims::kAll) {
    stream.left = -std::log(1 - gap) * stream.mean_exposure_seconds;
    stream.as_of = from;
    if (stream.parts == 0) return SimTime::never();
    return from + Duration::from_seconds(stream.left / static_cast<double>(stream.parts));
  }
  return from + Duration::from_seconds(-std::log(1 - gap) * stream.mean_gap_seconds);
}

SimTime Arrivals::draw_life(Stream& stream, SimTime from) {
  const auto [life, victim] =
      random_->two_uniforms(stream.stream, population_index_, stream.ordinal);
  stream.victim = victim;
  if (stream.parts == 0) return SimTime::never();
  const double least = -std::expm1(std::log1p(-life) / static_cast<double>(stream.parts));
  return from + stream.life->sample(std::max(least, std::numeric_limits<double>::min()));
}

void Arrivals::set_lemons(std::uint64_t lemons, SimTime now) {
  for (std::size_t s = 0; s < streams_.size(); ++s) {
    Stream& stream = streams_[s];
    if (stream.victims == FaultVictims::kAll) continue;
    const std::uint64_t parts =
        stream.victims == FaultVictims::kLemons ? lemons : stream.all_parts - lemons;
    if (parts == stream.parts) continue;
    const auto before = static_cast<double>(std::exchange(stream.parts, parts));
    if (stream.life != nullptr) continue;  // from the next restart on
    stream.left = std::max(0.0, stream.left - (now - stream.as_of).seconds() * before);
    stream.as_of = now;
    const SimTime at = parts == 0
                           ? SimTime::never()
                           : now + Duration::from_seconds(stream.left / static_cast<double>(parts));
    const auto place = std::find_if(pending_.begin(), pending_.end(),
                                    [&](const Pending& pending) { return pending.stream == s; });
    move(static_cast<std::size_t>(place - pending_.begin()), at);
  }
}

void Arrivals::restart(SimTime now) {
  for (std::size_t place = 0; place < pending_.size(); ++place) {
    Stream& stream = streams_[pending_[place].stream];
    if (stream.life == nullptr) continue;
    ++stream.ordinal;
    pending_[place].at = draw_life(stream, now);
  }
  std::sort(pending_.begin(), pending_.end(), [](const Pending& a, const Pending& b) {
    return a.at != b.at ? a.at < b.at : a.stream < b.stream;
  });
}

void Arrivals::move(std::size_t place, SimTime at) {
  const Pending moved{.at = at, .stream = pending_[place].stream};
  for (; place > 0 && pending_[place - 1].at > at; --place) pending_[place] = pending_[place - 1];
  for (; place + 1 < pending_.size() && pending_[place + 1].at <= at; ++place) {
    pending_[place] = pending_[place + 1];
  }
  pending_[place] = moved;
}

Arrival Arrivals::take() {
  FAULTLINE_CHECK(!pending_.empty(), "no arrival is due");
  Pending next = pending_.front();
  Stream& stream = streams_[next.stream];
  const auto part = static_cast<std::uint64_t>(stream.victim * static_cast<double>(stream.parts));
  const Arrival arrival{.fault_class = stream.fault_class,
                        .level = stream.level,
                        .part = stream.first_part + std::min(part, stream.parts - 1),
                        .ordinal = stream.ordinal};
  ++stream.ordinal;
  next.at = draw_next(stream, next.at);
  move(0, next.at);  // back to its place
  return arrival;
}

}  // namespace faultline
