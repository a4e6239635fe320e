#include <gtest/gtest.h>

#include "test/support/kill_and_resume.h"

namespace faultline::test {
namespace {

TEST(ResumeSlowTest, AHundredKillsAtRandomInstants) {
  const KillResult result = kill_and_resume("15000", 100, std::chrono::milliseconds(300));
  EXPECT_EQ(result.hits, 100);
  EXPECT_GT(result.stored, 1000);
}

}  // namespace
}  // namespace faultline::test
