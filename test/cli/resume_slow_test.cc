#include <gtest/gtest.h>

#include "test/support/kill_and_resume.h"

namespace faultline::test {
namespace {

TEST(ResumeSlowTest, AHundredKillsAtRandomInstants) {
  EXPECT_EQ(kill_and_resume("30000", 100, std::chrono::milliseconds(500)), 100);
}

}  // namespace
}  // namespace faultline::test
