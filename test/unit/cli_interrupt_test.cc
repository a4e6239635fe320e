#include "sim/cli/interrupt.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>

namespace faultline {
namespace {

bool soon(const std::atomic<bool>& flag) {
  for (int i = 0; i < 5000 && !flag; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return flag;
}

TEST(CliInterruptTest, TheFirstSignalOnlySetsTheFlag) {
  const Interrupt interrupt;
  EXPECT_FALSE(interrupt.requested());
  kill(getpid(), SIGINT);
  EXPECT_TRUE(soon(interrupt.requested()));
}

TEST(CliInterruptTest, ASecondOneCanBeMadeAfterwards) {
  for (int i = 0; i < 3; ++i) {
    const Interrupt interrupt;
    EXPECT_FALSE(interrupt.requested());
  }
}

// `timeout` sends one to its child and one to the child's group.
TEST(CliInterruptTest, TwoAtOnceAreOneWish) {
  const Interrupt interrupt;
  kill(getpid(), SIGTERM);
  ASSERT_TRUE(soon(interrupt.requested()));
  kill(getpid(), SIGTERM);
  kill(getpid(), SIGINT);
  std::this_thread::sleep_for(Interrupt::kSameWish / 2);
  EXPECT_TRUE(interrupt.requested()) << "and this process lives";
}

TEST(CliInterruptDeathTest, ALaterSignalKills) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(
      {
        const Interrupt interrupt;
        kill(getpid(), SIGINT);
        soon(interrupt.requested());
        std::this_thread::sleep_for(Interrupt::kSameWish + std::chrono::milliseconds(200));
        kill(getpid(), SIGINT);
        std::this_thread::sleep_for(std::chrono::seconds(60));
      },
      testing::KilledBySignal(SIGINT), "");
}

}  // namespace
}  // namespace faultline
