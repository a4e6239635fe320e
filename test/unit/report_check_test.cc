#include "sim/report/check_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace faultline {
namespace {

CheckResults results() {
  const std::vector<MetricName> metrics{{"ettr_ratio", "", ""}, {"blocked_total", "", ""}};
  const std::vector<std::vector<double>> rows{{0.88, 0}, {0.90, 1}, {0.89, 0}, {0.89, 0}};
  CheckedScenario scenario{.name = "small", .replications = 4};
  for (const char* const text :
       {"ettr >= 85%", "ettr >= 89%", "ettr > 95%", "ettr < 95%", "blocked == 0", "blocked < 2"}) {
    scenario.expected.push_back({Condition::parse(text, metrics, false).value(), 0.95});
    scenario.judgements.push_back(judge(scenario.expected.back().condition, 0.95, rows));
  }
  scenario.expected.push_back({Condition::parse("blocked != 7", metrics, false).value(), 0.99});
  scenario.judgements.push_back(judge(scenario.expected.back().condition, 0.99, rows));
  return {.seed = 3, .scenarios = {scenario, {.name = "silent"}}};
}

TEST(ReportCheck, Text) {
  EXPECT_EQ(
      to_text(check_report(results()), {}),
      "Expectations: 3 hold, 2 fail, 2 undecided\n"
      "\n"
      "small: 3 hold, 2 fail, 2 undecided\n"
      "  verdict    expectation   confidence  mean\n"
      "  holds      ettr >= 85%          95%   89%  at least 88.0%\n"
      "  undecided  ettr >= 89%          95%   89%  from 88.0% to 90.0%\n"
      "  fails      ettr > 95%           95%   89%  at most 90.0%\n"
      "  holds      ettr < 95%           95%   89%  at most 90.0%\n"
      "  fails      blocked == 0         95%  0.25  broken by 1 of 4\n"
      "  undecided  blocked < 2          95%  0.25  3 of 4 replications say the same (0): too few "
      "others for a mean\n"
      "  holds      blocked != 7         99%  0.25  kept by all 4; at most 68.38% break it\n"
      "  4 replications, seed 3.\n"
      "\n"
      "silent: nothing is expected\n"
      "  The scenario has no `expect:` block.\n"
      "\n"
      "  Undecided: the bound lies within the noise of the mean. More replications (--reps) "
      "narrow it; an\n"
      "    undecided expectation counts as not kept.\n");
}

TEST(ReportCheck, Json) {
  const auto report = nlohmann::json::parse(check_json(results()));
  EXPECT_EQ(report["schema_version"], 2);
  EXPECT_EQ(report["holds"], 3);
  EXPECT_EQ(report["fails"], 2);
  EXPECT_EQ(report["undecided"], 2);
  EXPECT_EQ(report["seed"], 3);
  const auto& small = report["points"][0];
  EXPECT_EQ(small["scenario"], "small");
  EXPECT_EQ(small["replications"], 4);
  EXPECT_EQ(small["expectations"][0]["verdict"], "holds");
  EXPECT_NEAR(small["expectations"][0]["limits"][0].get<double>(), 0.8804, 1e-4);
  EXPECT_EQ(small["expectations"][4]["broken"], 1);
  EXPECT_TRUE(small["expectations"][4]["break_chance"].is_null());
  EXPECT_NEAR(small["expectations"][6]["break_chance"].get<double>(), 0.6838, 1e-4);
  EXPECT_TRUE(report["points"][1]["expectations"].empty());
}

TEST(ReportCheck, Csv) {
  const std::string csv = check_csv(results());
  EXPECT_EQ(csv.substr(0, csv.find('\n')),
            "scenario,that,confidence,verdict,n,mean,low,high,broken,break_chance");
  EXPECT_NE(csv.find("\nsmall,ettr < 95%,0.95,holds,4,0.89,0.88"), std::string::npos) << csv;
  EXPECT_NE(csv.find("\nsmall,blocked == 0,0.95,fails,4,0.25,,,1,\n"), std::string::npos) << csv;
}

}  // namespace
}  // namespace faultline
