// The timeline as viewers see it: every event is well formed, slices do not overlap, arrows have
// two ends.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/engine/ledger.h"
#include "sim/engine/plan.h"
#include "sim/engine/simulation.h"
#include "sim/report/outages.h"
#include "test/support/eventful_world.h"
#include "test/support/trace.h"

namespace faultline {
namespace {

using namespace trace;  // NOLINT(google-build-using-namespace)

class Timelines : public testing::TestWithParam<std::uint32_t> {
 protected:
  // Replications 0 to 3 of every world.
  const EventfulWorld world_ = GetParam() < 4   ? EventfulWorld()
                               : GetParam() < 8 ? EventfulWorld::mended()
                                                : EventfulWorld::gang();
  const std::uint32_t replication_ = GetParam() % 4;
};
INSTANTIATE_TEST_SUITE_P(OfEventfulWorlds, Timelines, testing::Range(0U, 12U));

TEST_P(Timelines, EventsHaveWhatTheirKindNeeds) {
  const Json trace = timeline_of(world_.scenario, replication_);
  const std::map<std::string, std::set<std::string>> needed{
      {"M", {"pid", "name", "args"}},
      {"X", {"pid", "tid", "ts", "dur", "name"}},
      {"i", {"pid", "tid", "ts", "name", "s"}},
      {"C", {"pid", "ts", "name", "args"}},
      {"s", {"pid", "tid", "ts", "name", "cat", "id"}},
      {"f", {"pid", "tid", "ts", "name", "cat", "id", "bp"}}};
  const double end = world_.scenario.horizon.seconds() * 1e6;
  std::map<std::string, int> count;
  for (const Json& event : trace["traceEvents"]) {
    const auto kind = needed.find(event["ph"].get<std::string>());
    ASSERT_NE(kind, needed.end()) << event;
    ++count[kind->first];
    for (const std::string& member : kind->second) EXPECT_TRUE(event.contains(member)) << event;
    if (!event.contains("ts")) continue;
    EXPECT_GE(event["ts"].get<double>(), 0) << event;
    EXPECT_LE(event["ts"].get<double>() + event.value("dur", 0.0), end) << event;
  }
  for (const auto* kind : {"M", "X", "C", "s", "f"}) EXPECT_GT(count[kind], 0) << kind;
}

TEST_P(Timelines, SlicesOnARowDoNotOverlap) {
  const Json trace = timeline_of(world_.scenario, replication_);
  std::map<Row, std::vector<std::pair<std::int64_t, std::int64_t>>> rows;
  for (const Json& event : events_of(trace, "X")) {
    rows[row_of(event)].emplace_back(ns(event["ts"]), ns(event["ts"]) + ns(event["dur"]));
  }
  for (auto& [row, slices] : rows) {
    std::sort(slices.begin(), slices.end());
    for (std::size_t i = 1; i < slices.size(); ++i) {
      EXPECT_LE(slices[i - 1].second, slices[i].first) << row.first << "/" << row.second;
    }
  }
}

TEST_P(Timelines, AJobIsAlwaysInOneState) {
  const Json trace = timeline_of(world_.scenario, replication_);
  for (const WorkloadConfig& workload : world_.scenario.workloads) {
    const auto& job = std::get<TrainingConfig>(workload);
    double covered = 0;
    for (const auto& [name, from, length] : slices_on(trace, job.name)) {
      EXPECT_NEAR(from, covered, 1e-6) << name;
      covered = from + length;
    }
    if (job.work) {  // until it is done, and with it the run
      EXPECT_GT(covered, job.work->seconds());
      EXPECT_LT(covered, world_.scenario.horizon.seconds());
    } else {
      EXPECT_NEAR(covered, world_.scenario.horizon.seconds(), 1e-6);
    }
  }
}

TEST_P(Timelines, EveryRowHasANameAndIsThereOnce) {
  const Json trace = timeline_of(world_.scenario, replication_);
  std::set<Row> named;
  std::set<std::string> names;
  for (const Json& event : events_of(trace, "M")) {
    if (event["name"] != "thread_name") continue;
    EXPECT_TRUE(named.insert(row_of(event)).second);
    EXPECT_TRUE(names.insert(event["args"]["name"].get<std::string>()).second);
  }
  for (const auto* kind : {"X", "i", "s", "f"}) {
    for (const Json& event : events_of(trace, kind)) EXPECT_EQ(named.count(row_of(event)), 1U);
  }
}

TEST_P(Timelines, CountersGoForwardInTimeAndAreNeverNegative) {
  const Json trace = timeline_of(world_.scenario, replication_);
  std::map<std::string, double> last;
  for (const Json& event : events_of(trace, "C")) {
    const auto [before, first] = last.try_emplace(event["name"], 0);
    EXPECT_GE(event["ts"].get<double>(), before->second);
    before->second = event["ts"];
    const std::int64_t nodes = event["args"]["nodes"];
    EXPECT_GE(nodes, 0);
    EXPECT_LE(nodes, 14);
    if (first) {
      EXPECT_EQ(nodes, 0);
    }
  }
  EXPECT_EQ(last.size(), 3U);
}

// Both ends of an arrow lie on slices that are written before them, so that viewers find them.
TEST_P(Timelines, ArrowsHaveTwoEndsOnSlices) {
  const Json trace = timeline_of(world_.scenario, replication_);
  std::map<Row, std::vector<std::pair<std::int64_t, std::int64_t>>> written;
  std::map<std::int64_t, std::int64_t> begins;
  std::map<std::int64_t, std::int64_t> ends;
  for (const Json& event : trace["traceEvents"]) {
    if (event["ph"] == "X") {
      written[row_of(event)].emplace_back(ns(event["ts"]), ns(event["ts"]) + ns(event["dur"]));
    }
    if (event["ph"] != "s" && event["ph"] != "f") continue;
    const std::int64_t at = ns(event["ts"]);
    auto& side = event["ph"] == "s" ? begins : ends;
    EXPECT_TRUE(side.emplace(event["id"].get<std::int64_t>(), at).second);
    const auto& slices = written[row_of(event)];
    EXPECT_TRUE(std::any_of(slices.begin(), slices.end(), [&](const auto& slice) {
      return slice.first <= at && at <= slice.second;
    })) << event;
  }
  EXPECT_EQ(begins, ends);
  EXPECT_GT(begins.size(), 5U);
}

// The rule by which the pieces of an outage are cut is the ledger's: per account they sum to what
// it says.
TEST_P(Timelines, PiecesOfOutagesSumToTheLedger) {
  const SimulationPlan plan(world_.scenario);
  struct Adding final : HappeningSink {
    explicit Adding(const SimulationPlan& plan)
        : outages(plan.jobs().size(), plan.fleet().slots()), sums(plan.jobs().size()) {}
    void on(const Happening& happening) override {
      outages.on(happening);
      for (std::size_t job = 0; job < sums.size(); ++job) {
        const Outage& outage = outages.latest(JobId(job));
        if (outage.last != happening.id) continue;
        SimTime covered = outage.from;
        for (const OutagePiece& piece : outage.pieces) {
          EXPECT_EQ(piece.from, covered);
          covered = piece.to;
          sums[job][static_cast<std::size_t>(piece.account)] += piece.to - piece.from;
        }
        EXPECT_EQ(covered, outage.to);
      }
    }
    Outages outages;
    std::vector<Ledger::Accounts> sums;
  } adding(plan);
  Ledger ledger(plan.jobs().size(), plan.fleet().slots());
  ledger.begin();
  Tee both(adding, ledger);
  Simulation(plan).run(RandomSource(7, replication_), both);
  const std::set<Account> running{Account::kProductive, Account::kRedo, Account::kCheckpoint,
                                  Account::kStraggler};
  for (std::size_t job = 0; job < plan.jobs().size(); ++job) {
    for (std::size_t a = 0; a < kAccounts; ++a) {
      if (running.count(static_cast<Account>(a)) > 0) continue;
      EXPECT_EQ(adding.sums[job][a], ledger.accounts(JobId(job))[a]) << job << kAccountNames[a];
    }
  }
}

}  // namespace
}  // namespace faultline
