#include "sim/lab/runner.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/lab/replications.h"
#include "test/support/eventful_world.h"

namespace faultline {
namespace {

Point point(const std::string& label, Duration horizon = 2_d) {
  return Point(label, EventfulWorld(horizon).scenario);
}

// A row with a NaN is equal to nothing, so rows are compared as text.
std::string text(const Rows& rows) {
  std::string text;
  for (std::size_t i = 0; i < rows.finished.size(); ++i) {
    text += fmt::format("{}: {}\n", rows.finished[i], fmt::join(rows.values[i], " "));
  }
  return text;
}

Rows run(const RunnerOptions& options, const Point& point, std::uint32_t replications) {
  Runner runner(options);
  EXPECT_TRUE(runner.run({{&point, replications}}));
  return runner.rows(point);
}

TEST(LabPointTest, TheHashIsThatOfTheEffectiveScenario) {
  const Point a = point("a");
  EXPECT_EQ(a.label(), "a");
  EXPECT_EQ(a.hash(), point("another label").hash());
  EXPECT_NE(a.hash(), point("a", 3_d).hash());
  EXPECT_EQ(a.text(), show_scenario(a.scenario(), true));
  EXPECT_EQ(a.metrics().size(), metric_names(a.plan()).size());
  // 8-4-4-4-12, version 5, variant 10.
  ASSERT_EQ(a.hash().size(), 36U);
  EXPECT_EQ(a.hash()[14], '5');
  EXPECT_NE(std::string("89ab").find(a.hash()[19]), std::string::npos);
}

TEST(LabRunnerTest, RowsAreThoseOfAPlainRun) {
  const Point a = point("a");
  const ReplicationTable table = run_replications(a.plan(), {.seed = 3, .replications = 12});
  EXPECT_EQ(text(run({.seed = 3}, a, 12)),
            text({.finished = table.finished, .values = table.values}));
}

TEST(LabRunnerTest, ThreadsDoNotMatter) {
  const Point a = point("a");
  EXPECT_EQ(text(run({.threads = 1}, a, 20)), text(run({.threads = 2}, a, 20)));
}

TEST(LabRunnerTest, NeedsGrowAndNothingRunsTwice) {
  const Point a = point("a");
  const Point b = point("b", 3_d);
  const Point twin = point("twin");
  Runner runner({});
  EXPECT_TRUE(runner.rows(a).finished.empty());
  EXPECT_TRUE(runner.run({{&a, 4}}));
  EXPECT_EQ(runner.simulated(), 4U);
  EXPECT_TRUE(runner.run({{&a, 10}, {&b, 5}, {&twin, 12}, {&a, 2}}));
  EXPECT_EQ(runner.simulated(), 12U + 5U);
  EXPECT_TRUE(runner.run({{&a, 12}, {&b, 5}}));
  EXPECT_EQ(runner.simulated(), 17U);
  EXPECT_EQ(text(runner.rows(a)), text(run({}, a, 12)));
  EXPECT_EQ(text(runner.rows(b)), text(run({}, b, 5)));
}

TEST(LabRunnerTest, ShardsAddUpToTheWhole) {
  const Point a = point("a");
  Rows all{.finished = {}, .values = std::vector<std::vector<double>>(10)};
  for (std::uint32_t number = 1; number <= 3; ++number) {
    const Rows share = run({.shard = {number, 3}}, a, 10);
    for (std::size_t i = 0; i < share.finished.size(); ++i) {
      EXPECT_EQ(share.finished[i] % 3 + 1, number);
      all.values[share.finished[i]] = share.values[i];
    }
  }
  for (std::uint32_t r = 0; r < 10; ++r) all.finished.push_back(r);
  EXPECT_EQ(text(all), text(run({}, a, 10)));
}

TEST(LabRunnerTest, StoppedKeepsWhatIsFinishedAndGoesOn) {
  const Point a = point("a");
  std::atomic<bool> stop = false;
  std::uint64_t total_seen = 0;
  Runner runner({.threads = 1,
                 .progress =
                     [&](std::uint64_t done, std::uint64_t total) {
                       total_seen = total;
                       if (done == 3 && total == 50) stop = true;
                     },
                 .stop = &stop});
  EXPECT_FALSE(runner.run({{&a, 50}}));
  EXPECT_EQ(runner.rows(a).finished.size(), 3U);
  EXPECT_EQ(total_seen, 50U);
  stop = false;
  EXPECT_TRUE(runner.run({{&a, 8}}));
  EXPECT_EQ(runner.simulated(), 8U);
  EXPECT_EQ(text(runner.rows(a)), text(run({}, a, 8)));
}

}  // namespace
}  // namespace faultline
