// When the next fault strikes, in one population: every class of one clock, superposed.
//
// The clock is the population's own: simulated time for `clock: always`, the time that a job has been
// running for `clock: running`. The n-th arrival of a class is a pure function of (seed, replication,
// class, n), whatever the policy does in between: common random numbers.
//
//   gap_n = -ln(1 - u) / (parts x rate),  victim_n = floor(v x parts),  (u, v) = address(class, n)
//
// A class that strikes only lemons, or only sound machines, has a number of parts that changes. Its
// clock runs with exposure, parts x time: n exponential clocks of rate r that become m of them go on
// as one of rate m r, and what was left of the gap is left of it still.
//
// A class with `life_from_restart` draws the first failure of its N parts anew at every restart: the
// least of N lives, Q(1 - (1-u)^(1/N)).
//
// Parts that stand `apart`, the last ones by number, have streams of their own, whose ordinals begin at
// 2^31. They are the warm spares: with one more or fewer of them, the other machines meet the same
// faults. (Classes whose number of parts changes, and lives, know no parts that stand apart.)
//
// Worked example: 2 classes of 3 and 1 faults a day in total, u = 0.5 for both: the first arrivals are
// ln 2 / 3 = 0.231 d and ln 2 / 1 = 0.693 d; `next()` answers 0.231 d.
//
// Thread rule: one per simulation and population.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/base/random.h"
#include "models/base/time.h"
#include "models/faults/fault_classes.h"

namespace faultline {

// A candidate: `part` counts the parts of a kind in the population.
struct Arrival {
  FaultClassId fault_class;
  // What a part is, as the class counts, but a scripted strike may name another domain; nothing: a job.
  std::optional<DomainLevel> level;
  std::uint64_t part = 0;     // of `victims: lemons`: the n-th lemon; of `sound`: a candidate
  std::uint32_t ordinal = 0;  // n: the address of everything else that is drawn for this fault
};

class Arrivals {
 public:
  // `population_index` sets the streams of one population apart from those of another; `apart` counts
  // the parts of it that stand apart.
  Arrivals(const std::vector<FaultClass>& classes, FaultClock clock, const Population& population,
           std::uint32_t population_index, const Population& apart = {});

  void begin(const RandomSource& random);
  void begin(RandomSource&&) = delete;  // it is asked until the next `begin`
  // Time of the next arrival on this clock; never if no class has a rate.
  SimTime next() const { return pending_.empty() ? SimTime::never() : pending_.front().at; }
  // Takes the arrival that `next` announced.
  Arrival take();

  // Whether any class counts lemons (or the machines that are none).
  bool counts_lemons() const { return counts_lemons_; }
  // So many of the parts are lemons from `now` on.
  void set_lemons(std::uint64_t lemons, SimTime now);
  // Whether any class draws its lives anew at a restart; the job does restart.
  bool has_lives() const { return has_lives_; }
  void restart(SimTime now);

 private:
  struct Stream {
    FaultClassId fault_class;
    std::optional<DomainLevel> level;
    StreamId stream;
    double mean_gap_seconds = 0;
    std::uint64_t first_part = 0;
    std::uint64_t parts = 0;
    std::uint32_t first_ordinal = 0;
    std::uint32_t ordinal = 0;
    double victim = 0;  // v of the pending arrival
    // Classes whose number of parts changes: the parts at the start, and the exposure that is left
    // until the arrival, in part-seconds, as of a time.
    FaultVictims victims = FaultVictims::kAll;
    std::uint64_t all_parts = 0;
    double mean_exposure_seconds = 0;
    double left = 0;
    SimTime as_of;
    const Distribution* life = nullptr;
  };
  struct Pending {
    SimTime at;
    std::size_t stream;
  };
  // The stream's arrival after the one at `from`.
  SimTime draw_next(Stream& stream, SimTime from);
  SimTime draw_life(Stream& stream, SimTime from);
  // Puts the pending arrival at `place` to another time.
  void move(std::size_t place, SimTime at);

  std::vector<Stream> streams_;
  std::vector<Pending> pending_;  // one arrival per stream, earliest first
  std::uint32_t population_index_;
  const RandomSource* random_ = nullptr;
  bool counts_lemons_ = false;
  bool has_lives_ = false;
};

}  // namespace faultline
