#include "sim/report/sensitivity_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace faultline {
namespace {

Assumption assumption(const std::string& path, const std::string& value, int line) {
  static const auto kSource = std::make_shared<const Source>(Source{.name = "a.yaml"});
  const auto leaf = [&](const std::string& text) {
    Tree tree = make_tree(Tree::Kind::kScalar, {kSource, line, 1, 1});
    tree.text = text;
    return tree;
  };
  return {.path = path,
          .why = "a guess",
          .value = leaf(value),
          .low = leaf("low " + value),
          .high = leaf("high " + value),
          .fixed = ""};
}

Effect effect(double mean, double margin) {
  return {.n = 50, .mean = mean, .interval = {mean - margin, mean + margin}};
}

SensitivityResults results() {
  const Effect none{.n = 50, .never = true};
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  const Effect refused{.mean = unknown, .interval = {unknown, unknown}, .refused = true};
  SensitivityResults results{
      .scenario = "small",
      .seed = 1,
      .replications = 50,
      .objective = Expression::parse("ettr", {{"ettr_ratio", "", ""}}).value(),
      .base = {.n = 50, .mean = 0.95, .error = 0.001, .degrees = 49}};
  results.assumptions = {assumption("every", "10m", 3), assumption("rate", "6 per 7 node-days", 7),
                         assumption("launch", "90s", 9), assumption("racks", "4", 11)};
  results.tornado = {
      {.index = 1, .low = effect(0.004, 0.001), .high = effect(-0.008, 0.001), .swing = 0.012},
      {.index = 0, .low = refused, .high = effect(0.002, 0.001), .swing = 0.002},
      {.index = 2, .low = effect(0.001, 0.002), .high = none, .swing = 0.001},
      {.index = 3, .low = none, .high = none}};
  results.skipped = {{assumption("effect", "hang", 12), "is not a number"}};
  return results;
}

TEST(ReportSensitivity, Text) {
  EXPECT_EQ(to_text(sensitivity_report(results()), {}),
            "small: what ettr depends on\n"
            "\n"
            "  ettr is 95.0% +- 0.2 (95% CI, n=50).\n"
            "  Each assumption by 20% down and up, everything else as it is. Effects are paired "
            "differences under\n"
            "    common random numbers; with 95% confidence, all of their margins hold at once. An "
            "effect within\n"
            "    its margin may be chance.\n"
            "\n"
            "What matters\n"
            "  Of each, at least one effect is larger than its margin.\n"
            "      assumption            -20%            +20%\n"
            "  1.  rate        +0.4 pp +- 0.1  -0.8 pp +- 0.1  ##########|#####\n"
            "  2.  every                    -  +0.2 pp +- 0.1            |###\n"
            "\n"
            "What to measure first\n"
            "      value              place     what is known\n"
            "  1.  6 per 7 node-days  a.yaml:7  a guess\n"
            "  2.  10m                a.yaml:3  a guess\n"
            "\n"
            "No detectable effect\n"
            "  The noise of 50 replications hides these; `at most` is how far one could move ettr "
            "unseen.\n"
            "  assumption  value  at most\n"
            "  launch        90s  0.30 pp\n"
            "  One changed nothing in any replication: racks.\n"
            "\n"
            "Skipped\n"
            "  assumption  reason\n"
            "  effect      hang is not a number\n");
}

// An interruption: nothing is known of what was never simulated, which is not the same as no effect.
TEST(ReportSensitivity, WhatWasNotTestedIsNamed) {
  SensitivityResults cut = results();
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  const Effect untested{.n = 1, .mean = 0.001, .interval = {unknown, unknown}};
  const Effect none{.n = 50, .never = true};
  cut.remark = "Interrupted: 90 of 450 replications are finished; this is what they say.";
  cut.tornado[1].high = effect(0.0001, 0.001);
  cut.tornado[2] = {.index = 2, .low = none, .high = untested};
  cut.tornado[3] = {.index = 3, .low = untested, .high = untested};
  const std::string text = to_text(sensitivity_report(cut), {});
  EXPECT_NE(text.find("depends on\n\n  Interrupted: 90 of 450 replications are finished; this is "
                      "what they say.\n  ettr is "),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("Not tested\n"
                      "  Fewer than two replications say anything, so nothing is known of: racks.\n"
                      "  The same, moved up, of: launch.\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("changed nothing"), std::string::npos) << text;
  EXPECT_NE(text.find("every         10m  0.11 pp\n"), std::string::npos) << text;
  const auto last = nlohmann::json::parse(sensitivity_json(cut))["differences"][3];
  EXPECT_TRUE(last["swing"].is_null());
  EXPECT_TRUE(last["detectable"].is_null());
  EXPECT_NE(sensitivity_csv(cut).find("\nracks,a.yaml:11,4,low 4,high 4,0.001,,,0.001,,,,,\n"),
            std::string::npos)
      << sensitivity_csv(cut);
}

TEST(ReportSensitivity, NothingMatters) {
  SensitivityResults quiet = results();
  quiet.tornado.erase(quiet.tornado.begin(), quiet.tornado.begin() + 2);
  quiet.skipped.clear();
  const std::string text = to_text(sensitivity_report(quiet), {});
  EXPECT_NE(text.find("What matters\n  No assumption has a detectable effect on ettr.\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("What to measure first"), std::string::npos);
  EXPECT_EQ(text.find("Skipped"), std::string::npos);
}

TEST(ReportSensitivity, Json) {
  const auto report = nlohmann::json::parse(sensitivity_json(results()));
  EXPECT_EQ(report["schema_version"], 2);
  EXPECT_EQ(report["scenario"], "small");
  EXPECT_EQ(report["objective"], "ettr");
  EXPECT_EQ(report["by"], 0.2);
  EXPECT_EQ(report["base"]["mean"], 0.95);
  const auto& first = report["differences"][0];
  EXPECT_EQ(first["path"], "rate");
  EXPECT_EQ(first["place"], "a.yaml:7");
  EXPECT_EQ(first["detectable"], true);
  EXPECT_EQ(first["high"]["mean"], -0.008);
  EXPECT_EQ(first["high"]["value"], "high 6 per 7 node-days");
  EXPECT_TRUE(report["differences"][1]["low"]["mean"].is_null());
  EXPECT_EQ(report["skipped"][0]["reason"], "is not a number");
}

TEST(ReportSensitivity, Csv) {
  const std::string csv = sensitivity_csv(results());
  EXPECT_NE(csv.find("\nevery,a.yaml:3,10m,low 10m,high 10m,,,,0.002,0.001,0.003,0.002,true,\n"),
            std::string::npos)
      << csv;
  EXPECT_NE(csv.find("\neffect,a.yaml:12,hang,,,,,,,,,,,is not a number\n"), std::string::npos);
}

}  // namespace
}  // namespace faultline
