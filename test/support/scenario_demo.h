// A small file format with one field of every type, for the tests of sim/scenario: their error
// texts must not change when a real config struct does.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "models/base/distribution.h"
#include "models/base/fields.h"
#include "models/base/units.h"

namespace faultline::demo {

enum class Effect { kCrash, kHang, kSlow };

struct Pool {
  std::string name;
  std::int64_t nodes = 1;
  std::string gpu = "H100-80GB";

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("name", &Pool::name, {.help = "Name of the pool.", .required = true});
    visit("nodes", &Pool::nodes, {.help = "Nodes.", .required = true, .more_than_zero = true});
    visit("gpu", &Pool::gpu, {.help = "GPU model."});
  }
};

struct Fleet {
  std::vector<Pool> pools;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("pools", &Fleet::pools, {.help = "The node pools.", .required = true});
  }
};

struct Checkpoint {
  Duration every = 10_min;
  Duration blocks = 5_s;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("every", &Checkpoint::every, {.help = "Work between two.", .more_than_zero = true});
    visit("blocks", &Checkpoint::blocks, {.help = "Time that one stops the steps."});
  }
  void check(FieldProblems& problems) const {
    if (blocks > every) problems.add("blocks", "is longer than `every`");
  }
};

struct Training {
  static constexpr std::string_view kTag = "training";
  std::string name;
  std::int64_t nodes = 1;
  Checkpoint checkpoint;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("name", &Training::name, {.help = "Name of the job.", .required = true});
    visit("nodes", &Training::nodes, {.help = "Nodes of the gang.", .more_than_zero = true});
    visit("checkpoint", &Training::checkpoint, {.help = "Checkpoints."});
  }
};

struct Inference {
  static constexpr std::string_view kTag = "inference";
  std::string name;
  std::int64_t replicas = 2;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("name", &Inference::name, {.help = "Name of the service.", .required = true});
    visit("replicas", &Inference::replicas, {.help = "Replicas."});
  }
};

struct Repair {
  static constexpr std::string_view kTag = "repair";
  std::map<std::string, Duration> tolerations;
  Gate gate{Gate::Kind::kShare, 200'000};
  std::optional<Duration> pause;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("tolerations", &Repair::tolerations, {.help = "Patience by condition."});
    visit("gate", &Repair::gate, {.help = "Safety gate."});
    visit("pause", &Repair::pause, {.help = "Pause after a repair."});
  }
};

struct Nothing {
  static constexpr std::string_view kTag = "nothing";
  template <class Visitor>
  static void fields(Visitor&) {}
};

struct Parts {
  bool latching = true;
  double factor = 0.5;
  double coverage = 1;
  Bytes memory;
  Bandwidth link;
  Limit spares;
  Rate rate;
  Effect effect = Effect::kCrash;
  std::vector<std::int64_t> xids;
  Distribution launch;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("latching", &Parts::latching, {.help = "A boolean."});
    visit("factor", &Parts::factor, {.help = "A number.", .at_least = 0.2, .at_most = 10});
    visit("coverage", &Parts::coverage, {.help = "A ratio.", .ratio = true});
    visit("memory", &Parts::memory, {.help = "A size."});
    visit("link", &Parts::link, {.help = "A bandwidth."});
    visit("spares", &Parts::spares, {.help = "A limit."});
    visit("rate", &Parts::rate, {.help = "A rate."});
    visit("effect", &Parts::effect, {.help = "An enum."});
    visit("xids", &Parts::xids, {.help = "A list."});
    visit("launch", &Parts::launch, {.help = "A distribution."});
  }
};

struct Demo {
  std::string name;
  Duration horizon = 1_d;
  Fleet fleet;
  std::variant<Repair, Nothing> policy;
  Parts parts;
  std::vector<std::variant<Training, Inference>> workloads;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("name", &Demo::name, {.help = "Name.", .required = true});
    visit("horizon", &Demo::horizon, {.help = "Simulated time.", .more_than_zero = true});
    visit("fleet", &Demo::fleet, {.help = "The machines."});
    visit("policy", &Demo::policy, {.help = "Who repairs."});
    visit("parts", &Demo::parts, {.help = "One of each."});
    visit("workloads", &Demo::workloads, {.help = "The jobs."});
  }
  void check(FieldProblems& problems) const {
    std::int64_t nodes = 0;
    for (const Pool& pool : fleet.pools) nodes += pool.nodes;
    for (std::size_t i = 0; i < workloads.size(); ++i) {
      const auto* const job = std::get_if<Training>(&workloads[i]);
      if (job == nullptr || fleet.pools.empty() || job->nodes <= nodes) continue;
      problems.add("workloads[" + job->name + "].nodes",
                   "is more than the fleet has (" + std::to_string(nodes) + ")");
    }
  }
};

}  // namespace faultline::demo

template <>
struct faultline::EnumNames<faultline::demo::Effect> {
  static constexpr std::array kNames{
      std::pair{faultline::demo::Effect::kCrash, std::string_view("crash")},
      std::pair{faultline::demo::Effect::kHang, std::string_view("hang")},
      std::pair{faultline::demo::Effect::kSlow, std::string_view("slow")}};
};
