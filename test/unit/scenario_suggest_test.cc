#include "sim/scenario/suggest.h"

#include <gtest/gtest.h>

namespace faultline {
namespace {

TEST(ScenarioSuggest, EditDistance) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("abc", ""), 3U);
  EXPECT_EQ(edit_distance("every", "evry"), 1U);   // one is missing
  EXPECT_EQ(edit_distance("every", "eevry"), 1U);  // two are swapped
  EXPECT_EQ(edit_distance("gate", "gait"), 2U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

TEST(ScenarioSuggest, ClosestName) {
  const std::vector<std::string> names{"nodes", "name", "nodes_per_rack", "gpu"};
  EXPECT_EQ(suggest("node", names), "nodes");
  EXPECT_EQ(suggest("NODES", names), "nodes");
  EXPECT_EQ(suggest("nodes_per_rak", names), "nodes_per_rack");
  EXPECT_EQ(suggest("gpus", names), "gpu");
}

TEST(ScenarioSuggest, NonsenseGetsNoAnswer) {
  EXPECT_EQ(suggest("zone", {"nodes", "name"}), "");
  EXPECT_EQ(suggest("x", {"a"}), "");
  EXPECT_EQ(suggest("", {"a"}), "");
  EXPECT_EQ(suggest(std::string(10'000, 'n'), {"nodes"}), "");
}

TEST(ScenarioSuggest, NamesInASentence) {
  EXPECT_EQ(join_names({}), "");
  EXPECT_EQ(join_names({"a"}), "a");
  EXPECT_EQ(join_names({"a", "b", "c"}), "a, b or c");
  EXPECT_EQ(join_names({"a", "b", "c"}, 2), "a, b, ...");
}

}  // namespace
}  // namespace faultline
