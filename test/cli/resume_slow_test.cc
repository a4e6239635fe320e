#include <gtest/gtest.h>

#include "test/support/kill_and_resume.h"

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

TEST(ResumeSlowTest, AHundredKillsOfASweepAtRandomInstants) {
  kill_and_resume(kSweepToKill, 100, 300ms);
}

TEST(ResumeSlowTest, AHundredKillsOfARunAtRandomInstants) {
  kill_and_resume(kRunToKill, 100, 300ms, {"text"});
}

}  // namespace
}  // namespace faultline::test
