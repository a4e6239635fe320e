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
#include "models/faults/degrades_config.h"

namespace faultline {

// What a fault does to a job that runs on the part.
enum class FaultEffect {
  kNone,    // nothing: an alarm only
  kCrash,   // a process dies and the error surfaces within seconds
  kHang,    // a collective never completes; every rank waits until a watchdog fires
  kFlap,    // a link carries nothing until `clears`: a stall, or an error if the transport gives up
  kSlow,    // the part works at a fraction of its speed; the whole job steps at that speed
  kSilent,  // results are wrong and nobody notices until `found_after`
  kPlanned,  // announced maintenance of the job: it stops in order, and resumes after `clears`
};
template <>
struct EnumNames<FaultEffect> {
  static constexpr std::array kNames{std::pair{FaultEffect::kNone, std::string_view("none")},
                                     std::pair{FaultEffect::kCrash, std::string_view("crash")},
                                     std::pair{FaultEffect::kHang, std::string_view("hang")},
                                     std::pair{FaultEffect::kFlap, std::string_view("flap")},
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

// Which machines a class strikes. Lemons are the share of the machines that `lemons` says.
enum class FaultVictims {
  kAll,
  kLemons,  // the lemons only: what they suffer beyond the others
  kSound,   // the others only
};
template <>
struct EnumNames<FaultVictims> {
  static constexpr std::array kNames{std::pair{FaultVictims::kAll, std::string_view("all")},
                                     std::pair{FaultVictims::kLemons, std::string_view("lemons")},
                                     std::pair{FaultVictims::kSound, std::string_view("sound")}};
};

// What of the step a slow fault slows: where its time is reported.
enum class SlowPart { kComputation, kCommunication };
template <>
struct EnumNames<SlowPart> {
  static constexpr std::array kNames{
      std::pair{SlowPart::kComputation, std::string_view("computation")},
      std::pair{SlowPart::kCommunication, std::string_view("communication")}};
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
  double blames_another = 0;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("xid", &SignalConfig::xid,
          {.help = "The driver logs this NVIDIA Xid code.", .identifier = true});
    visit("reason", &SignalConfig::reason,
          {.help = "A monitor sees what this reason code of the detectors' contract stands for."});
    visit("heartbeat_lost", &SignalConfig::heartbeat_lost,
          {.help = "The node falls silent: the kubelet renews its lease no more. With the effect "
                   "`crash` the host is gone, and fails the status check of its cloud too."});
    visit("coverage", &SignalConfig::coverage,
          {.help = "Share of the faults of the class that give this signal.", .ratio = true});
    visit("delay", &SignalConfig::delay, {.help = "Time from the fault to the signal."});
    visit("blames_another", &SignalConfig::blames_another,
          {.help = "Share of these signals that blame another node of the same job, each with the "
                   "same chance: a misdiagnosis. The wrong node is repaired, and the right one is "
                   "not.",
           .ratio = true});
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
  std::string domain = {};
  std::string job;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("at", &ScriptedStrikeConfig::at,
          {.help = "When, from the start of the run.", .required = true});
    visit("node", &ScriptedStrikeConfig::node,
          {.help =
               "The node that is struck, such as `train-3` (the machine that stands there then): "
               "its first GPU, or its whole rack, block, zone or region, where the rate is counted "
               "so."});
    visit(
        "domain", &ScriptedStrikeConfig::domain,
        {.help = "In place of `node`: the failure domain whose nodes are all struck, whatever the "
                 "rate counts: `train/rack-17`, `train/block-3`, `zone a` or `region eu` (`zone "
                 "eu/a` in a region)."});
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
  FaultVictims victims = FaultVictims::kAll;
  std::optional<Distribution> life_from_restart;
  FaultEffect effect = FaultEffect::kCrash;
  std::optional<double> speed;
  std::optional<DegradesConfig> degrades;
  std::optional<SlowPart> slows;
  std::optional<HangEnd> hang_ends_by;
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
               "exposed: every GPU, node, rack, block, zone or region of the fleet, or every job; "
               "all nodes of what is struck are struck together. Absent: never by chance, only at "
               "the `strikes`, each of which names a node or a domain (with `effect: planned`: a "
               "job)."});
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
    visit("victims", &FaultClassConfig::victims,
          {.help = "Which machines it strikes: `all`, only the `lemons` (the rate is then what a "
                   "lemon suffers beyond the others), or only the `sound` ones. The rate is per "
                   "machine of that kind."});
    visit(
        "life_from_restart", &FaultClassConfig::life_from_restart,
        {.help = "In place of a rate: the time from each (re)start of the job to the failure of a "
                 "node, drawn anew for every node at every restart. Unrealistic: a restart does "
                 "not make hardware new, so below shape 1 a node fails far more often than its "
                 "mean life says, above far less. For comparison with simulators that do so. "
                 "Needs `clock: running`."});
    visit("effect", &FaultClassConfig::effect,
          {.help = "What it does to a job on the part.", .required = true});
    visit("speed", &FaultClassConfig::speed,
          {.help = "With `effect: slow`: speed of the job while the fault is present. Absent: 50%, "
                   "or what follows from `degrades`.",
           .ratio = true});
    visit(
        "degrades", &FaultClassConfig::degrades,
        {.help = "With `effect: slow`, in place of `speed`: the part of the fabric that the fault "
                 "degrades. What the job loses follows from its `parallelism` and the fabric."});
    visit("slows", &FaultClassConfig::slows,
          {.help = "With `effect: slow`: `computation` or `communication`, for the stall report. "
                   "Absent: computation, or what follows from `degrades`."});
    visit("hang_ends_by", &FaultClassConfig::hang_ends_by,
          {.help = "With `effect: hang`: which of the job's own watchdogs notices it. Absent: "
                   "`watchdog`."});
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

