#include <gtest/gtest.h>

#include "test/support/kill_and_resume.h"

namespace faultline::test {
namespace {

TEST(ResumeSlowTest, AHundredKillsOfASweepAtRandomInstants) {
  const KillResult result =
      kill_and_resume(sweep_to_kill("15000"), 100, std::chrono::milliseconds(300));
  EXPECT_EQ(result.hits, 100);
  EXPECT_GT(result.stored, 1000);
}

// (Durations take some 60 kB a replication, so fewer of them.)
TEST(ResumeSlowTest, AHundredKillsOfARunAtRandomInstants) {
  std::vector<std::string> run = run_to_kill("9000");
  run.insert(run.end(), {"--threads", "1"});
  const KillResult result = kill_and_resume(run, 100, std::chrono::milliseconds(100), {"text"});
  EXPECT_EQ(result.hits, 100);
  EXPECT_GT(result.stored, 1000);
}

}  // namespace
}  // namespace faultline::test
