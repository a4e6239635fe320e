// Costs on disk: they come back to the last bit, and nothing else is taken for one.
#include "sim/lab/collectives/cost_file.h"

#include <gtest/gtest.h>

#include "test/support/run_program.h"

namespace faultline {
namespace {

Fabric fabric_of(std::optional<Bandwidth> busbw = std::nullopt, std::uint32_t nodes = 64) {
  FabricConfig config;
  config.busbw = busbw;
  return {config, nodes, 8, 8};
}

TEST(CostFile, ComesBackToTheLastBit) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("new/" + cost_file_name(fabric_of(), "simgrid"));
  CostMemo memo;
  memo.insert(7, {.seconds = 1.0 / 3,
                  .latency_part = 1e-300,
                  .algorithm = CollectiveAlgorithm::kTree,
                  .protocol = Protocol::kLL128,
                  .bottleneck = ElementId(12)});
  memo.insert(UINT64_MAX, {.seconds = 0.1});
  ASSERT_TRUE(write_cost_file(path, memo));
  const auto again = read_cost_file(path);
  ASSERT_TRUE(again) << again.error();
  EXPECT_EQ(again->size(), 2U);
  EXPECT_EQ(again->find(7)->seconds, 1.0 / 3);
  EXPECT_EQ(again->find(7)->latency_part, 1e-300);
  EXPECT_EQ(again->find(7)->algorithm, CollectiveAlgorithm::kTree);
  EXPECT_EQ(again->find(7)->protocol, Protocol::kLL128);
  EXPECT_EQ(again->find(7)->bottleneck, ElementId(12));
  EXPECT_FALSE(again->find(UINT64_MAX)->bottleneck.valid());
}

TEST(CostFile, TheNameTellsFabricsAndBackEndsApart) {
  const std::string name = cost_file_name(fabric_of(), "simgrid");
  EXPECT_EQ(name, cost_file_name(fabric_of(), "simgrid"));
  EXPECT_NE(name, cost_file_name(fabric_of(), "fluid"));
  EXPECT_NE(name, cost_file_name(fabric_of(Bandwidth{370e9}), "simgrid"));
  EXPECT_NE(name, cost_file_name(fabric_of(std::nullopt, 65), "simgrid"));
}

TEST(CostFile, BrokenFilesAreErrors) {
  const test::TemporaryFolder folder;
  EXPECT_EQ(read_cost_file(folder.file("missing"))->size(), 0U);
  const std::string header = "faultline collective costs, version 1\n";
  const std::string good = "0000000000000007 0.5 0.25 1 1 12\n";
  for (const std::string& text :
       {std::string(), std::string("something else\n"), header + "7 0.5\n", header + "x" + good,
        header + good + good, header + "0000000000000007 0.5 0.25 9 1 12\n",
        header + "0000000000000007 0.5 0.25 1 1 12 13\n"}) {
    const std::string path = folder.write("costs", text);
    const auto memo = read_cost_file(path);
    ASSERT_FALSE(memo) << text;
    EXPECT_NE(memo.error().find("no cost of a collective; delete the file"), std::string::npos);
  }
  const auto written = write_cost_file("/proc/no/such/file", CostMemo());
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error(), "cannot write `/proc/no/such/file`: No such file or directory");
}

}  // namespace
}  // namespace faultline
