// A killed sweep is continued, and its report is that of an undisturbed one. A hundred kills: resume_slow_test.cc.
#include <gtest/gtest.h>

#include "test/support/kill_and_resume.h"

namespace faultline::test {
namespace {

TEST(ResumeTest, AFewKills) {
  EXPECT_GE(kill_and_resume("600", 5, std::chrono::milliseconds(250)), 3);
}

}  // namespace
}  // namespace faultline::test
