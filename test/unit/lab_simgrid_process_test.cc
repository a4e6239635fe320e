// A SimGrid process that is not there, or goes away.
#include "sim/lab/collectives/simgrid_process.h"

#include <gtest/gtest.h>

namespace faultline {
namespace {

TEST(SimGridProcess, WhatGoesWrongIsASentence) {
  const Fabric fabric(FabricConfig{}, 2, 8, 8);
  const auto missing = SimGridProcess::start("/no/such/program", fabric);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error(), "cannot start `/no/such/program`: No such file or directory");
  auto silent = SimGridProcess::start("/bin/true", fabric);
  ASSERT_TRUE(silent) << silent.error();
  const auto answer = silent->ask({.flows = {{0, 8, 1000, 0}}});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error(), "the SimGrid process ended before it answered");
}

TEST(SimGridProcess, NonsenseIsNoAnswer) {
  const Fabric fabric(FabricConfig{}, 2, 8, 8);
  auto echo = SimGridProcess::start("/bin/cat", fabric);
  ASSERT_TRUE(echo) << echo.error();
  const auto answer = echo->ask({.flows = {{0, 8, 1000, 0}}});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error(), "a malformed answer line");
}

}  // namespace
}  // namespace faultline
