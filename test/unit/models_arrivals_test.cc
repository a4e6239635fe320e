// Arrivals: addressed, superposed, Poisson; the script; the names of nodes that it uses.
#include <gtest/gtest.h>

#include <cmath>

#include "models/faults/arrivals.h"
#include "models/faults/script.h"

namespace faultline {
namespace {

FaultClassConfig per_gpu(const std::string& name, double per_gpu_day) {
  FaultClassConfig config;
  config.name = name;
  config.rate = Rate{.count = per_gpu_day, .unit = ExposureUnit::kGpu};
  return config;
}

struct Taken {
  SimTime at;
  Arrival arrival;
  bool operator==(const Taken& other) const {
    return at == other.at && arrival.part == other.arrival.part &&
           arrival.ordinal == other.arrival.ordinal;
  }
};

std::vector<Taken> take_all(const FaultCatalogueConfig& catalogue, Duration horizon,
                            std::uint64_t seed, const std::string& only = {},
                            std::uint32_t population = 0, std::uint64_t apart = 0) {
  const auto classes = compile_fault_classes(catalogue, horizon);
  Arrivals arrivals(classes, FaultClock::kAlways,
                    {.gpus = 800 + apart, .nodes = 100, .racks = 50, .jobs = 1}, population,
                    {.gpus = apart});
  const RandomSource random(seed, 0);
  arrivals.begin(random);
  std::vector<Taken> taken;
  while (arrivals.next() < SimTime::at(horizon)) {
    const SimTime at = arrivals.next();
    const Arrival arrival = arrivals.take();
    if (only.empty() || classes[arrival.fault_class.index()].config->name == only) {
      taken.push_back({at, arrival});
    }
  }
  return taken;
}

// The worked example of MODEL.md: with u the first arrival is -ln(1 - u)/(N r), with v its victim
// floor(v N).
TEST(Arrivals, GapAndVictimAreAFunctionOfTheirAddress) {
  const FaultCatalogueConfig catalogue{.classes = {per_gpu("hbm", 148.0 / 884'736)}};
  const auto classes = compile_fault_classes(catalogue, 54_d);
  Arrivals arrivals(classes, FaultClock::kAlways, {.gpus = 16'384}, 0);
  const RandomSource random(7, 3);
  arrivals.begin(random);
  const auto [u, v] = random.two_uniforms(StreamId("fault/arrival", "hbm"), 0, 0);
  const double per_day = 16'384 * 148.0 / 884'736;
  EXPECT_NEAR(arrivals.next().seconds(), -std::log(1 - u) / per_day * 86'400, 1e-6);
  EXPECT_EQ(arrivals.take().part, static_cast<std::uint64_t>(v * 16'384));
}

TEST(Arrivals, OtherClassesChangeNothing) {
  const FaultCatalogueConfig alone{.classes = {per_gpu("a", 0.01)}};
  const FaultCatalogueConfig among{
      .classes = {per_gpu("b", 0.02), per_gpu("a", 0.01), per_gpu("c", 0.5)}};
  const auto expected = take_all(alone, 30_d, 1);
  EXPECT_GT(expected.size(), 100U);
  EXPECT_EQ(take_all(among, 30_d, 1, "a"), expected);
  EXPECT_NE(take_all(alone, 30_d, 2), expected);
  EXPECT_NE(take_all(alone, 30_d, 1, {}, 1), expected);  // another population
}

// 16 or 80 more parts that stand apart: the others' arrivals stay what they were. 80 x 0.01 a day x
// 1000 d = 800 arrivals of their own, standard error 28.3; 3.9 of them is 110.
TEST(Arrivals, PartsThatStandApartChangeNothingForTheOthers) {
  const FaultCatalogueConfig catalogue{.classes = {per_gpu("a", 0.01), per_gpu("b", 0.02)}};
  const auto expected = take_all(catalogue, 1000_d, 1, "a");
  for (const std::uint64_t apart : {16U, 80U}) {
    std::vector<Taken> others;
    double arrivals_apart = 0;
    for (const Taken& taken : take_all(catalogue, 1000_d, 1, "a", 0, apart)) {
      if (taken.arrival.part < 800) {
        others.push_back(taken);
        continue;
      }
      EXPECT_LT(taken.arrival.part, 800 + apart);
      EXPECT_GE(taken.arrival.ordinal, 1U << 31);
      ++arrivals_apart;
    }
    EXPECT_EQ(others, expected);
    if (apart == 80) {
      EXPECT_NEAR(arrivals_apart, 800, 110);
    }
  }
}

TEST(Arrivals, RunInOrderOfTime) {
  const auto taken = take_all({.classes = {per_gpu("a", 0.01), per_gpu("b", 0.02)}}, 30_d, 1);
  for (std::size_t n = 1; n < taken.size(); ++n) EXPECT_LE(taken[n - 1].at, taken[n].at);
}

// n = 800 GPUs x 0.01 a day x 4000 d = 32,000 arrivals, standard error sqrt(32000) = 178.9; alpha = 1e-4 is 3.9 of
// them, 698. The mutant, a rate that is 5% too high, gives 33,600: 8.9 standard errors off, so another seed would
// tell it too, but for one in two million. The victims' mean is uniform: 399.5 with the standard error
// 800/sqrt(12 x 32000) = 1.29.
TEST(Arrivals, RateAndVictims) {
  const auto taken_at = [](double rate) {
    return take_all({.classes = {per_gpu("a", rate)}}, 4000_d, 1);
  };
  const auto accepted = [](double count) { return std::abs(count - 32'000) <= 3.9 * 178.9; };
  const auto taken = taken_at(0.01);
  const auto count = static_cast<double>(taken.size());
  EXPECT_TRUE(accepted(count)) << count;
  const auto mutant = static_cast<double>(taken_at(0.0105).size());
  EXPECT_FALSE(accepted(mutant)) << mutant;
  double victims = 0;
  for (const Taken& t : taken) {
    ASSERT_LT(t.arrival.part, 800U);
    victims += static_cast<double>(t.arrival.part);
  }
  EXPECT_NEAR(victims / count, 399.5, 3.9 * 1.29);
}

TEST(Arrivals, OfTheClockOnly) {
  FaultClassConfig running = per_gpu("running", 1);
  running.clock = FaultClock::kRunning;
  const FaultCatalogueConfig catalogue{.classes = {running}};
  const auto classes = compile_fault_classes(catalogue, 1_d);
  Arrivals always(classes, FaultClock::kAlways, {.gpus = 8}, 0);
  Arrivals busy(classes, FaultClock::kRunning, {.gpus = 8}, 1);
  const RandomSource random(1, 0);
  always.begin(random);
  busy.begin(random);
  EXPECT_TRUE(always.next().is_never());
  EXPECT_FALSE(busy.next().is_never());
}

// Shape 1 is the exponential law: the acceptance is 1 at every age. Shape 2: proportional to the
// age.
TEST(FaultClasses, HazardOfAgeingParts) {
  FaultClassConfig ageing = per_gpu("ageing", 0.01);
  ageing.weibull_shape = 1;
  FaultCatalogueConfig catalogue{.classes = {ageing}};
  EXPECT_NEAR(compile_fault_classes(catalogue, 100_d)[0].acceptance(3_d), 1, 1e-12);
  catalogue.classes[0].weibull_shape = 2;
  EXPECT_NEAR(compile_fault_classes(catalogue, 100_d)[0].acceptance(25_d), 0.25, 1e-12);
  // Shape 0.5: h falls with 1/sqrt(age), and is flat below an hour.
  catalogue.classes[0].weibull_shape = 0.5;
  const FaultClass falling = compile_fault_classes(catalogue, 100_d)[0];
  EXPECT_NEAR(falling.acceptance(4_h), 0.5, 1e-12);
  EXPECT_NEAR(falling.acceptance(1_min), 1, 1e-12);
}

Fleet two_pools() {
  return Fleet({.pools = {{.name = "a.gpu-1", .nodes = 3, .gpus_per_node = 4, .nodes_per_rack = 2},
                          {.name = "b", .nodes = 2, .gpus_per_node = 8, .nodes_per_rack = 2}}},
               1);
}

TEST(Fleet, NamesAreFound) {
  const Fleet fleet = two_pools();  // slots 0..3 and 4..6: each pool with a spare
  for (std::uint32_t slot = 0; slot < fleet.slots(); ++slot) {
    for (const std::uint32_t generation : {0U, 12U}) {
      EXPECT_EQ(fleet.find(fleet.name({NodeSlot(slot), generation})), NodeSlot(slot));
    }
  }
  for (const char* wrong : {"", "b", "b-", "b-3", "c-0", "b--1", "b-0x", "-0", "a.gpu-1", "b-00"}) {
    EXPECT_FALSE(fleet.find(wrong).has_value()) << wrong;
  }
}

TEST(Fleet, FirstGpuIsTheInverse) {
  const Fleet fleet = two_pools();
  for (std::uint32_t slot = 0; slot < fleet.slots(); ++slot) {
    const Fleet::GpuPlace place = fleet.gpu(fleet.domains().first_gpu(NodeSlot(slot)));
    EXPECT_EQ(place.slot, NodeSlot(slot));
    EXPECT_EQ(place.gpu, 0U);
  }
  EXPECT_EQ(fleet.domains().first_gpu(NodeSlot(4)), 16U);
  EXPECT_EQ(fleet.domains().first_gpu(NodeSlot(5)), 24U);
}

TEST(Script, InOrderOfTimeThenOfTheCatalogue) {
  FaultClassConfig gpu = per_gpu("gpu", 0);
  gpu.strikes = {{.at = 2_h, .node = "b-1", .job = {}}, {.at = 1_h, .node = "b-0", .job = {}}};
  FaultClassConfig rack = per_gpu("rack", 0);
  rack.rate->unit = ExposureUnit::kRack;
  rack.strikes = {{.at = 1_h, .node = "a.gpu-1-2", .job = {}}};
  FaultClassConfig job = per_gpu("job", 0);
  job.rate->unit = ExposureUnit::kJob;
  job.strikes = {{.at = 1_h, .node = {}, .job = "second"}, {.at = 3_h, .node = {}, .job = {}}};
  FaultClassConfig node;
  node.name = "node";
  node.strikes = {{.at = 0_s, .node = "b-2", .job = {}}};
  const FaultCatalogueConfig catalogue{.classes = {gpu, rack, job, node}};
  const auto classes = compile_fault_classes(catalogue, 1_d);
  Script script(classes, two_pools(), {"first", "second"});
  for (int replication = 0; replication < 2; ++replication) {
    script.begin();
    const auto expect_next = [&](Duration at, int fault_class, std::uint64_t part,
                                 std::uint32_t ordinal) {
      EXPECT_EQ(script.next().since_start().ns(), at.ns());
      const Arrival arrival = script.take();
      EXPECT_EQ(arrival.fault_class, FaultClassId(fault_class));
      EXPECT_EQ(arrival.part, part);
      EXPECT_EQ(arrival.ordinal, ordinal);
    };
    expect_next(0_s, 3, 6, 0);
    expect_next(1_h, 0, 16, 1);
    expect_next(1_h, 1, 1, 0);
    expect_next(1_h, 2, 1, 0);
    expect_next(2_h, 0, 24, 0);
    expect_next(3_h, 2, 0, 1);
    EXPECT_TRUE(script.next().is_never());
  }
}

// A strike on a domain is one on that domain, whatever the rate counts; a strike on a node is one on what
// the rate counts around it.
TEST(Script, DomainsByTheirNames) {
  FleetConfig config{.pools = {{.name = "a", .nodes = 6, .nodes_per_rack = 2, .racks_per_block = 2},
                               {.name = "b", .nodes = 4, .zone = "c", .nodes_per_rack = 2}}};
  FaultClassConfig gpu = per_gpu("gpu", 0);
  gpu.strikes = {{.at = 1_h, .node = {}, .domain = "a/rack-2", .job = {}},
                 {.at = 2_h, .node = {}, .domain = "b/block-0", .job = {}},
                 {.at = 3_h, .node = {}, .domain = "zone c", .job = {}},
                 {.at = 4_h, .node = {}, .domain = "b-1", .job = {}}};
  FaultClassConfig zone = per_gpu("zone", 0);
  zone.rate->unit = ExposureUnit::kZone;
  zone.strikes = {{.at = 5_h, .node = "b-3", .job = {}},
                  {.at = 6_h, .node = {}, .domain = "a/block-1", .job = {}}};
  const FaultCatalogueConfig catalogue{.classes = {gpu, zone}};
  const auto classes = compile_fault_classes(catalogue, 1_d);
  Script script(classes, Fleet(config, 0), {});
  script.begin();
  const auto expect_next = [&](DomainLevel level, std::uint64_t part) {
    const Arrival arrival = script.take();
    EXPECT_EQ(arrival.level, level);
    EXPECT_EQ(arrival.part, part);
  };
  expect_next(DomainLevel::kRack, 2);
  expect_next(DomainLevel::kBlock, 2);  // after the two of pool a
  expect_next(DomainLevel::kZone, 1);
  expect_next(DomainLevel::kNode, 7);
  expect_next(DomainLevel::kZone, 1);
  expect_next(DomainLevel::kBlock, 1);
}

TEST(Script, ChecksOfAClass) {
  const auto problems = [](const FaultClassConfig& config) {
    FieldProblems found;
    config.check(found);
    std::string text;
    for (const auto& problem : found.all()) text += problem.field + " " + problem.message + "; ";
    return text;
  };
  FaultClassConfig config;
  config.name = "x";
  EXPECT_EQ(problems(config), " needs a `rate`, or `strikes`; ");
  config.strikes = {{.at = 1_h, .node = "b-0", .job = {}}};
  EXPECT_EQ(problems(config), "");
  config.strikes[0].job = "job";
  EXPECT_EQ(problems(config), "strikes[0].job goes with a rate per job only; ");
  config.strikes[0] = {.at = 1_h, .node = {}, .job = {}};
  EXPECT_EQ(problems(config), "strikes[0] needs a `node` or a `domain`; ");
  config.strikes[0].domain = "zone a";
  EXPECT_EQ(problems(config), "");
  config.strikes[0].node = "b-0";
  EXPECT_EQ(problems(config), "strikes[0].domain goes with no `node`: give one of the two; ");
  config.strikes[0] = {.at = 1_h, .node = {}, .job = {}};
  config.rate = Rate{.unit = ExposureUnit::kJob};
  EXPECT_EQ(problems(config), "");
  config.strikes[0].node = "b-0";
  EXPECT_EQ(problems(config), "strikes[0].node goes nowhere: the rate is counted per job; ");
  config.strikes[0] = {.at = 1_h, .node = {}, .domain = "zone a", .job = {}};
  EXPECT_EQ(problems(config), "strikes[0].domain goes nowhere: the rate is counted per job; ");
}

}  // namespace
}  // namespace faultline
