// What a user reads when a gang, a repair shop or lemons do not fit the rest of the scenario. Whole texts.
#include <gtest/gtest.h>

#include <algorithm>

#include "test/support/run_scenario.h"

namespace faultline {
namespace {

// The first line of what is said about rsc1-shop with a setting, without the place and the options.
std::string problem(const std::string& setting) {
  try {
    project_scenario("rsc1-shop", {setting});
  } catch (const std::runtime_error& error) {
    const std::string text = error.what();
    const std::string line = text.substr(0, std::min(text.find('\n'), text.find(" (with --set ")));
    return line.substr(line.find(": ") + 2);
  }
  return "fine";
}

TEST(ScenarioGangErrors, TooManyStandbys) {
  EXPECT_EQ(
      problem("workloads[job].gang.standbys=13"),
      "workloads[job].gang.standbys: are 13, but pool `train` has 12 nodes beyond the job's 512");
}

TEST(ScenarioGangErrors, NoSuchPool) {
  EXPECT_EQ(problem("workloads[job].gang.preempts=othr"),
            "workloads[job].gang.preempts: there is no pool `othr`; did you mean `other`?");
}

TEST(ScenarioGangErrors, OwnPool) {
  EXPECT_EQ(problem("workloads[job].gang.preempts=train"),
            "workloads[job].gang.preempts: is the job's own pool");
}

TEST(ScenarioGangErrors, ShopWithoutACount) {
  EXPECT_EQ(problem("capacity.spares=unlimited"),
            "capacity.shop: needs `spares` to be a count, such as `0`: with unlimited machines no "
            "repair is ever "
            "waited for");
}

TEST(ScenarioGangErrors, NoCrews) {
  EXPECT_EQ(problem("capacity.shop.manual.crews=0"),
            "capacity.shop.manual.crews: is 0: no machine would ever come back");
}

}  // namespace
}  // namespace faultline
