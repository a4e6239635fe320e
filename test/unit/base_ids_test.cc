#include "models/base/ids.h"

#include <gtest/gtest.h>

#include <type_traits>

namespace faultline {
namespace {

static_assert(!std::is_convertible_v<int, JobId>, "a number is not a job");
static_assert(!std::is_constructible_v<JobId, NodeSlot>, "a node is not a job");

TEST(BaseIds, TheDefaultIsInvalid) {
  EXPECT_FALSE(JobId().valid());
  EXPECT_TRUE(JobId(0).valid());
  EXPECT_NE(JobId(), JobId(0));
}

TEST(BaseIds, AnIdIsItsIndex) {
  EXPECT_EQ(NodeSlot(7).index(), 7U);
  EXPECT_EQ(NodeSlot(std::size_t{7}), NodeSlot(7));
  EXPECT_LT(NodeSlot(6), NodeSlot(7));
}

TEST(BaseIds, AReplacedNodeIsAnotherNodeInTheSameSlot) {
  const NodeId first{NodeSlot(3), 0};
  const NodeId second{NodeSlot(3), 1};
  EXPECT_EQ(first.slot, second.slot);
  EXPECT_NE(first, second);
  EXPECT_LT(first, second);
  EXPECT_LT(second, (NodeId{NodeSlot(4), 0}));
}

}  // namespace
}  // namespace faultline
