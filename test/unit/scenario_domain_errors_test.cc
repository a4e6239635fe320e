// What a user reads when classes or strikes name failure domains that are not there. Whole texts.
#include <gtest/gtest.h>

#include <algorithm>

#include "test/support/run_scenario.h"

namespace faultline {
namespace {

// The first line of what is said about `small` with settings, without the place.
std::string problem(const std::vector<std::string>& settings) {
  try {
    project_scenario("small", settings);
  } catch (const std::runtime_error& error) {
    const std::string text = error.what();
    const std::string line = text.substr(0, text.find('\n'));
    // (an option stands in front, and may hold a colon)
    return line.substr(std::min(line.find(": faults."), line.find(": fleet.")) + 2);
  }
  return "fine";
}

std::string rate(const std::string& exposure) {
  return "faults.classes[gpu-lost].rate=1 per " + exposure;
}
std::string strike(const std::string& what) {
  return "faults.classes[gpu-lost].strikes=[{at: 1h, " + what + "}]";
}
const std::string kPool = "fleet.pools[train].";

TEST(ScenarioDomainErrors, RatesCountDomains) {
  for (const char* exposure : {"rack-day", "block-day", "zone-year"}) {
    EXPECT_EQ(problem({rate(exposure)}), "fine") << exposure;
  }
  EXPECT_EQ(problem({rate("region-year"), kPool + "region=eu"}), "fine");
}

TEST(ScenarioDomainErrors, ARateForALevelThatNoPoolHas) {
  EXPECT_EQ(problem({rate("region-year")}),
            "faults.classes[gpu-lost].rate: is counted per region, but no pool has regions");
  EXPECT_EQ(problem({rate("rack-day"), kPool + "nodes_per_rack=null"}),
            "faults.classes[gpu-lost].rate: is counted per rack, but no pool has racks");
  EXPECT_EQ(
      problem({rate("block-day"), kPool + "nodes_per_rack=null", kPool + "nodes_per_block=4"}),
      "fine");
  const std::string other = "{name: other, nodes: 2, zone: b}";
  const std::string train = "{name: train, nodes: 16, zone: null}";
  EXPECT_EQ(problem({rate("zone-day"), "fleet.pools=[" + train + ", " + other + "]"}), "fine");
  EXPECT_EQ(problem({rate("zone-day"), "faults.classes[gpu-lost].clock=running",
                     "fleet.pools=[" + train + ", " + other + "]"}),
            "faults.classes[gpu-lost].rate: is counted per zone, but no pool with a job has zones");
}

TEST(ScenarioDomainErrors, StrikesNameDomains) {
  for (const char* name : {"train/rack-3", "train/block-0", "zone a", "train-15"}) {
    EXPECT_EQ(problem({strike("domain: " + std::string(name))}), "fine") << name;
  }
  EXPECT_EQ(problem({strike("domain: zone eu/a"), kPool + "region=eu"}), "fine");
  EXPECT_EQ(
      problem({strike("domain: train/rack-8")}),
      "faults.classes[gpu-lost].strikes[0].domain: there is no failure domain "
      "`train/rack-8`; domains are named such as `train/rack-0`, `train/block-0` or `zone a`");
  EXPECT_EQ(problem({strike("domain: zone b"), kPool + "nodes_per_rack=null", kPool + "zone=null"}),
            "faults.classes[gpu-lost].strikes[0].domain: there is no failure domain `zone b`; "
            "domains are named such as `train-0`");
}

TEST(ScenarioDomainErrors, StrikesNameOnePlace) {
  EXPECT_EQ(problem({strike("node: train-1, domain: zone a")}),
            "faults.classes[gpu-lost].strikes[0].domain: goes with no `node`: give one of the two");
  EXPECT_EQ(problem({"faults.classes[gpu-lost].strikes=[{at: 1h}]"}),
            "faults.classes[gpu-lost].strikes[0]: needs a `node` or a `domain`");
  EXPECT_EQ(problem({"faults.classes[software-bug].strikes=[{at: 1h, domain: zone a}]"}),
            "faults.classes[software-bug].strikes[0].domain: goes nowhere: the rate is counted per "
            "job");
}

TEST(ScenarioDomainErrors, ANodeThatStandsInNoSuchDomain) {
  const std::string other = "{name: other, nodes: 2, zone: b}";
  EXPECT_EQ(problem({rate("zone-day"), strike("node: train-1"),
                     "fleet.pools=[{name: train, nodes: 16, zone: null}, " + other + "]"}),
            "faults.classes[gpu-lost].strikes[0].node: stands in no zone, which is what the rate "
            "counts");
}

TEST(ScenarioDomainErrors, PoolsThatContradictThemselves) {
  EXPECT_EQ(problem({kPool + "nodes_per_block=4"}),
            "fleet.pools[train].nodes_per_block: follows from `nodes_per_rack` and "
            "`racks_per_block`: give it with `nodes_per_rack: null` only");
  EXPECT_EQ(problem({kPool + "region=eu/west"}),
            "fleet.pools[train].region: has a slash, which stands between a region and its zone");
  EXPECT_EQ(problem({kPool + "racks_per_block=0"}),
            "fleet.pools[train].racks_per_block: is out of range (got 0, expected more than 0)");
}

}  // namespace
}  // namespace faultline