  // Without `degrades`.
  double slow_speed() const { return speed.value_or(0.5); }
  SlowPart slow_part() const {
    const bool on_the_way = degrades && degrades->part != DegradedPart::kGpu;
    return slows.value_or(on_the_way ? SlowPart::kCommunication : SlowPart::kComputation);
  }
  HangEnd hang_end() const { return hang_ends_by.value_or(HangEnd::kWatchdog); }
  // Maintenance is of a job, whether it comes by chance or at known instants only.
  ExposureUnit unit() const {
    if (rate) return rate->unit;
    return effect == FaultEffect::kPlanned ? ExposureUnit::kJob : ExposureUnit::kNode;
  }

  void check(FieldProblems& problems) const {
    if (name.find_first_of("\"\\{}") != std::string::npos) {
      problems.add("name",
                   "has a quotation mark, a backslash or a brace, and is to stand in the names of "
                   "metrics: put it into `title`");
    }
    if (!rate && strikes.empty() && !life_from_restart) {
      problems.add("", "needs a `rate`, or `strikes`");
    }
    if (life_from_restart) {
      if (rate) problems.add("rate", "goes with no `life_from_restart`, which takes its place");
      if (clock != FaultClock::kRunning) {
        problems.add("life_from_restart", "needs `clock: running`");
      }
    }
    if (victims != FaultVictims::kAll && unit() != ExposureUnit::kNode) {
      problems.add("victims", "are nodes: the rate must be counted per node");
    }
    if (victims != FaultVictims::kAll && weibull_shape) {
      problems.add("weibull_shape", "goes with `victims: all` only");
    }
    if (rate && rate->count < 0) problems.add("rate", "is negative");
    for (std::size_t s = 0; s < strikes.size(); ++s) {
      const std::string strike = "strikes[" + std::to_string(s) + "]";
      const bool per_job = unit() == ExposureUnit::kJob;
      const bool place = !strikes[s].node.empty() || !strikes[s].domain.empty();
      if (per_job && place) {
        problems.add(strike + (strikes[s].node.empty() ? ".domain" : ".node"),
                     effect == FaultEffect::kPlanned
                         ? "goes nowhere: planned maintenance is of a job, so "
                           "give the `job` (or nothing: the first one)"
                         : "goes nowhere: the rate is counted per job");
      }
      if (!per_job && !place) problems.add(strike, "needs a `node` or a `domain`");
      if (!strikes[s].node.empty() && !strikes[s].domain.empty()) {
        problems.add(strike + ".domain", "goes with no `node`: give one of the two");
      }
      if (!per_job && !strikes[s].job.empty()) {
        problems.add(strike + ".job", "goes with a rate per job only");
      }
    }
    check_effect(problems);
    if (degrades) {
      if (speed) problems.add("speed", "follows from `degrades`: give one of the two");
      if (unit() == ExposureUnit::kJob) {
        problems.add("degrades", "needs a GPU, but the rate is counted per job");
      }
    } else if (effect == FaultEffect::kSlow && !(slow_speed() > 0 && slow_speed() < 1)) {
      problems.add("speed", "lies between 0% and 100%, both excluded");
    }
    if (unit() == ExposureUnit::kJob && !signals.empty()) {
      problems.add("signals", "need a node, but the rate is counted per job");
    }
    const bool of_machine = unit() == ExposureUnit::kGpu || unit() == ExposureUnit::kNode;
    if (weibull_shape && (!of_machine || clock == FaultClock::kRunning)) {
      problems.add("weibull_shape", "needs a rate per GPU or node and `clock: always`");
    }
  }

