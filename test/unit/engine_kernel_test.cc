// The kernel alone: the clock, the numbers of happenings, the newest one of a node, slots of expectations.
#include "sim/engine/kernel.h"

#include <gtest/gtest.h>

#include "models/base/check.h"
#include "test/support/micro_world.h"

namespace faultline {
namespace {

class KernelTest : public testing::Test {
 protected:
  KernelTest() : kernel_(1, 4, 0) {
    kernel_.tell(journal_);
    kernel_.begin(random_, 1_h);
  }
  RandomSource random_{1, 0};
  Journal journal_;
  Kernel kernel_;
};

TEST_F(KernelTest, TheClockGoesFromOneExpectationToTheNext) {
  const Calendar::Slot removed = kernel_.of_node(Expect::kRemoved, {NodeSlot(3), 0});
  kernel_.expect(kernel_.layout().job(JobId(0)), at(20_min), Expect::kJob);
  kernel_.expect(removed, at(20_min), Expect::kRemoved);
  kernel_.expect(kernel_.layout().arrival(0), at(1_h), Expect::kArrival);
  // Of equal times, the one that stands first on the path from the fault to progress.
  EXPECT_EQ(kernel_.next()->slot, removed);
  EXPECT_EQ(kernel_.now(), at(20_min));
  EXPECT_EQ(kernel_.next()->slot, kernel_.layout().job(JobId(0)));
  EXPECT_FALSE(kernel_.next());  // at the horizon the run is over
  kernel_.to_the_end();
  EXPECT_EQ(kernel_.now(), at(1_h));
}

TEST_F(KernelTest, TheRunCanBeOverSooner) {
  kernel_.expect(kernel_.layout().arrival(0), at(5_min), Expect::kArrival);
  kernel_.expect(kernel_.layout().arrival(1), at(6_min), Expect::kArrival);
  kernel_.next();
  kernel_.end_now();
  EXPECT_FALSE(kernel_.next());
  kernel_.to_the_end();
  EXPECT_EQ(kernel_.now(), at(5_min));
}

TEST_F(KernelTest, TheClockNeverGoesBack) {
  kernel_.expect(kernel_.layout().arrival(0), at(5_min), Expect::kArrival);
  kernel_.next();
  kernel_.expect(kernel_.layout().arrival(0), at(4_min), Expect::kArrival);
  EXPECT_THROW(kernel_.next(), InternalError);
}

TEST_F(KernelTest, TwoGenerationsOfANodeHaveSlotsOfTheirOwn) {
  const NodeId old{NodeSlot(2), 6};
  const NodeId coming{NodeSlot(2), 7};
  const Calendar::Slot slot = kernel_.of_node(Expect::kRemoved, old);
  EXPECT_NE(slot, kernel_.of_node(Expect::kRemoved, coming));
  EXPECT_EQ(slot, kernel_.of_node(Expect::kRemoved, {NodeSlot(2), 8}));
  EXPECT_EQ(kernel_.node_slot_of(slot), NodeSlot(2));
  EXPECT_EQ(kernel_.parity_of(slot), 0U);
}

TEST_F(KernelTest, TheNewestHappeningOfANodeCausesTheNext) {
  const NodeId node{NodeSlot(1), 0};
  EXPECT_FALSE(kernel_.newest(NodeSlot(1)).valid());
  kernel_.emit_of(NodeSlot(1), NodeDrained{node});
  kernel_.emit(RunEnded{}, HappeningId());
  kernel_.emit_of(NodeSlot(1), NodeRequested{{NodeSlot(1), 1}});
  ASSERT_EQ(journal_.happenings.size(), 3U);
  EXPECT_FALSE(journal_.happenings[0].cause.valid());
  EXPECT_EQ(journal_.happenings[2].id, HappeningId(2));
  EXPECT_EQ(journal_.happenings[2].cause, HappeningId(0));
  EXPECT_EQ(kernel_.newest(NodeSlot(1)), HappeningId(2));
}

}  // namespace
}  // namespace faultline
