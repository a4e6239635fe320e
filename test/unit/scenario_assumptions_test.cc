#include "sim/scenario/assumptions.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "sim/scenario/field_path.h"
#include "sim/scenario/load_scenario.h"
#include "sim/scenario/memory_files.h"
#include "sim/scenario/parse_yaml.h"
#include "test/support/scenario_demo.h"

namespace faultline {
namespace {

std::vector<Assumption> found(const std::string& text, double by = 0.2) {
  Diagnostics diagnostics;
  const auto source = std::make_shared<const Source>(Source{.name = "a.yaml", .text = text});
  const auto tree = parse_yaml(source, diagnostics);
  EXPECT_TRUE(tree && diagnostics.empty()) << diagnostics.render();
  return find_assumptions(*tree, *describe<demo::Demo>(), by);
}

// "path: low < value < high", or "path: value REASON".
std::string line(const Assumption& each) {
  const std::string value = one_line(each.value);
  return each.path + ": " +
         (each.fixed.empty() ? one_line(each.low) + " < " + value + " < " + one_line(each.high)
                             : value + " " + each.fixed);
}

std::string only(const std::string& text, double by = 0.2) {
  const auto all = found(text, by);
  EXPECT_EQ(all.size(), 1U) << text;
  return all.empty() ? "" : line(all.front());
}

TEST(ScenarioAssumptions, CommentsOfALine) {
  EXPECT_EQ(comment_of("every: 10m  # assumption: half"), "assumption: half");
  EXPECT_EQ(comment_of("# whole"), "whole");
  EXPECT_EQ(comment_of("a: b#c"), "");
  EXPECT_EQ(comment_of("a: \"x # y\"  # z"), "z");
  EXPECT_EQ(comment_of("a: [' # ', \" # \"]"), "");
  EXPECT_EQ(comment_of("NCCL's own: 1 # it's"), "it's");
  EXPECT_EQ(comment_of(""), "");
}

TEST(ScenarioAssumptions, OnlyLinesThatSaySo) {
  EXPECT_TRUE(found("horizon: 10h  # measured\n").empty());
  EXPECT_TRUE(found("horizon: 10h  # not an assumption\n").empty());
  EXPECT_TRUE(found("# assumption: below\nhorizon: 10h\n").empty());
  const auto all = found("horizon: 10h  # assumption: long enough \nname: x\n");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].path, "horizon");
  EXPECT_EQ(all[0].why, "long enough");
  EXPECT_EQ(all[0].value.mark.line, 1);
}

TEST(ScenarioAssumptions, QuantitiesKeepTheirNotation) {
  EXPECT_EQ(only("horizon: 10h  # assumption"), "horizon: 8h < 10h < 12h");
  EXPECT_EQ(only("horizon: 10h  # assumption", 0.5), "horizon: 5h < 10h < 15h");
  EXPECT_EQ(only("parts: {coverage: 50%}  # assumption"), "parts.coverage: 40% < 50% < 60%");
  EXPECT_EQ(only("parts: {coverage: 90%}  # assumption"), "parts.coverage: 72% < 90% < 100%");
  EXPECT_EQ(only("parts: {coverage: 100%}  # assumption"), "parts.coverage: 80% < 100% < 100%");
  EXPECT_EQ(only("parts: {rate: 3 per 1000 node-days}  # assumption"),
            "parts.rate: 2.4 per 1000 node-days < 3 per 1000 node-days < 3.6 per 1000 node-days");
  EXPECT_EQ(only("parts: {factor: 2.5}  # assumption"), "parts.factor: 2 < 2.5 < 3");
  EXPECT_EQ(only("parts: {spares: 12}  # assumption"), "parts.spares: 10 < 12 < 14");
  EXPECT_EQ(only("parts: {spares: 1}  # assumption"), "parts.spares: 0 < 1 < 2");
  EXPECT_EQ(only("parts: {memory: 10GiB}  # assumption"), "parts.memory: 8GiB < 10GiB < 12GiB");
  EXPECT_EQ(only("parts: {link: 400Gbps}  # assumption"),
            "parts.link: 320Gbps < 400Gbps < 480Gbps");
}

