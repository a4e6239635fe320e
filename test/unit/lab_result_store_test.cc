#include "sim/lab/store/result_store.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include "sim/lab/durations_text.h"
#include "sim/lab/store/version.h"
#include "test/support/eventful_world.h"
#include "test/support/run_program.h"

namespace faultline {
namespace {

using test::TemporaryFolder;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

Point point(const std::string& label, Duration horizon = 1_d) {
  return Point(label, EventfulWorld(horizon).scenario, "some=setting");
}

ResultStore open(const std::string& path) {
  auto store = ResultStore::open(path, std::chrono::milliseconds(20));
  if (!store) throw std::runtime_error(store.error());
  return std::move(*store);
}

// As another program sees the file: the first column of the rows.
std::vector<std::string> query(const std::string& path, const std::string& sql) {
  sqlite3* database = nullptr;
  sqlite3_open(path.c_str(), &database);
  std::vector<std::string> found;
  char* error = nullptr;
  sqlite3_exec(
      database, sql.c_str(),
      [](void* into, int, char** values, char**) {
        static_cast<std::vector<std::string>*>(into)->emplace_back(values[0] ? values[0] : "NULL");
        return 0;
      },
      &found, &error);
  if (error != nullptr) found.push_back(std::string("error: ") + error);
  sqlite3_free(error);
  sqlite3_close(database);
  return found;
}

std::string text(const Rows& rows) {
  std::string text;
  for (std::size_t i = 0; i < rows.finished.size(); ++i) {
    text += fmt::format("{}: {}\n", rows.finished[i], fmt::join(rows.values[i], " "));
  }
  return text;
}

class LabResultStoreTest : public testing::Test {
 protected:
  const TemporaryFolder folder_;
  const std::string path_ = folder_.file("results.db");
  const Point point_ = point("a");

