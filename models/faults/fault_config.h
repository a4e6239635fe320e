// The failure catalogue as a scenario describes it: what breaks, how often, and what one can see of
// it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/base/distribution.h"
#include "models/base/fields.h"
#include "models/base/units.h"

namespace faultline {

// What a fault does to a job that runs on the part.
enum class FaultEffect {
  kNone,     // nothing: an alarm only
  kCrash,    // a process dies and the error surfaces within seconds
  kHang,     // a collective never completes; every rank waits until a watchdog fires
  kSlow,     // the part works at a fraction of its speed; the whole job steps at that speed
  kSilent,   // results are wrong and nobody notices until `found_after`
  kPlanned,  // announced maintenance of the job: it stops in order, and resumes after `clears`
};
template <>
struct EnumNames<FaultEffect> {
  static constexpr std::array kNames{std::pair{FaultEffect::kNone, std::string_view("none")},
                                     std::pair{FaultEffect::kCrash, std::string_view("crash")},
                                     std::pair{FaultEffect::kHang, std::string_view("hang")},
                                     std::pair{FaultEffect::kSlow, std::string_view("slow")},
                                     std::pair{FaultEffect::kSilent, std::string_view("silent")},
                                     std::pair{FaultEffect::kPlanned, std::string_view("planned")}};
};

// Which time counts as exposure.
enum class FaultClock {
  kAlways,   // wall-clock time: the part exists
  kRunning,  // only while a job runs or restarts on the part, as Meta's r_f counts node-days
};
template <>
struct EnumNames<FaultClock> {
  static constexpr std::array kNames{std::pair{FaultClock::kAlways, std::string_view("always")},
                                     std::pair{FaultClock::kRunning, std::string_view("running")}};
};

// Who notices a hang.
enum class HangEnd {
  kWatchdog,   // the collective's own timeout (PyTorch: 10 min after the enqueue)
  kHeartbeat,  // the watchdog thread itself is stuck: the heartbeat monitor (8 min)
};
template <>
struct EnumNames<HangEnd> {
  static constexpr std::array kNames{std::pair{HangEnd::kWatchdog, std::string_view("watchdog")},
                                     std::pair{HangEnd::kHeartbeat, std::string_view("heartbeat")}};
};

// One thing that can be seen when a fault strikes. Exactly one of xid, reason, heartbeat_lost is
// given.
struct SignalConfig {
  std::optional<std::int64_t> xid;
  std::string reason;
  bool heartbeat_lost = false;
  double coverage = 1.0;
  Distribution delay;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("xid", &SignalConfig::xid, {.help = "The driver logs this NVIDIA Xid code."});
    visit("reason", &SignalConfig::reason,
          {.help = "A monitor sees what this reason code of the detectors' contract stands for."});
    visit("heartbeat_lost", &SignalConfig::heartbeat_lost,
          {.help = "The node falls silent: the kubelet renews its lease no more."});
    visit("coverage", &SignalConfig::coverage,
          {.help = "Share of the faults of the class that give this signal.", .ratio = true});
    visit("delay", &SignalConfig::delay, {.help = "Time from the fault to the signal."});
  }

  void check(FieldProblems& problems) const {
    const int given = (xid ? 1 : 0) + (reason.empty() ? 0 : 1) + (heartbeat_lost ? 1 : 0);
    if (given != 1) {
      problems.add("", "needs exactly one of `xid`, `reason` and `heartbeat_lost: true`");
    }
  }
};

// A strike at a known instant, beside the random ones: "what if this node dies then", or a recorded
// incident played again.
struct ScriptedStrikeConfig {
  Duration at;
  std::string node;
  std::string job;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("at", &ScriptedStrikeConfig::at,
          {.help = "When, from the start of the run.", .required = true});
    visit(
        "node", &ScriptedStrikeConfig::node,
        {.help = "The node that is struck, such as `train-3` (the machine that stands there then): "
                 "its first GPU, or its whole rack, where the rate is counted so."});
    visit("job", &ScriptedStrikeConfig::job,
          {.help = "For a class counted per job: the job that is struck; empty: the first one."});
  }
};

