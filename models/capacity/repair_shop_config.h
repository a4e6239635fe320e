// The repair shop as a scenario describes it: two stages, their crews, and when a machine is given
// up.
#pragma once

#include <cstdint>
#include <optional>

#include "models/base/distribution.h"
#include "models/base/fields.h"
#include "models/base/units.h"

namespace faultline {

struct RepairStageConfig {
  Distribution takes;
  double success = 1;
  Limit crews;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("takes", &RepairStageConfig::takes,
          {.help = "Time that the stage takes, from when a crew begins.", .required = true});
    visit(
        "success", &RepairStageConfig::success,
        {.help = "Chance that a repair which ends in this stage really mends the machine. One that "
                 "does not sends it back as it was: a lemon stays a lemon.",
         .ratio = true});
    visit("crews", &RepairStageConfig::crews,
          {.help = "How many machines are worked on at once; the others wait, first come first "
                   "served. `unlimited`: none waits."});
  }

  void check(FieldProblems& problems) const {
    if (crews.count == 0) problems.add("crews", "is 0: no machine would ever come back");
  }
};

// Too many faults in too short a time.
struct RetireThresholdConfig {
  std::int64_t faults = 5;
  Duration within = 7_d;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit(
        "faults", &RetireThresholdConfig::faults,
        {.help = "A machine with so many faults within `within` is given up when its repair ends.",
         .more_than_zero = true,
         .at_most = 1000});
    visit("within", &RetireThresholdConfig::within,
          {.help = "The window, which ends with the repair.", .more_than_zero = true});
  }
};

// A score that falls with every visit to the shop and recovers with time in service.
struct RetireScoreConfig {
  double start = 100;
  double penalty = 30;
  double credit = 10;
  Duration every = 1_d;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("start", &RetireScoreConfig::start,
          {.help = "Score of a machine without a history, and the highest that there is.",
           .more_than_zero = true});
    visit("penalty", &RetireScoreConfig::penalty,
          {.help = "What a visit to the shop costs. A machine at 0 or below is given up.",
           .at_least = 0});
    visit("credit", &RetireScoreConfig::credit,
          {.help = "What each full `every` in service since the last visit gives back.",
           .at_least = 0});
    visit("every", &RetireScoreConfig::every,
          {.help = "Time in service for one credit.", .more_than_zero = true});
  }
};

struct RetireConfig {
  std::optional<RetireThresholdConfig> threshold;
  std::optional<RetireScoreConfig> score;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("threshold", &RetireConfig::threshold,
          {.help = "Give a machine up after so many faults in a window. Absent: no such rule."});
    visit("score", &RetireConfig::score,
          {.help = "Give a machine up when its score has run out. Absent: no such rule. With both "
                   "rules, either is enough."});
  }
};

struct RepairShopConfig {
  RepairStageConfig automatic;
  double escalates = 0;
  RepairStageConfig manual;
  RetireConfig retire;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("automatic", &RepairShopConfig::automatic,
          {.help = "The first stage, through which every machine goes: reset, reboot, tests, "
                   "reimage.",
           .required = true});
    visit("escalates", &RepairShopConfig::escalates,
          {.help = "Share of the machines that go on to the manual stage.", .ratio = true});
    visit("manual", &RepairShopConfig::manual,
          {.help = "The second stage: hands on, parts replaced, sent to the manufacturer."});
    visit("retire", &RepairShopConfig::retire,
          {.help = "When a machine is given up for good. Absent: never."});
  }
};

}  // namespace faultline
