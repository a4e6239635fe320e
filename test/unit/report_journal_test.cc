// The journal: what is written is what is read, and every metric is a pure function of it.
#include <gtest/gtest.h>

#include <bit>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "sim/engine/metrics.h"
#include "sim/engine/plan.h"
#include "sim/engine/simulation.h"
#include "sim/report/happening_fields.h"
#include "sim/report/journal.h"
#include "sim/report/journal_reader.h"
#include "test/support/eventful_world.h"
#include "test/support/happening_digest.h"

namespace faultline {
namespace {

std::string journal_of(const Scenario& scenario, std::uint32_t replication = 0) {
  const SimulationPlan plan(scenario);
  std::ostringstream out;
  JournalWriter writer(plan, out, 7, replication);
  Simulation(plan).run(RandomSource(7, replication), writer);
  EXPECT_TRUE(writer.finish());
  return out.str();
}

tl::expected<RecordedRun, std::string> read(const std::string& text) {
  std::istringstream in(text);
  return read_journal(in);
}

std::string error_of(const std::string& text) {
  const auto journal = read(text);
  return journal ? "no error" : journal.error();
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// The first line of a small journal, and a whole one around the lines of its happenings.
const std::string kHeader =
    R"({"journal":"faultline","schema_version":2,"scenario":"s","seed":1,"replication":0,)"
    R"("horizon_seconds":60,"pools":[{"name":"train","nodes":2}],"jobs":["llama3"],)"
    R"("classes":[{"name":"gpu","per_gpu":true}],"conditions":["Ready"],"reasons":["Xid79"]})"
    "\n";
const std::string kEnd = R"({"t":60,"id":1,"what":"RunEnded"})"
                         "\n";

// --- writing -------------------------------------------------------------------------------------

TEST(JournalWriter, HeaderSaysWhatTheRestIsAbout) {
  const EventfulWorld world;
  const auto head = nlohmann::json::parse(lines_of(journal_of(world.scenario, 3)).front());
  EXPECT_EQ(head["journal"], "faultline");
  EXPECT_EQ(head["schema_version"], 2);
  EXPECT_EQ(head["scenario"], "eventful");
  EXPECT_EQ(head["seed"], 7);
  EXPECT_EQ(head["replication"], 3);
  EXPECT_EQ(head["horizon_seconds"], 14 * 86400);
  EXPECT_EQ(head["jobs"], nlohmann::json({"left", "right"}));
  EXPECT_EQ(head["pools"], (nlohmann::json{{{"name", "train"}, {"nodes", 14}}}));
  EXPECT_EQ(head["conditions"][0], "Ready");
  EXPECT_EQ(head["classes"].size(), world.scenario.faults.classes.size());
  EXPECT_EQ(head["classes"][0]["name"], "lost");
  EXPECT_EQ(head["classes"][0]["per_gpu"], true);
}

TEST(JournalWriter, OneLinePerHappeningWithItsFieldsByName) {
  const EventfulWorld world;
  const SimulationPlan plan(world.scenario);
  std::ostringstream out;
  JournalWriter writer(plan, out, 1, 0);
  writer.on({.time = SimTime::at(12_d + 1_ns),
             .id = HappeningId(0),
             .cause = {},
             .what = FaultStruck{.fault = FaultId(4),
                                 .fault_class = FaultClassId(0),
                                 .node = {NodeSlot(3), 2},
                                 .job = {},
                                 .gpu = 5}});
  writer.on({.time = SimTime::at(12_d + 1_s),
             .id = HappeningId(1),
             .cause = HappeningId(0),
             .what = ConditionChanged{.node = {NodeSlot(3), 2},
                                      .condition = ConditionId(0),
                                      .status = ConditionStatus::kUnknown,
                                      .reason = {}}});
  writer.on({.time = SimTime::at(12_d + 1_s),
             .id = HappeningId(2),
             .cause = HappeningId(1),
             .what = FaultBehind{.node = {NodeSlot(3), 2},
                                 .reason = ReasonId(0),
                                 .fault = FaultId(4),
                                 .fault_class = FaultClassId(0),
                                 .since_fault = 1_s - 1_ns}});
  writer.on({.time = SimTime::at(13_d),
             .id = HappeningId(3),
             .cause = HappeningId(1),
             .what = JobInterrupted{.job = JobId(1),
                                    .kind = StopKind::kDrain,
                                    .node = {},
                                    .fault_class = {},
                                    .work_lost = 290_s}});
  ASSERT_TRUE(writer.finish());
  const std::vector<std::string> lines = lines_of(out.str());
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines[1],
            R"({"t":1036800.000000001,"id":0,"what":"FaultStruck","fault":4,"class":"lost",)"
            R"("node":"train-3.g2","gpu":5,"primary":true})");
  EXPECT_EQ(lines[2],
            R"({"t":1036801,"id":1,"cause":0,"what":"ConditionChanged","node":"train-3.g2",)"
            R"("condition":"Ready","status":"Unknown"})");
  EXPECT_EQ(lines[3],
            R"({"t":1036801,"id":2,"cause":1,"what":"FaultBehind","node":"train-3.g2",)"
            R"("reason":"GpuLost","fault":4,"class":"lost","since_fault_seconds":0.999999999})");
  EXPECT_EQ(lines[4],
            R"({"t":1123200,"id":3,"cause":1,"what":"JobInterrupted","job":"right","kind":"drain",)"
            R"("work_lost_seconds":290,"already_down":false})");
}

TEST(JournalWriter, TellsThatTheStreamFailed) {
  const EventfulWorld world;
  const SimulationPlan plan(world.scenario);
  std::ostringstream out;
  JournalWriter writer(plan, out, 1, 0);
  out.setstate(std::ios::badbit);
  writer.on({.time = {}, .id = HappeningId(0), .cause = {}, .what = RunEnded{}});
  EXPECT_FALSE(writer.finish());
}

// --- round trip ----------------------------------------------------------------------------------

class Journals : public testing::TestWithParam<std::uint32_t> {
 protected:
  // Replications 0 and 1 of every world.
  const EventfulWorld world_ = GetParam() < 2   ? EventfulWorld()
                               : GetParam() < 4 ? EventfulWorld::mended()
                                                : EventfulWorld::gang();
  const std::uint32_t replication_ = GetParam() % 2;
};
INSTANTIATE_TEST_SUITE_P(OfEventfulWorlds, Journals, testing::Range(0U, 6U));

TEST(JournalWriter, EveryKindOfHappeningOccursInTheTests) {
  std::vector<std::size_t> count(std::variant_size_v<Happening::What>);
  for (const EventfulWorld& world :
       {EventfulWorld(), EventfulWorld::mended(), EventfulWorld::gang()}) {
    const auto journal = read(journal_of(world.scenario));
    ASSERT_TRUE(journal) << journal.error();
    for (const Happening& happening : journal->happenings) ++count[happening.what.index()];
  }
  for (std::size_t kind = 0; kind < count.size(); ++kind) {
    EXPECT_GT(count[kind], 0U) << "kind " << kind;
  }
}

TEST_P(Journals, AreReadAsTheyWereWritten) {
  const SimulationPlan plan(world_.scenario);
  HappeningDigest written;
  Simulation(plan).run(RandomSource(7, replication_), written);
  const auto journal = read(journal_of(world_.scenario, replication_));
  ASSERT_TRUE(journal) << journal.error();
  HappeningDigest reread;
  for (const Happening& happening : journal->happenings) reread.on(happening);
  EXPECT_EQ(reread.happenings(), written.happenings());
  EXPECT_EQ(reread.digest(), written.digest());
  EXPECT_TRUE(journal->names == HappeningNames(plan));
  EXPECT_EQ(journal->header.seed, 7U);
  EXPECT_EQ(journal->header.replication, replication_);
  EXPECT_EQ(journal->header.horizon, world_.scenario.horizon);
}

// Bit for bit, because the same happenings are added up in the same order; a NaN (the mean of
// nothing) equals itself.
TEST_P(Journals, HoldEveryMetric) {
  const SimulationPlan plan(world_.scenario);
  const std::vector<MetricName> names = metric_names(plan);
  PooledDurations pooled(plan);
  RunMetrics live(plan, pooled);
  live.begin();
  Simulation(plan).run(RandomSource(7, replication_), live);

  const auto journal = read(journal_of(world_.scenario, replication_));
  ASSERT_TRUE(journal) << journal.error();
  PooledDurations pooled_again(plan);
  RunMetrics folded(plan, pooled_again);
  folded.begin();
  for (const Happening& happening : journal->happenings) folded.on(happening);

  ASSERT_EQ(live.values().size(), names.size());
  for (std::size_t m = 0; m < names.size(); ++m) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(folded.values()[m]),
              std::bit_cast<std::uint64_t>(live.values()[m]))
        << names[m].text() << ": " << folded.values()[m] << " and " << live.values()[m];
  }
  for (std::size_t job = 0; job < plan.jobs().size(); ++job) {
    EXPECT_EQ(folded.ledger().accounts(JobId(job)), live.ledger().accounts(JobId(job)));
  }
}

