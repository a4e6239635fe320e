#include <gtest/gtest.h>

#include "models/capacity/waiting_line.h"

namespace faultline {
namespace {

TEST(WaitingLine, ServesInTheOrderOfComingWhileItGrowsAndMovesOn) {
  WaitingLine<int> line;
  int joined = 0;
  int served = 0;
  // Two join for each that is served, so the ring grows while its start is somewhere inside.
  for (int round = 0; round < 100; ++round) {
    line.join(joined++);
    line.join(joined++);
    EXPECT_EQ(line.next(), served++);
  }
  while (!line.empty()) EXPECT_EQ(line.next(), served++);
  EXPECT_EQ(served, 200);
  line.join(7);
  line.clear();
  EXPECT_TRUE(line.empty());
}

}  // namespace
}  // namespace faultline