 private:
  // What an effect needs, and what only one effect looks at.
  void check_effect(FieldProblems& problems) const {
    if (effect == FaultEffect::kSilent && !found_after) {
      problems.add("found_after", "is needed with `effect: silent`");
    }
    if (effect == FaultEffect::kPlanned) {
      if (!clears) problems.add("clears", "is needed with `effect: planned`");
      if (unit() != ExposureUnit::kJob) problems.add("rate", "is counted per job when planned");
    }
    const auto only_with = [&](FaultEffect one, std::string_view field, bool given) {
      if (!given || effect == one) return;
      problems.add(field, "goes with `effect: " + std::string(enum_name(one)) + "` only");
    };
    only_with(FaultEffect::kSlow, "speed", speed.has_value());
    only_with(FaultEffect::kSlow, "slows", slows.has_value());
    only_with(FaultEffect::kSlow, "degrades", degrades.has_value());
    only_with(FaultEffect::kHang, "hang_ends_by", hang_ends_by.has_value());
    only_with(FaultEffect::kSilent, "found_after", found_after.has_value());
    only_with(FaultEffect::kNone, "false_alarm", false_alarm);
  }
};

// Machines that fail more often than the others, whatever stands in their place. Which ones they
// are is drawn; what they suffer are the classes with `victims: lemons`.
struct LemonConfig {
  double share = 0;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("share", &LemonConfig::share,
          {.help = "Share of the machines that are lemons at the start: exactly so many, rounded "
                   "down. A machine launched new is one with this probability.",
           .required = true,
           .ratio = true});
  }
};

struct FaultCatalogueConfig {
  std::string name;
  std::string source;
  std::optional<LemonConfig> lemons;
  std::vector<FaultClassConfig> classes;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("name", &FaultCatalogueConfig::name,
          {.help = "Name of the catalogue.", .required = true});
    visit("source", &FaultCatalogueConfig::source,
          {.help = "The publication or record that it was made from.", .required = true});
    visit("lemons", &FaultCatalogueConfig::lemons,
          {.help = "Machines that fail more often than the others. Absent: all are alike."});
    visit("classes", &FaultCatalogueConfig::classes,
          {.help = "The fault classes.", .required = true});
  }

  void check(FieldProblems& problems) const {
    for (const FaultClassConfig& fault_class : classes) {
      if (fault_class.victims == FaultVictims::kLemons && !lemons) {
        problems.add("classes[" + fault_class.name + "].victims",
                     "are lemons, but `lemons` does not say how many there are");
      }
    }
  }
};

}  // namespace faultline