// --- reading what is not a journal ---------------------------------------------------------------

TEST(JournalReader, SmallJournal) {
  const auto journal =
      read(kHeader + R"({"t":1.5,"id":0,"what":"NodeDrained","node":"train-1.g1"})" + "\n" + kEnd);
  ASSERT_TRUE(journal) << journal.error();
  ASSERT_EQ(journal->happenings.size(), 2U);
  EXPECT_EQ(journal->happenings[0].time, SimTime::at(1500_ms));
  EXPECT_EQ(std::get<NodeDrained>(journal->happenings[0].what).node, (NodeId{NodeSlot(1), 1}));
  EXPECT_FALSE(journal->happenings[0].cause.valid());
}

TEST(JournalReader, SkipsKeysThatItDoesNotKnow) {
  EXPECT_EQ(
      error_of(kHeader + R"({"t":1,"id":0,"what":"JobResumed","job":"llama3","mood":"good"})" +
               "\n" + kEnd),
      "no error");
}

TEST(JournalReader, ForeignFiles) {
  EXPECT_EQ(error_of(""), "the journal is empty");
  const std::string foreign =
      R"(line 1: this is not a journal of faultline (one begins with {"journal":"faultline",...))";
  EXPECT_EQ(error_of("scenario: small\n"), foreign);
  EXPECT_EQ(error_of("\n"), foreign);
  EXPECT_EQ(error_of("[1,2]\n"), foreign);
  EXPECT_EQ(error_of(R"({"journal":"diary"})"), foreign);
  EXPECT_EQ(error_of(std::string("\x7f"
                                 "ELF\0\1\2",
                                 7)),
            foreign);
  EXPECT_EQ(error_of(R"({"journal":"faultline","schema_version":1})"),
            "line 1: the journal has schema_version 1; this faultline reads 2");
  EXPECT_NE(error_of(R"({"journal":"faultline","schema_version":2})")
                .find("line 1: the first line is damaged"),
            std::string::npos);
}

