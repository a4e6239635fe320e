// A killed experiment is continued, and its report is that of an undisturbed one. A hundred kills:
// resume_slow_test.cc.
#include <gtest/gtest.h>

#include "test/support/kill_and_resume.h"

namespace faultline::test {
namespace {

TEST(ResumeTest, AFewKillsOfASweep) {
  const KillResult result =
      kill_and_resume(sweep_to_kill("1000"), 6, std::chrono::milliseconds(60));
  EXPECT_GE(result.hits, 4);
  EXPECT_GT(result.stored, 0);
}

TEST(ResumeTest, AFewKillsOfARun) {
  const KillResult result =
      kill_and_resume(run_to_kill("2000"), 6, std::chrono::milliseconds(60), {"json", "text"});
  EXPECT_GE(result.hits, 4);
  EXPECT_GT(result.stored, 0);
}

}  // namespace
}  // namespace faultline::test
