// A killed experiment is continued, and its report is that of an undisturbed one. A hundred kills:
// resume_slow_test.cc.
#include <gtest/gtest.h>

#include "test/support/kill_and_resume.h"

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

TEST(ResumeTest, AFewKillsOfASweep) { kill_and_resume(kSweepToKill, 6, 60ms); }

TEST(ResumeTest, AFewKillsOfARun) { kill_and_resume(kRunToKill, 6, 60ms, {"json", "text"}); }

}  // namespace
}  // namespace faultline::test