struct FaultClassConfig {
  std::string name;
  std::string title;
  std::optional<Rate> rate;
  std::vector<ScriptedStrikeConfig> strikes;
  std::optional<double> weibull_shape;
  FaultClock clock = FaultClock::kAlways;
  FaultEffect effect = FaultEffect::kCrash;
  double speed = 0.5;
  HangEnd hang_ends_by = HangEnd::kWatchdog;
  std::optional<Distribution> clears;
  std::optional<Distribution> found_after;
  bool fails_restart = true;
  bool false_alarm = false;
  std::vector<SignalConfig> signals;
  std::string source;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("name", &FaultClassConfig::name,
          {.help = "Short name, used as the `class` label of metrics.", .required = true});
    visit("title", &FaultClassConfig::title, {.help = "Name in the source, for the report."});
    visit("rate", &FaultClassConfig::rate,
          {.help =
               "How often, per unit of exposure: `148 per 884736 gpu-days`. The unit says what is "
               "exposed: every GPU, node or rack of the fleet, or every job. Absent: never by "
               "chance, only at the `strikes`, each of which names a node."});
    visit("strikes", &FaultClassConfig::strikes,
          {.help = "Strikes at known instants, beside the random ones."});
    visit("weibull_shape", &FaultClassConfig::weibull_shape,
          {.help =
               "Ageing: the hazard of a node follows its age as a Weibull of this shape (below 1: "
               "infant mortality; above 1: wear-out) whose mean is 1/rate. Absent: no ageing.",
           .at_least = 0.2,
           .at_most = 10});
    visit("clock", &FaultClassConfig::clock,
          {.help =
               "`always`: the part fails by the wall clock. `running`: only while a job uses it."});
    visit("effect", &FaultClassConfig::effect,
          {.help = "What it does to a job on the part.", .required = true});
    visit("speed", &FaultClassConfig::speed,
          {.help = "With `effect: slow`: speed of the job while the fault is present.",
           .ratio = true});
    visit("hang_ends_by", &FaultClassConfig::hang_ends_by,
          {.help = "With `effect: hang`: which of the job's own watchdogs notices it."});
    visit(
        "clears", &FaultClassConfig::clears,
        {.help =
             "Time after which the fault is gone by itself; `0s`: at once (a crash that a restart "
             "mends). Absent: it stays until the node is replaced or repaired. With `effect: "
             "planned`: how long the maintenance takes."});
    visit(
        "found_after", &FaultClassConfig::found_after,
        {.help = "With `effect: silent`: time until the job's own checks notice the corruption."});
    visit("fails_restart", &FaultClassConfig::fails_restart,
          {.help = "Whether a restart that uses the part fails again while the fault is present."});
    visit("false_alarm", &FaultClassConfig::false_alarm,
          {.help = "Nothing is wrong with the part: only the signals are raised."});
    visit("signals", &FaultClassConfig::signals,
          {.help = "What detectors can see of it; none for a fault that only the job notices."});
    visit("source", &FaultClassConfig::source,
          {.help = "Where the numbers come from, or `assumption: ...`.", .required = true});
  }

  ExposureUnit unit() const { return rate ? rate->unit : ExposureUnit::kNode; }

  void check(FieldProblems& problems) const {
    if (!rate && strikes.empty()) problems.add("", "needs a `rate`, or `strikes`");
    if (rate && rate->count < 0) problems.add("rate", "is negative");
    for (std::size_t s = 0; s < strikes.size(); ++s) {
      const std::string strike = "strikes[" + std::to_string(s) + "]";
      const bool per_job = unit() == ExposureUnit::kJob;
      if (per_job && !strikes[s].node.empty()) {
        problems.add(strike + ".node", "goes nowhere: the rate is counted per job");
      }
      if (!per_job && strikes[s].node.empty()) problems.add(strike, "needs a `node`");
      if (!per_job && !strikes[s].job.empty()) {
        problems.add(strike + ".job", "goes with a rate per job only");
      }
    }
    if (effect == FaultEffect::kSilent && !found_after) {
      problems.add("found_after", "is needed with `effect: silent`");
    }
    if (effect == FaultEffect::kPlanned) {
      if (!clears) problems.add("clears", "is needed with `effect: planned`");
      if (unit() != ExposureUnit::kJob) problems.add("rate", "is counted per job when planned");
    }
    if (effect == FaultEffect::kSlow && !(speed > 0 && speed < 1)) {
      problems.add("speed", "lies between 0% and 100%, both excluded");
    }
    if (unit() == ExposureUnit::kJob && !signals.empty()) {
      problems.add("signals", "need a node, but the rate is counted per job");
    }
    if (false_alarm && effect != FaultEffect::kNone) {
      problems.add("false_alarm", "goes with `effect: none` only");
    }
    if (weibull_shape && (unit() == ExposureUnit::kJob || unit() == ExposureUnit::kRack ||
                          clock == FaultClock::kRunning)) {
      problems.add("weibull_shape", "needs a rate per GPU or node and `clock: always`");
    }
  }
};

struct FaultCatalogueConfig {
  std::string name;
  std::string source;
  std::vector<FaultClassConfig> classes;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("name", &FaultCatalogueConfig::name,
          {.help = "Name of the catalogue.", .required = true});
    visit("source", &FaultCatalogueConfig::source,
          {.help = "The publication or record that it was made from.", .required = true});
    visit("classes", &FaultCatalogueConfig::classes,
          {.help = "The fault classes.", .required = true});
  }
};

}  // namespace faultline