TEST(ScenarioAssumptions, DistributionsKeepTheirShape) {
  EXPECT_EQ(only("parts: {launch: 10m}  # assumption"), "parts.launch: 8m < 10m < 12m");
  EXPECT_EQ(
      only("parts: {launch: !lognormal {median: 10m, p95: 20m}}  # assumption"),
      "parts.launch: !lognormal {median: 8m, p95: 16m} < !lognormal {median: 10m, p95: 20m} < "
      "!lognormal {median: 12m, p95: 24m}");
  EXPECT_EQ(only("parts: {launch: !lognormal {mu: 5, sigma: 0.5}}  # assumption", 0.5),
            "parts.launch: !lognormal {mu: 4.306852819, sigma: 0.5} < !lognormal {mu: 5, sigma: "
            "0.5} < !lognormal {mu: 5.405465108, sigma: 0.5}");
  EXPECT_EQ(only("parts: {launch: !weibull {shape: 2, mean: 10s}}  # assumption"),
            "parts.launch: !weibull {shape: 2, mean: 8s} < !weibull {shape: 2, mean: 10s} < "
            "!weibull {shape: 2, mean: 12s}");
  EXPECT_EQ(only("parts: {launch: !empirical {values: [10s, 20s]}}  # assumption"),
            "parts.launch: !empirical {values: [8s, 16s]} < !empirical {values: [10s, 20s]} < "
            "!empirical {values: [12s, 24s]}");
  EXPECT_EQ(only("parts: {launch: !mixture {parts: [{weight: 1, of: 10s}]}}  # assumption"),
            "parts.launch: !mixture {parts: [{weight: 1, of: 8s}]} < !mixture {parts: [{weight: 1, "
            "of: 10s}]} < !mixture {parts: [{weight: 1, of: 12s}]}");
  EXPECT_EQ(only("parts: {launch: !empirical {file: times.txt}}  # assumption"),
            "parts.launch: !empirical {file: times.txt} stands in a file of its own");
}

TEST(ScenarioAssumptions, WhatHasNoSizeSaysWhy) {
  EXPECT_EQ(only("parts: {effect: hang}  # assumption"), "parts.effect: hang is not a number");
  EXPECT_EQ(only("parts: {latching: true}  # assumption"), "parts.latching: true is not a number");
  EXPECT_EQ(only("parts: {launch: 0s}  # assumption"), "parts.launch: 0s is 0, and stays 0");
  EXPECT_EQ(only("parts: {spares: unlimited}  # assumption"),
            "parts.spares: unlimited has no size");
}

TEST(ScenarioAssumptions, ALineSpeaksOfItsNumbers) {
  // The effect is on the line of a number; of two texts the first one stands for the line.
  EXPECT_EQ(only("parts: {effect: hang, factor: 10}  # assumption"), "parts.factor: 8 < 10 < 12");
  EXPECT_EQ(only("parts: {effect: hang, latching: true}  # assumption"),
            "parts.effect: hang is not a number");
  EXPECT_EQ(found("parts: {factor: 10, coverage: 50%}  # assumption").size(), 2U);
}

TEST(ScenarioAssumptions, ListsAreAddressedAsPathsDo) {
  const auto all = found(
      "fleet:\n  pools:\n    - name: train\n      nodes: 10  # assumption: small\n"
      "workloads:\n  - !training\n    name: job\n    checkpoint:\n      every: 10m  # "
      "assumption\n");
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(line(all[0]), "fleet.pools[train].nodes: 8 < 10 < 12");
  EXPECT_EQ(line(all[1]), "workloads[job].checkpoint.every: 8m < 10m < 12m");
}

TEST(ScenarioAssumptions, AScenarioWithItsIncludes) {
  const char* const home = std::getenv("FAULTLINE_HOME");
  const DiskFiles files(home == nullptr ? "." : home);
  const auto tree =
      load_scenario_tree("small", {{.text = "capacity.launch=3m", .option = "--set"}}, files);
  ASSERT_TRUE(tree);
  std::string all;
  for (const Assumption& each : scenario_assumptions(*tree, 0.2)) {
    all += line(each) + "\n";
    if (each.fixed.empty()) {
      EXPECT_EQ(one_line(nearest_node(with_value(*tree, each.path, each.high), each.path)),
                one_line(each.high))
          << each.path;
    }
  }
  const auto has = [&](const std::string& text) {
    return ("\n" + all).find("\n" + text) != std::string::npos;
  };
  EXPECT_TRUE(has("workloads[job].checkpoint.every: 8m < 10m < 12m")) << all;
  // Of a class whose `source` says that it is invented.
  EXPECT_TRUE(has("faults.classes[gpu-lost].rate: 4.8 per 112 node-days < 6 per")) << all;
  EXPECT_TRUE(has("faults.classes[hot-gpu].speed: 64% < 80% < 96%")) << all;
  // An Xid is a name; a value of --set replaces the assumption and its comment.
  EXPECT_FALSE(has("faults.classes[gpu-lost].signals[0].xid")) << all;
  EXPECT_FALSE(has("capacity.launch:")) << all;
  EXPECT_TRUE(has("capacity.terminate: !lognormal {median: 48s, p95: 2m24s} < ")) << all;
}

TEST(ScenarioAssumptions, AnXidIsAName) {
  const auto source = std::make_shared<const Source>(
      Source{.name = "a.yaml",
             .text = "faults: {classes: [{name: a, signals: [{xid: 79}]}]}  # assumption"});
  Diagnostics diagnostics;
  const auto all = scenario_assumptions(*parse_yaml(source, diagnostics), 0.2);
  ASSERT_FALSE(all.empty());
  for (const Assumption& each : all) EXPECT_FALSE(each.fixed.empty()) << line(each);
}

}  // namespace
}  // namespace faultline
