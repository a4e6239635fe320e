// The line of fit nodes: who works, who stands by, who is next.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>

#include "models/workloads/gang.h"

namespace faultline {
namespace {

std::vector<NodeSlot> slots(int from, int to) {
  std::vector<NodeSlot> all;
  for (int slot = from; slot < to; ++slot) all.emplace_back(slot);
  return all;
}

// The worked example of gang.h.
TEST(Gang, StandbyThenSelection) {
  const RandomSource random(1, 0);
  Gang gang(JobId(0), 2, 1, slots(0, 5), {}, 5);
  Gang::Move move{};
  gang.leave(NodeSlot(0));
  gang.vacate(NodeSlot(0));
  ASSERT_TRUE(gang.take_standby(move));
  EXPECT_EQ(move.rank, 0U);
  EXPECT_EQ(move.to, NodeSlot(2));
  gang.leave(NodeSlot(1));
  gang.vacate(NodeSlot(1));
  EXPECT_FALSE(gang.take_standby(move));
  EXPECT_TRUE(gang.has_vacancy());
  EXPECT_EQ(gang.in_line(), 3U);
  gang.select(random, 0);
  EXPECT_FALSE(gang.has_vacancy());
  EXPECT_EQ(gang.standbys(), 1U);
  gang.enter(NodeSlot(0));
  EXPECT_EQ(gang.standbys(), 1U);
  EXPECT_EQ(gang.in_line(), 4U);
}

// One node and two standbys, as many as there are in line: each of the three works with probability 1/3. Over
// 3,000 selections the standard error of a count is sqrt(3000 x 2/9) = 25.8; 3.9 of them is alpha = 1e-4.
TEST(Gang, EveryChoiceHasTheSameChance) {
  std::array<int, 3> works{};
  Gang gang(JobId(0), 1, 2, slots(0, 3), {}, 3);
  NodeSlot working(0);
  for (std::uint32_t n = 0; n < 3000; ++n) {
    for (const Gang::Move& move : gang.select(RandomSource(1, 0), n)) working = move.to;
    ++works[working.index()];
  }
  for (const int count : works) EXPECT_NEAR(count, 1000, 3.9 * 25.8);
}

// Nodes at the end of the line stay out, although they work: a job that is formed anew takes those that have
// been fit for longest.
TEST(Gang, WhoCameLastStaysOut) {
  Gang gang(JobId(0), 2, 0, slots(0, 4), {}, 4);
  gang.to_the_end(NodeSlot(1));  // it has crashed and goes on: line 0 2 3 1
  gang.leave(NodeSlot(0));
  gang.vacate(NodeSlot(0));  // line 2 3 1
  std::set<NodeSlot> now;
  for (const Gang::Move& move : gang.select(RandomSource(1, 0), 0)) now.insert(move.to);
  EXPECT_EQ(now, (std::set{NodeSlot(2), NodeSlot(3)}));
}

TEST(Gang, PreemptedNodesStay) {
  Gang gang(JobId(0), 1, 0, slots(0, 1), slots(1, 3), 4);
  EXPECT_FALSE(gang.knows(NodeSlot(3)));
  gang.leave(NodeSlot(1));  // the first of the other pool is sick
  EXPECT_EQ(gang.preempt(), NodeSlot(2));
  EXPECT_FALSE(gang.preempt().valid());
  gang.enter(NodeSlot(1));
  EXPECT_EQ(gang.in_line(), 2U);
  EXPECT_EQ(gang.preempt(), NodeSlot(1));
  gang.begin();
  EXPECT_EQ(gang.in_line(), 1U);
  EXPECT_EQ(gang.preempt(), NodeSlot(1));
}

// A node that works but is not fit keeps its place until a selection gives it to another.
TEST(Gang, UnfitNodeKeepsItsPlaceUntilASelection) {
  Gang gang(JobId(0), 2, 0, slots(0, 3), {}, 3);
  gang.leave(NodeSlot(0));
  EXPECT_FALSE(gang.has_vacancy());
  gang.enter(NodeSlot(0));  // fit again: it works on, at the end of the line
  EXPECT_EQ(gang.in_line(), 3U);
  gang.leave(NodeSlot(0));
  const auto& moves = gang.select(RandomSource(1, 0), 0);
  ASSERT_EQ(moves.size(), 1U);
  EXPECT_EQ(moves[0].rank, 0U);
  EXPECT_EQ(moves[0].to, NodeSlot(2));
  gang.enter(NodeSlot(0));
  EXPECT_EQ(gang.in_line(), 3U);
}

}  // namespace
}  // namespace faultline
