// Stalls: how often, how long, through whom, and what would have ended them sooner. A pure function
// of the happenings.
//
//   what             begins          ends                               length      hours lost
//   hang, flap       JobStalled      JobUnstalled or JobInterrupted     all of it   the length
//   crash            JobInterrupted  when the error is everywhere       surfaces    the length
//   slow             a stretch at less than full speed, up to the       wall time   the extra time of
//                    next one at full speed or at another one's pace                its steps
//
// A stall belongs to the class that began it; a class has one effect, so classes add up to kinds.
//
// What if. For a stall of length L that a limit l < L (a watchdog with its dump, or a progress monitor)
// would have ended sooner, L - l of hang is saved. It is *regained* only if the stall ended in a
// stop after which no node held the job: otherwise the job waits all the same, for a repair that takes its
// own time. If the stall went over by itself, the limit makes a restart of it: *cut*. A shorter
// `nccl_timeout` does nothing where the watchdog itself is stuck (`hang_ends_by: heartbeat`).
// Not seen: what strikes meanwhile, the step that a restart makes sooner, the checkpoint it then finds.
//
// Worked example: hangs of 615 s by the watchdog, with dump. `nccl_timeout: 2m` ends them at 135 s: 480 s
// saved of 615; a progress monitor of 2 min saves 495 s. A flap of 180 s would be cut by both.
//
// Thread rule: records are added up after the threads; one tracker per simulation.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "models/happenings.h"
#include "sim/engine/histogram.h"
#include "sim/engine/plan.h"

namespace faultline {

// A sum that outlasts the 292 years of a Duration, the same in every order.
class TimeSum {
 public:
  TimeSum() = default;
  TimeSum(std::int64_t whole_seconds, std::int64_t ns) : seconds_(whole_seconds), ns_(ns) {}

  void add(Duration d) {
    seconds_ += d / 1_s;
    ns_ += (d % 1_s).ns();
  }
  void add(const TimeSum& other) {
    seconds_ += other.seconds_;
    ns_ += other.ns_;
  }
  double seconds() const { return static_cast<double>(seconds_) + static_cast<double>(ns_) * 1e-9; }
  // The two parts that add up to it.
  std::int64_t whole_seconds() const { return seconds_; }
  std::int64_t ns() const { return ns_; }

 private:
  std::int64_t seconds_ = 0;
  std::int64_t ns_ = 0;
};

struct StallLimit {
  std::string_view setting;
  Duration timeout;
  bool watchdog;  // the collectives' own, with its dump; otherwise a progress monitor
};
inline constexpr std::array kStallLimits{
    StallLimit{"nccl_timeout=5m", Duration::nanoseconds(300'000'000'000), true},
    StallLimit{"nccl_timeout=2m", Duration::nanoseconds(120'000'000'000), true},
    StallLimit{"progress_timeout=2m", Duration::nanoseconds(120'000'000'000), false}};

struct StallRecords {
  struct OfClass {
    std::uint64_t count = 0;
    TimeSum lost;
    Histogram lengths;
  };
  struct Saving {
    TimeSum saved;
    TimeSum regained;
    std::uint64_t shortened = 0;
    std::uint64_t cut = 0;

    void add(const Saving& other);
  };

  explicit StallRecords(std::size_t classes) : by_class(classes) {}
  void add(const StallRecords& other);
  bool any() const;

  std::vector<OfClass> by_class;
  std::array<Saving, kStallLimits.size()> savings{};
};

class StallTracker {
 public:
  StallTracker(const SimulationPlan& plan, StallRecords& records)
      : plan_(plan), records_(records), jobs_(plan.jobs().size()) {}

  void begin() { std::fill(jobs_.begin(), jobs_.end(), Job{}); }
  void take(const JobStalled& stalled, SimTime now);
  void take(const JobUnstalled& unstalled, SimTime now);
  void take(const JobInterrupted& interrupted, SimTime now);
  void take(const JobHeld& held) { jobs_[held.job.index()].stopped = {}; }
  void take(const JobRestarting& restarting);
  void take(const JobProgressed& progressed);
  void end(SimTime now);

 private:
  struct Stall {
    FaultClassId by;  // invalid: there is none
    Duration length;
  };
  struct Job {
    SimTime since;
    FaultClassId stalled_by;
    Stall slow;     // under way
    Stall stopped;  // a stall that ended in a stop, and no node holds the job since
  };
  void record(FaultClassId by, Duration lost, Duration length);
  // How much sooner a limit would have ended it.
  Duration saved(const StallLimit& limit, const Job& job, const Stall& stall) const;
  Stall stall_ends(Job& job, SimTime now, bool by_itself);
  void end_slow(Job& job);

  const SimulationPlan& plan_;
  StallRecords& records_;
  std::vector<Job> jobs_;
};

}  // namespace faultline
