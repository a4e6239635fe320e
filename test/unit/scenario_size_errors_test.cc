// What a user reads when a scenario is too large to run: counts of more than 32 bits, a run without an
// end, faults without number. Whole texts.
#include <gtest/gtest.h>

#include "test/support/run_scenario.h"

namespace faultline {
namespace {

std::string problems(const std::string& scenario, const std::vector<std::string>& settings) {
  try {
    project_scenario(scenario, settings);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "fine";
}

// The first line, without the place.
std::string problem(const std::vector<std::string>& settings,
                    const std::string& scenario = "small") {
  const std::string text = problems(scenario, settings);
  const std::string line = text.substr(0, text.find('\n'));
  return line == "fine" ? line : line.substr(line.find(": ") + 2);
}

TEST(ScenarioSizeErrors, ARunHasToEnd) {
  EXPECT_EQ(problems("small", {"horizon=infinite"}),
            "--set horizon=infinite: horizon: is infinite, but a run has to end: give a time that "
            "is long enough\n"
            "    horizon=infinite\n"
            "            ^~~~~~~~\n");
}

// 2^32 + 2 nodes were two, and the check of the sum had a limit that it could not exceed.
TEST(ScenarioSizeErrors, CountsOfMoreThan32Bits) {
  EXPECT_EQ(problems("small", {"fleet.pools[train].nodes=4294967298"}),
            "--set fleet.pools[train].nodes=4294967298: fleet.pools[train].nodes: is out of range "
            "(got 4294967298, expected at most 10000000)\n"
            "    fleet.pools[train].nodes=4294967298\n"
            "                             ^~~~~~~~~~\n");
  const auto out_of_range = [](const std::string& field, const std::string& most,
                               const std::string& scenario = "small") {
    EXPECT_EQ(problem({field + "=4294967297"}, scenario),
              field + ": is out of range (got 4294967297, expected at most " + most + ")");
  };
  out_of_range("fleet.pools[train].gpus_per_node", "1000");
  out_of_range("fleet.pools[train].nics_per_node", "1000");
  out_of_range("fleet.pools[train].nodes_per_rack", "10000000");
  out_of_range("fleet.pools[train].racks_per_block", "10000000");
  out_of_range("capacity.warm_spares", "10000000");
  out_of_range("workloads[job].nodes", "10000000");
  out_of_range("workloads[job].gang.standbys", "10000000", "byterobust");
  for (const char* field : {"nodes_per_leaf", "spines", "leaves_per_pod", "cores"}) {
    out_of_range(std::string("fleet.fabric.") + field, "10000000", "llama3-fabric");
  }
  EXPECT_EQ(problem({"capacity.spares=4294967297"}),
            "capacity.spares: is more than 10000000 machines");
}

TEST(ScenarioSizeErrors, NodesOfAllPoolsAndSparesTogether) {
  EXPECT_EQ(problem({"fleet.pools[train].nodes=10000000"}), "fine");
  EXPECT_EQ(problem({"fleet.pools[train].nodes=9999999", "capacity.warm_spares=1"}), "fine");
  EXPECT_EQ(problem({"fleet.pools[train].nodes=9999999", "capacity.warm_spares=2"}),
            "fleet.pools: have more than 10000000 nodes, warm spares included (with --set "
            "capacity.warm_spares=2, --set fleet.pools[train].nodes=9999999)");
}

// 128 GPUs x 7 d: 21504 GPU-hours. At 465 an hour that is just below 1e7 faults, at 466 just above.
TEST(ScenarioSizeErrors, FaultsWithoutNumber) {
  const auto rate = [](const std::string& text) {
    return problem({"faults.classes[gpu-lost].rate=" + text});
  };
  EXPECT_EQ(rate("465 per 1 gpu-hours"), "fine");
  EXPECT_EQ(
      rate("466 per 1 gpu-hours"),
      "faults.classes[gpu-lost].rate: comes to 1.002e+07 faults within the horizon of 7d; at most "
      "1e+07 are possible");
  EXPECT_EQ(rate("1e9 per 1 gpu-hours"),
            "faults.classes[gpu-lost].rate: comes to 2.15e+13 faults within the horizon of 7d; at "
            "most 1e+07 are possible");
  EXPECT_EQ(rate("1e300 per 112 node-days"),
            "faults.classes[gpu-lost].rate: comes to 1e+300 faults within the horizon of 7d; at "
            "most 1e+07 are possible");
}

// Exposure is what the class can strike: here one job of 16 nodes, a tenth of the machines.
TEST(ScenarioSizeErrors, FaultsAreCountedOverWhatTheyCanStrike) {
  EXPECT_EQ(problem({"faults.classes[software-bug].rate=1428571 per 1 job-days"}), "fine");
  EXPECT_EQ(problem({"faults.classes[software-bug].rate=1428572 per 1 job-days"}),
            "faults.classes[software-bug].rate: comes to 1e+07 faults within the horizon of 7d; at "
            "most 1e+07 are possible");
  // 16 + 16 nodes, of which 16 run: 1e6 a day is 1.12e8.
  EXPECT_EQ(problem({"faults.classes[gpu-lost].rate=1e6 per 1 node-days",
                     "faults.classes[gpu-lost].clock=running", "capacity.warm_spares=16"}),
            "faults.classes[gpu-lost].rate: comes to 1.12e+08 faults within the horizon of 7d; at "
            "most 1e+07 are possible");
  EXPECT_EQ(problem({"faults.classes[gpu-lost].rate=1e6 per 1 node-days",
                     "faults.classes[gpu-lost].victims=lemons", "faults.lemons={share: 1%}"}),
            "fine");
  // A hazard that grows with the ninth power of the age: 1e6 a day on average is far more at 7 d.
  EXPECT_EQ(problem({"faults.classes[gpu-lost].rate=1 per 1 node-days",
                     "faults.classes[gpu-lost].weibull_shape=10"}),
            "faults.classes[gpu-lost].rate: comes to 2.745e+10 faults within the horizon of 7d, at "
            "the highest hazard of `weibull_shape`; at most 1e+07 are possible");
}

}  // namespace
}  // namespace faultline
