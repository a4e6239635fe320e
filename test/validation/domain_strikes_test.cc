// How often blocks, zones and regions are struck, against the closed form: domains x rate x time.
//
// Fleet: 23 nodes in four pools, so that no two domains of a level are alike.
//
//   a  10 nodes, zone x of region r    blocks of 4, 4, 2     racks of 2
//   b   6 nodes, zone x of region r    blocks of 2, 2, 2     racks of 2
//   c   4 nodes, zone y of region r    blocks of 3, 1        no racks
//   d   3 nodes, zone z, no region     no blocks             no racks
//
// A class counts blocks, another zones, another regions, by the wall clock; one counts the blocks of a job
// on pool a while it runs, which it does all the time (the faults stop nothing and are over at once).
//
// Statistics. n = 200 replications of 10 days, seed 1, no retries. Strikes of a class, summed over the
// replications, are Poisson with mean N = 200 x domains x rate x 10 d = 32,000 or 36,000: standard error of the
// sum sqrt(N). Checks, for each of the four classes:
//   - total: within 4 standard errors of N (2.2% or less): alpha = 6.3e-5;
//   - each domain has the same chance, whatever its size: chi-square over the domains against N / domains, below
//     the quantile of 1 - 1e-4: alpha = 1e-4;
//   - each strike hits all nodes of its domain, of the job's blocks those of the job: exact.
// Mutants: every rate x 1.05 moves the totals by 8.9 standard errors and more, and must fail. Domains drawn by
// their nodes (4/20 of the block strikes on the first block in place of 1/8, and so on) must fail the
// chi-square.
#include <gtest/gtest.h>

#include <array>
#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <map>

#include "sim/engine/simulation.h"
#include "test/support/plain_scenario.h"

namespace faultline {
namespace {

constexpr std::uint32_t kReplications = 200;
constexpr Duration kHorizon = 10_d;

struct Counted {
  const char* name;
  ExposureUnit unit;
  FaultClock clock;
  double per_day;  // of one domain
  double domains;
};
constexpr std::array kClasses{
    Counted{"block", ExposureUnit::kBlock, FaultClock::kAlways, 2, 8},
    Counted{"zone", ExposureUnit::kZone, FaultClock::kAlways, 6, 3},
    Counted{"region", ExposureUnit::kRegion, FaultClock::kAlways, 16, 1},
    Counted{"block of the job", ExposureUnit::kBlock, FaultClock::kRunning, 6, 3}};

double expected(const Counted& counted) {
  return kReplications * counted.domains * counted.per_day * kHorizon.seconds() / 86400;
}

Scenario scenario_with(double factor) {
  Scenario scenario = plain_scenario(10, kHorizon);
  const auto pool = [](const char* name, int nodes, const char* zone) {
    return PoolConfig{.name = name, .nodes = nodes, .region = "r", .zone = zone};
  };
  PoolConfig a = pool("a", 10, "x");
  PoolConfig b = pool("b", 6, "x");
  PoolConfig c = pool("c", 4, "y");
  PoolConfig d = pool("d", 3, "z");
  a.racks_per_block = 2;
  b.racks_per_block = 1;
  c.nodes_per_rack = d.nodes_per_rack = std::nullopt;
  c.nodes_per_block = 3;
  d.region = std::nullopt;
  scenario.fleet.pools = {a, b, c, d};
  for (const Counted& counted : kClasses) {
    FaultClassConfig& added = class_of(scenario, counted.name);
    added.rate = Rate{.count = counted.per_day * factor, .period = 1_d, .unit = counted.unit};
    added.clock = counted.clock;
    added.effect = FaultEffect::kNone;
    added.clears = Distribution::fixed(0_s);
  }
  return scenario;
}

// Strikes by class and domain; and whether each hit the nodes that it has to hit.
class Strikes final : public HappeningSink {
 public:
  explicit Strikes(const SimulationPlan& plan) : plan_(plan), by_domain_(plan.classes().size()) {}