  Rows simulated(std::uint32_t replications, Shard shard = {}) const {
    Runner runner({.threads = 1, .shard = shard});
    runner.run({{&point_, replications}});
    return runner.rows(point_);
  }
};

TEST_F(LabResultStoreTest, GivesBackWhatItGot) {
  const Rows rows = simulated(5);
  {
    ResultStore store = open(path_);
    ASSERT_TRUE(store.add(point_, 1, rows));
    EXPECT_EQ(text(*store.rows(point_, 1, 5)), text(rows));
  }
  const ResultStore store = open(path_);
  EXPECT_EQ(text(*store.rows(point_, 1, 100)), text(rows));
  EXPECT_EQ(store.rows(point_, 1, 3)->finished, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_TRUE(store.rows(point_, 2, 5)->finished.empty()) << "another seed";
  EXPECT_TRUE(store.rows(point("a", 2_d), 1, 5)->finished.empty()) << "another scenario";
  EXPECT_EQ(text(*store.rows(point("twin"), 1, 5)), text(rows)) << "the same scenario";
}

TEST_F(LabResultStoreTest, ClosedItIsOneFile) {
  { ASSERT_TRUE(open(path_).add(point_, 1, simulated(1))); }
  EXPECT_TRUE(std::filesystem::exists(path_));
  EXPECT_FALSE(std::filesystem::exists(path_ + "-wal"));
}

TEST_F(LabResultStoreTest, OthersCanReadItByName) {
  const Rows rows = simulated(3);
  { ASSERT_TRUE(open(path_).add(point_, 1, rows)); }
  EXPECT_THAT(query(path_, "PRAGMA application_id"), ElementsAre("1179407438"));  // "FLTN"
  EXPECT_THAT(query(path_, "PRAGMA user_version"), ElementsAre("2"));
  EXPECT_THAT(query(path_, "PRAGMA journal_mode"), ElementsAre("wal"));
  EXPECT_THAT(query(path_, "PRAGMA integrity_check"), ElementsAre("ok"));
  EXPECT_THAT(query(path_, "SELECT text FROM scenario"), ElementsAre(point_.text()));
  EXPECT_THAT(query(path_, "SELECT version FROM series"), ElementsAre(engine_version()));
  EXPECT_THAT(query(path_, "SELECT count(*) FROM metric"),
              ElementsAre(std::to_string(3 * point_.metrics().size())));
  EXPECT_THAT(query(path_,
                    "SELECT scenario || ' ' || settings || ' ' || seed FROM metric "
                    "WHERE metric = 'ettr_ratio' AND replication = 2"),
              ElementsAre("eventful some=setting 1"));
  const auto value = query(path_,
                           "SELECT value FROM metric "
                           "WHERE metric = 'ettr_ratio' AND replication = 2");
  EXPECT_NEAR(std::stod(value.front()), rows.values[2][0], 1e-14);
}

TEST_F(LabResultStoreTest, TheVersionNamesTheEngine) {
  EXPECT_THAT(engine_version(), MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+-[0-9a-f]{12}"));
  { ASSERT_TRUE(open(path_).add(point_, 1, simulated(3))); }
  query(path_, "UPDATE series SET version = '0.0.9-000000000000'");
  ResultStore store = open(path_);
  EXPECT_TRUE(store.rows(point_, 1, 3)->finished.empty());
  EXPECT_THAT(*store.versions(), ElementsAre("0.0.9-000000000000"));
  ASSERT_TRUE(store.add(point_, 1, simulated(2)));
  EXPECT_EQ(store.rows(point_, 1, 3)->finished.size(), 2U);
}

TEST_F(LabResultStoreTest, FailuresKeepTheirTextUntilTheReplicationSucceeds) {
  const std::string failure = "SELECT failure FROM replication WHERE number = 1";
  {
    ResultStore store = open(path_);
    ASSERT_TRUE(store.add_failure(point_, 1, 1, "spares went negative"));
    EXPECT_TRUE(store.rows(point_, 1, 5)->finished.empty());
  }
  EXPECT_THAT(query(path_, failure), ElementsAre("spares went negative"));
  { ASSERT_TRUE(open(path_).add(point_, 1, simulated(2))); }
  EXPECT_THAT(query(path_, failure), ElementsAre("NULL"));
}

TEST_F(LabResultStoreTest, RemembersExperimentsAndTheirShares) {
  const ResultStore::Experiment a{.words = {"sweep", "small", "--vary=x=1,2", "it's \"all\""},
                                  .seed = 7};
  const ResultStore::Experiment b{.words = {"sweep", "small"}, .seed = 7};
  {
    ResultStore store = open(path_);
    ASSERT_TRUE(store.remember(a, {2, 3}));
    ASSERT_TRUE(store.remember(a, {1, 3}));
    ASSERT_TRUE(store.remember(a, {2, 3}));
    ASSERT_TRUE(store.remember(b, {}));
  }
  const ResultStore store = open(path_);
  EXPECT_THAT(*store.experiments(), ElementsAre(a, b));
  const auto shares = store.shares(a);
  ASSERT_EQ(shares->size(), 2U);
  EXPECT_EQ(shares->front().number, 1U);
  EXPECT_EQ(shares->back().count, 3U);
}

TEST_F(LabResultStoreTest, MergeIsAUnion) {
  const std::string other = folder_.file("other.db");
  {
    ResultStore store = open(other);
    ASSERT_TRUE(store.add(point_, 1, simulated(7, {2, 2})));
    ASSERT_TRUE(store.add_failure(point_, 1, 9, "bad luck"));
    ASSERT_TRUE(store.remember({.words = {"sweep"}}, {2, 2}));
  }
  ResultStore store = open(path_);
  ASSERT_TRUE(store.add(point_, 1, simulated(7, {1, 2})));
  ASSERT_TRUE(store.remember({.words = {"sweep"}}, {1, 2}));
  for (int twice = 0; twice < 2; ++twice) {
    const auto merged = store.merge(other);
    ASSERT_TRUE(merged) << merged.error();
    EXPECT_EQ(text(*store.rows(point_, 1, 7)), text(simulated(7)));
    EXPECT_EQ(store.experiments()->size(), 1U);
    EXPECT_EQ(store.shares({.words = {"sweep"}})->size(), 2U);
  }
}

TEST_F(LabResultStoreTest, MergeRefusesRowsThatDiffer) {
  const std::string other = folder_.file("other.db");
  Rows rows = simulated(2);
  { ASSERT_TRUE(open(path_).add(point_, 1, rows)); }
  rows.values[1][0] += 1;
  { ASSERT_TRUE(open(other).add(point_, 1, rows)); }
  ResultStore store = open(path_);
  EXPECT_EQ(store.merge(other).error(), "replication 1 of eventful is not the same in `" + other +
                                            "` and in what was merged before");
  EXPECT_EQ(text(*store.rows(point_, 1, 2)), text(simulated(2))) << "it is as it was";
  EXPECT_EQ(store.merge(folder_.file("no.db")).error(),
            "there is no file `" + folder_.file("no.db") + "`");
}

TEST_F(LabResultStoreTest, HandsOutEveryValue) {
  ResultStore store = open(path_);
  const Rows rows = simulated(2);
  ASSERT_TRUE(store.add(point_, 1, rows));
  std::size_t n = 0;
  const std::size_t metrics = point_.metrics().size();
  ASSERT_TRUE(store.for_each_value([&](const ResultStore::Value& value) {
    EXPECT_EQ(value.scenario, "eventful");
    EXPECT_EQ(value.settings, "some=setting");
    EXPECT_EQ(value.hash, point_.hash());
    EXPECT_EQ(value.replication, n / metrics);
    EXPECT_EQ(value.metric, point_.metrics()[n % metrics].text());
    const double expected = rows.values[n / metrics][n % metrics];
    EXPECT_TRUE(value.value == expected || std::isnan(expected));
    ++n;
  }));
  EXPECT_EQ(n, 2 * metrics);
}

TEST_F(LabResultStoreTest, ASecondOneWaitsAndThenSaysWhoHoldsIt) {
  const ResultStore first = open(path_);
  const auto second = ResultStore::open(path_, std::chrono::milliseconds(20));
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error(), MatchesRegex("`.*results.db` is in use by (process [0-9]+ \\(.*\\)|"
                                           "another process)"));
}

TEST_F(LabResultStoreTest, OtherFilesAreRefused) {
  const auto error = [](const std::string& path) {
    const auto store = ResultStore::open(path, std::chrono::milliseconds(20));
    return store ? "opened" : store.error();
  };
  const std::string text_file = folder_.write("text.db", std::string(5000, 'x'));
  EXPECT_EQ(error(text_file), "cannot use `" + text_file + "`: file is not a database");
  const std::string foreign = folder_.file("foreign.db");
  query(foreign, "CREATE TABLE t(x)");
  EXPECT_EQ(error(foreign), "`" + foreign + "` is a database, but no result store of faultline");
  EXPECT_THAT(query(foreign, "SELECT name FROM sqlite_schema"), ElementsAre("t"));
  { open(path_); }
  query(path_, "PRAGMA user_version = 3");
  EXPECT_EQ(error(path_), "`" + path_ + "` is of a newer faultline (schema 3; this one knows 2)");
  EXPECT_EQ(error("/nonexistent/x.db"),
            "cannot use `/nonexistent/x.db`: unable to open database file (No such file or "
            "directory)");
  EXPECT_EQ(error(folder_.write("empty.db", "")), "opened");
}

// A file of schema 1 had no durations.
TEST_F(LabResultStoreTest, OlderFilesAreBroughtUpToDate) {
  const Rows rows = simulated(2);
  { ASSERT_TRUE(open(path_).add(point_, 1, rows)); }
  query(path_, "DROP TABLE durations; PRAGMA user_version = 1");
  {
    ResultStore store = open(path_);
    EXPECT_EQ(text(*store.rows(point_, 1, 2)), text(rows));
    Runner runner({.threads = 1, .store = &store, .durations = true});
    EXPECT_TRUE(runner.run({{&point_, 2}}));
    EXPECT_EQ(runner.simulated(), 2U);
  }
  EXPECT_THAT(query(path_, "PRAGMA user_version"), ElementsAre("2"));
  EXPECT_THAT(query(path_, "SELECT count(*) FROM durations"), ElementsAre("2"));
  EXPECT_THAT(query(path_, "SELECT count(*) FROM replication"), ElementsAre("2"));
}

TEST_F(LabResultStoreTest, DurationsAreThoseOfOneProcess) {
  Runner undisturbed({.threads = 2, .durations = true});
  EXPECT_TRUE(undisturbed.run({{&point_, 9}}));
  const std::string expected = durations_to_text(undisturbed.durations(point_));
  EXPECT_THAT(expected, StartsWith("{\"buckets\":[0,"));
  const std::string other = folder_.file("other.db");
  for (const std::uint32_t number : {1U, 2U}) {
    ResultStore store = open(number == 1 ? path_ : other);
    Runner share({.threads = 2, .shard = {number, 2}, .store = &store, .durations = true});
    EXPECT_TRUE(share.run({{&point_, 7}}));
  }
  ResultStore store = open(path_);
  const auto merged = store.merge(other);
  ASSERT_TRUE(merged) << merged.error();
  Runner runner({.threads = 2, .store = &store, .durations = true});
  EXPECT_TRUE(runner.run({{&point_, 5}}));
  EXPECT_TRUE(runner.run({{&point_, 9}}));
  EXPECT_EQ(runner.simulated(), 2U);
  EXPECT_EQ(durations_to_text(runner.durations(point_)), expected);
}

TEST_F(LabResultStoreTest, MergeRefusesDurationsThatDiffer) {
  const std::string other = folder_.file("other.db");
  for (const std::string& path : {path_, other}) {
    ResultStore store = open(path);
    Runner runner({.threads = 1, .store = &store, .durations = true});
    EXPECT_TRUE(runner.run({{&point_, 2}}));
  }
  query(other, "UPDATE durations SET text = '{}' WHERE number = 1");
  EXPECT_EQ(open(path_).merge(other).error(), "replication 1 of eventful is not the same in `" +
                                                  other + "` and in what was merged before");
}

TEST_F(LabResultStoreTest, DamagedDurationsAreAnError) {
  {
    ResultStore store = open(path_);
    Runner runner({.threads = 1, .store = &store, .durations = true});
    EXPECT_TRUE(runner.run({{&point_, 2}}));
  }
  query(path_, "UPDATE durations SET text = replace(text, '[0,', '[77777,') WHERE number = 1");
  ResultStore store = open(path_);
  EXPECT_TRUE(store.rows(point_, 1, 2));
  Runner runner({.store = &store, .durations = true});
  EXPECT_FALSE(runner.run({{&point_, 2}}));
  EXPECT_EQ(runner.problem(),
            "`" + path_ + "` is damaged: the durations of replication 1 of eventful");
}

TEST_F(LabResultStoreTest, DamageIsAnError) {
  { ASSERT_TRUE(open(path_).add(point_, 1, simulated(2))); }
  query(path_, "UPDATE replication SET metrics = '[1,2]' WHERE number = 1");
  const ResultStore store = open(path_);
  EXPECT_EQ(store.rows(point_, 1, 2).error(),
            "`" + path_ + "` is damaged: the metrics of replication 1 of eventful");
  EXPECT_EQ(store.rows(point_, 1, 1)->finished.size(), 1U);
}

TEST_F(LabResultStoreTest, TheRunnerContinuesFromIt) {
  const std::string all = text(simulated(12));
  {
    ResultStore store = open(path_);
    Runner runner({.threads = 2, .shard = {1, 3}, .store = &store});
    EXPECT_TRUE(runner.run({{&point_, 12}}));
    EXPECT_EQ(runner.simulated(), 4U);
  }
  ResultStore store = open(path_);
  Runner runner({.threads = 2, .store = &store});
  EXPECT_EQ(runner.missing({{&point_, 12}}).size(), 8U);
  EXPECT_EQ(runner.stored(), 4U);
  EXPECT_TRUE(runner.run({{&point_, 12}}));
  EXPECT_EQ(runner.simulated(), 8U);
  EXPECT_EQ(runner.stored(), 4U);
  EXPECT_EQ(text(runner.rows(point_)), all);
  Runner again({.store = &store});
  EXPECT_TRUE(again.run({{&point_, 5}}));
  EXPECT_TRUE(again.run({{&point_, 12}}));
  EXPECT_EQ(again.simulated(), 0U);
  EXPECT_EQ(text(again.rows(point_)), all);
}

TEST_F(LabResultStoreTest, TheRunnerReportsItsProblems) {
  { ASSERT_TRUE(open(path_).add(point_, 1, simulated(2))); }
  query(path_, "UPDATE replication SET metrics = '[1,2]' WHERE number = 1");
  ResultStore store = open(path_);
  Runner runner({.store = &store});
  EXPECT_FALSE(runner.run({{&point_, 5}}));
  EXPECT_THAT(runner.problem().value_or(""), HasSubstr("is damaged"));
}

}  // namespace
}  // namespace faultline