TEST(JournalReader, PoolThatNoMemoryHolds) {
  std::string header = kHeader;
  header.replace(header.find("\"nodes\":2"), 9, "\"nodes\":99999999999");
  EXPECT_EQ(error_of(header), "line 1: a pool has 99999999999 nodes");
}

TEST(JournalReader, CutOff) {
  const std::string whole = journal_of(EventfulWorld().scenario);
  const std::vector<std::string> lines = lines_of(whole);
  EXPECT_EQ(error_of(kHeader),
            "line 1: the journal ends before its run (no RunEnded): it was cut off");
  // In the middle of the last line.
  EXPECT_EQ(error_of(whole.substr(0, whole.size() - 5)),
            "line " + std::to_string(lines.size()) +
                ": is not a whole line of a journal; the file was cut off or changed");
  // After the line before.
  EXPECT_EQ(error_of(whole.substr(0, whole.size() - lines.back().size() - 1)),
            "line " + std::to_string(lines.size() - 1) +
                ": the journal ends before its run (no RunEnded): it was cut off");
}

TEST(JournalReader, LinesThatWereChanged) {
  const auto error = [](const std::string& line) { return error_of(kHeader + line + "\n" + kEnd); };
  EXPECT_EQ(error(R"({"t":1,"id":0,"what":"NodeDrained"})"),
            "line 2: NodeDrained: `node` is missing");
  EXPECT_EQ(error(R"({"t":1,"id":0,"what":"NodeDrained","node":"train-2"})"),
            "line 2: NodeDrained: `node` is `train-2`, which is unknown");
  EXPECT_EQ(error(R"({"t":1,"id":0,"what":"NodeDrained","node":"train-01"})"),
            "line 2: NodeDrained: `node` is `train-01`, which is unknown");
  EXPECT_EQ(error(R"({"t":1,"id":0,"what":"NodeDrained","node":7})"),
            "line 2: NodeDrained: `node` is `7` instead of a name");
  EXPECT_EQ(error(R"({"t":1,"id":0,"what":"NodeExploded"})"),
            "line 2: `what` is `NodeExploded`, which is unknown");
  EXPECT_EQ(error(R"({"t":1,"id":0})"), "line 2: `what` is missing");
  EXPECT_EQ(error(R"({"id":0,"what":"RunEnded"})"), "line 2: `t` is missing");
  EXPECT_EQ(error(R"({"t":1e2,"id":0,"what":"RunEnded"})"),
            "line 2: `t` is not a number of seconds with at most 9 decimals");
  EXPECT_EQ(error(R"({"t":1,"id":-1,"what":"RunEnded"})"),
            "line 2: `id` is not a whole number in its range");
  EXPECT_EQ(error(R"({"t":1,"id":5,"what":"RunEnded"})"),
            "line 2: `id` is 5 instead of 0: lines are missing or out of order");
  EXPECT_EQ(error(R"({"t":1,"id":0,"cause":0,"what":"RunEnded"})"),
            "line 2: `cause` is 0, which comes later");
  EXPECT_EQ(error(R"({"t":-1,"id":0,"what":"RunEnded"})"),
            "line 2: `t` is -1, before the 0 of the line before");
  EXPECT_EQ(error(R"({"t":61,"id":0,"what":"JobResumed","job":"llama3"})"),
            "line 3: `t` is 60, before the 61 of the line before");
  EXPECT_EQ(error(R"({"t":1,"id":0,"what":"RunEnded"})"),
            "line 3: comes after RunEnded, which is the last line of a journal");
  EXPECT_EQ(
      error(
          R"({"t":1,"id":0,"what":"RepairDecided","node":"train-0","action":"pray","on_call":true})"),
      "line 2: RepairDecided: `action` is `pray`, which is unknown");
  EXPECT_EQ(
      error(
          R"({"t":1,"id":0,"what":"RepairDecided","node":"train-0","action":"replace","on_call":1})"),
      "line 2: RepairDecided: `on_call` is `1` instead of true or false");
  const std::string damaged =
      "line 2: is not a whole line of a journal; the file was cut off or changed";
  EXPECT_EQ(error(R"({"t":1,"id":0,"what":{"a":1}})"), damaged);
  EXPECT_EQ(error(R"({"t":[1]})"), damaged);
  EXPECT_EQ(error("7"), damaged);
  EXPECT_EQ(error(""), damaged);
}

}  // namespace
}  // namespace faultline
