// `faultline collectives` as a user calls it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "test/support/command_on_file.h"

namespace faultline::test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

// 64 nodes on rails of 32 nodes a leaf, as in the worked example of models/collectives/MODEL.md.
constexpr const char* kRails =
    "extends: llama3\n"
    "scenario: rails\n"
    "fleet:\n"
    "  pools: [{name: train, nodes: 64}]\n"
    "  fabric: {topology: rail}\n"
    "workloads: [!training {name: llama3, nodes: 64}]\n";

class CollectivesTest : public CommandOnFile {
 protected:
  CollectivesTest() : CommandOnFile("collectives", "rails.yaml", kRails) {}
  nlohmann::json json(std::vector<std::string> more) {
    more.insert(more.end(), {"--format", "json"});
    const ProgramResult result = run(std::move(more));
    EXPECT_EQ(result.code, 0) << result.err;
    return nlohmann::json::parse(result.out);
  }
};

TEST_F(CollectivesTest, TheWorkedExampleByEveryBackEnd) {
  for (const char* back_end : {"analytic", "fluid", "simgrid"}) {
    const auto report =
        json({"--op", "all-reduce", "--bytes", "1GiB", "--algorithm", "hierarchical", "--protocol",
              "Simple", "--degrade", "rail3@train-17=10%", "--backend", back_end});
    const auto& cost = report["costs"][0];
    EXPECT_NEAR(cost["healthy_seconds"].get<double>(), 11.43168e-3, 1e-8) << back_end;
    EXPECT_NEAR(cost["seconds"].get<double>(), 4.23166e-3 + 54.612225e-3, 1e-7) << back_end;
    EXPECT_EQ(cost["bottleneck"], "rail3@node17");
    EXPECT_EQ(report["back_end"], back_end);
    EXPECT_EQ(report["job"]["reach"], "slowed");
    EXPECT_EQ(report["faults"][0]["part"], "rail3@node17");
    EXPECT_EQ(report["schema_version"], 2);
  }
}

TEST_F(CollectivesTest, TextForAPerson) {
  const ProgramResult healthy = run({});
  EXPECT_EQ(healthy.code, 0) << healthy.err;
  EXPECT_THAT(healthy.out, HasSubstr("64 nodes of 8 GPUs and 8 NICs on a rail fabric"));
  EXPECT_THAT(healthy.out, ContainsRegex("Faults +none"));
  EXPECT_THAT(healthy.out, ContainsRegex("all-reduce +512 +1MiB +tree"));
  const ProgramResult slow =
      run({"--degrade", "rail3@node17=10%+20us", "--degrade", "leaf9=dead", "--bytes", "4GiB"});
  EXPECT_THAT(slow.out, HasSubstr("rail3@node17 at 10%, 20.0us more latency; leaf9 is dead"));
  EXPECT_THAT(slow.out, HasSubstr("slowdown"));
  EXPECT_THAT(run({"--format", "md"}).out, HasSubstr("| operation |"));
}

TEST_F(CollectivesTest, AJobThatIsCutHasNoCosts) {
  const ProgramResult text = run({"--degrade", "gpu3@node17=dead"});
  EXPECT_EQ(text.code, 0);
  EXPECT_THAT(text.out, HasSubstr("cut: two of its GPUs have no path to each other"));
  const auto report = json({"--degrade", "gpu3@node17=dead"});
  EXPECT_EQ(report["job"]["reach"], "cut");
  EXPECT_TRUE(report["costs"][0]["seconds"].is_null());
}

TEST_F(CollectivesTest, CalibratedByItsBusBandwidth) {
  const auto report = json({"--set", "fleet.fabric.busbw=370GB/s", "--bytes", "1TiB", "--op",
                            "all-reduce", "--algorithm", "ring"});
  EXPECT_NEAR(report["fabric"]["efficiency"].get<double>(), 0.925, 1e-9);
  EXPECT_NEAR(report["costs"][0]["bus_bytes_per_second"].get<double>(), 370e9, 1e9);
}

TEST_F(CollectivesTest, SimGridsCostsAreKept) {
  const std::vector<std::string> words{"--backend",           "simgrid", "--cache",
                                       folder_.file("costs"), "--nodes", "8"};
  const ProgramResult first = run(words);
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_EQ(run(words).out, first.out);
  const ProgramResult nowhere =
      run({"--backend", "simgrid", "--cache", "/proc/none", "--nodes", "2"});
  EXPECT_EQ(nowhere.code, 3);
  EXPECT_THAT(nowhere.err, HasSubstr("cannot write `/proc/none/collectives-"));
}

TEST_F(CollectivesTest, MistakesAreSentences) {
  const std::string us = "faultline collectives: ";
  EXPECT_EQ(faultline({"collectives", "llama3"}).err,
            us + "scenario `llama3` has no fabric: see `faultline explain fleet.fabric`, or try "
                 "`llama3-fabric`\n");
  EXPECT_EQ(error({"--degrade", "rail9@node17=10%"}),
            us + "--degrade `rail9@node17=10%`: there is no rail9 (there are rails 0 to 7)\n");
  EXPECT_EQ(error({"--degrade", "rail3@node17"}),
            us + "--degrade `rail3@node17`: write PART=SHARE, such as rail3@node17=10% or "
                 "leaf12=dead\n");
  EXPECT_THAT(error({"--degrade", "nic3@node17=10%"}), HasSubstr("is no part of a fabric"));
  EXPECT_THAT(error({"--degrade", "rail3@node17=ded"}), HasSubstr("--degrade `rail3@node17=ded`"));
  EXPECT_THAT(error({"--degrade", "rail3@node17=110%"}), HasSubstr("110%"));
  EXPECT_EQ(
      error({"--backend", "simgird"}),
      us + "--backend: `simgird` is not analytic, fluid or simgrid; did you mean `simgrid`?\n");
  EXPECT_EQ(error({"--op", "allreduce"}),
            us + "--op: `allreduce` is not all-reduce, reduce-scatter, all-gather or all-to-all; "
                 "did you mean `all-reduce`?\n");
  EXPECT_EQ(error({"--bytes", "1"}).substr(0, us.size() + 12), us + "--bytes `1`:");
  EXPECT_EQ(error({"--nodes", "65"}), us + "--nodes: `65` is not a whole number from 1 to 64\n");
  EXPECT_EQ(error({"--op", "all-gather", "--algorithm", "tree"}),
            us + "the algorithm tree has no all-gather of this kind of group\n");
  EXPECT_EQ(error({"--cache", "x"}), us + "--cache goes with --backend simgrid\n");
  EXPECT_THAT(error({"--set", "fleet.pools[train].nics_per_node=3"}),
              HasSubstr("does not divide the 8 GPUs of a node"));
  const ProgramResult full = run({"-o", "/dev/full"});
  EXPECT_EQ(full.code, 3);
  EXPECT_THAT(full.err, HasSubstr("cannot write to `/dev/full`"));
}

}  // namespace
}  // namespace faultline::test
