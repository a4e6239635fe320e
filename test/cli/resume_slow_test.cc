#include <gtest/gtest.h>

#include "test/support/kill_and_resume.h"

namespace faultline::test {
namespace {

TEST(ResumeSlowTest, AHundredKillsAtRandomInstants) {
  EXPECT_EQ(kill_and_resume("100000", 100, std::chrono::milliseconds(1000)), 100);
}

}  // namespace
}  // namespace faultline::test