  void on(const Happening& happening) override {
    const auto* struck = std::get_if<FaultStruck>(&happening.what);
    if (struck == nullptr) return;
    const DomainTree& domains = plan_.fleet().domains();
    const FaultClass& fault_class = plan_.classes()[struck->fault_class.index()];
    const auto domain = domains.of(struck->node.slot, *level_of(fault_class.unit));
    ASSERT_TRUE(domain.has_value());
    if (struck->primary) {
      EXPECT_EQ(left_, 0U) << "nodes were left out";
      ++by_domain_[struck->fault_class.index()][domain->n];
      domain_ = *domain;
      left_ = domains.nodes(*domain);
      class_ = struck->fault_class;
    }
    EXPECT_EQ(*domain, domain_);
    EXPECT_EQ(struck->fault_class, class_);
    --left_;
  }

  double total(std::size_t fault_class) const {
    double sum = 0;
    for (const auto& [domain, strikes] : by_domain_[fault_class]) sum += strikes;
    return sum;
  }
  // Against strikes shared out in proportion to `weight(domain)`.
  template <class Weight>
  double chi_square(std::size_t fault_class, std::uint64_t domains, Weight weight) const {
    double weights = 0;
    for (std::uint64_t n = 0; n < domains; ++n) weights += weight(n);
    double sum = 0;
    for (std::uint64_t n = 0; n < domains; ++n) {
      const auto found = by_domain_[fault_class].find(n);
      const double strikes = found == by_domain_[fault_class].end() ? 0 : found->second;
      const double mean = total(fault_class) * weight(n) / weights;
      sum += (strikes - mean) * (strikes - mean) / mean;
    }
    return sum;
  }

 private:
  const SimulationPlan& plan_;
  std::vector<std::map<std::uint64_t, double>> by_domain_;  // of each class
  Domain domain_;
  FaultClassId class_;
  std::uint64_t left_ = 0;  // nodes of the domain that are still to be struck
};

void count(const SimulationPlan& plan, Strikes& strikes) {
  Simulation simulation(plan);
  for (std::uint32_t r = 0; r < kReplications; ++r) {
    simulation.run(RandomSource(1, r), strikes);
  }
}

bool total_agrees(const Strikes& strikes, std::size_t c) {
  const double mean = expected(kClasses[c]);
  return std::abs(strikes.total(c) - mean) <= 4 * std::sqrt(mean);
}

TEST(DomainStrikes, AsManyAsTheExposureSays) {
  const Scenario scenario = scenario_with(1);
  const SimulationPlan plan(scenario);
  Strikes strikes(plan);
  count(plan, strikes);
  const Scenario more = scenario_with(1.05);
  const SimulationPlan mutant_plan(more);
  Strikes mutant(mutant_plan);
  count(mutant_plan, mutant);
  for (std::size_t c = 0; c < kClasses.size(); ++c) {
    EXPECT_TRUE(total_agrees(strikes, c))
        << kClasses[c].name << ": " << strikes.total(c) << " of " << expected(kClasses[c]);
    EXPECT_FALSE(total_agrees(mutant, c)) << kClasses[c].name << ": " << mutant.total(c);
  }
}

TEST(DomainStrikes, EachDomainOfALevelHasTheSameChance) {
  const Scenario scenario = scenario_with(1);
  const SimulationPlan plan(scenario);
  Strikes strikes(plan);
  count(plan, strikes);
  for (std::size_t c = 0; c < kClasses.size(); ++c) {
    const auto domains = static_cast<std::uint64_t>(kClasses[c].domains);
    if (domains == 1) continue;
    const double bound =
        quantile(complement(boost::math::chi_squared(static_cast<double>(domains - 1)), 1e-4));
    const DomainLevel level = *level_of(kClasses[c].unit);
    const auto alike = [](std::uint64_t) { return 1.0; };
    const auto by_nodes = [&](std::uint64_t n) {
      return static_cast<double>(plan.fleet().domains().nodes(Domain{level, n}));
    };
    EXPECT_LT(strikes.chi_square(c, domains, alike), bound) << kClasses[c].name;
    EXPECT_GT(strikes.chi_square(c, domains, by_nodes), bound) << kClasses[c].name;
  }
}

}  // namespace
}  // namespace faultline
