#include <gtest/gtest.h>

#include "test/support/kill_and_resume.h"

namespace faultline::test {
namespace {

TEST(ResumeSlowTest, AHundredKillsAtRandomInstants) {
  EXPECT_EQ(kill_and_resume("10000", 100, std::chrono::milliseconds(300)), 100);
}

}  // namespace
}  // namespace faultline::test
