// The whole gate between the analytic cost and SimGrid's steps: 200 degraded fabrics of 64 nodes and
// 50 of 128.
#include <gtest/gtest.h>

#include "test/support/ring_gate.h"

namespace faultline {
namespace {

void expect_pass(const GateResult& result, int states) {
  EXPECT_LT(result.worst, kGate);
  EXPECT_EQ(result.without_alpha_caught, states);
  // (one state in six has no fault, and of the others not all slow either of the two rails)
  EXPECT_GE(result.wrong_rail_caught, states / 2);
}

TEST(CollectivesGateSlow, TwoHundredStatesOfSixtyFourNodes) {
  expect_pass(ring_gate(64, 0, 200), 200);
}
TEST(CollectivesGateSlow, FiftyStatesOf128Nodes) { expect_pass(ring_gate(128, 1000, 50), 50); }

}  // namespace
}  // namespace faultline
