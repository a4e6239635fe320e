// What a run's report says of steps that follow from the fabric.
#include <gtest/gtest.h>

#include "sim/report/json_report.h"
#include "sim/report/step_sections.h"
#include "test/support/run_scenario.h"

namespace faultline {
namespace {

struct Report {
  explicit Report(const std::string& name, const std::vector<std::string>& settings = {})
      : scenario(project_scenario(name, settings)),
        plan(scenario),
        table(run_replications(plan, {.seed = 1, .replications = 1, .threads = 1})),
        results(plan, table) {}

  Scenario scenario;
  SimulationPlan plan;
  ReplicationTable table;
  RunResults results;
};

TEST(ReportStep, PartsOfTheStep) {
  const Report report("llama3-fabric");
  EXPECT_EQ(to_text(Document{.title = {}, .sections = {training_step(report.results)}}, {}),
            R"(

A training step on the healthy fabric
  what it waits for                      time  share
  compute                               4.94s  79.7%  ################################
  tensor parallel                       0.55s   8.9%  ####
  pipeline messages                    20.6ms   0.3%  #
  data parallel, beyond what overlaps  38.9ms   0.6%  #
  pipeline bubble                       0.64s  10.4%  ####
  The step takes 6.20s: an MFU of 40.6%.
)");
}

TEST(ReportStep, WhatDegradedPartsMakeOfIt) {
  const Report report("llama3-fabric", {"faults.classes[lossy-uplink].degrades.to=0%",
                                        "faults.classes[thermal-excursion].degrades.to=0%"});
  const Section section = degraded_parts(report.results);
  const std::vector<std::vector<std::string>> rows{
      {"thermal-excursion", "gpu dead", "-", "2,048 cut it"},
      {"slow-network", "nic at 10%", "92.3%", "2,048 slow it"},
      {"lossy-uplink", "uplink dead", "99.1% to 99.4%", "2,048 slow it"}};
  EXPECT_EQ(section.table.rows, rows);
}

TEST(ReportStep, InTheJson) {
  const std::string with = json_report(Report("llama3-fabric").results);
  EXPECT_NE(with.find(R"("steps": [)"), std::string::npos);
  EXPECT_NE(with.find(R"("mfu_ratio": 0.4057)"), std::string::npos);
  EXPECT_NE(with.find(R"("places_slowed": 2048)"), std::string::npos);
  EXPECT_EQ(json_report(Report("llama3").results).find(R"("steps")"), std::string::npos);
}

}  // namespace
}  // namespace faultline
