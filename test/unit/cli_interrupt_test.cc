#include "sim/cli/interrupt.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>

namespace faultline {
namespace {

using namespace std::chrono_literals;

// Until a fact of another thread; what never comes ends in the time-out of the test.
template <class Fact>
void await(Fact fact) {
  while (!fact()) std::this_thread::sleep_for(1ms);
}

void await_requested(const Interrupt& interrupt) {
  await([&] { return interrupt.requested().load(); });
}

// Nobody has still to take one of the signals.
bool none_pending() {
  sigset_t pending{};
  sigpending(&pending);
  return sigismember(&pending, SIGINT) == 0 && sigismember(&pending, SIGTERM) == 0;
}

TEST(CliInterruptTest, TheFirstSignalOnlySetsTheFlag) {
  const Interrupt interrupt;
  EXPECT_FALSE(interrupt.requested());
  kill(getpid(), SIGINT);
  await_requested(interrupt);
}

TEST(CliInterruptTest, ASecondOneCanBeMadeAfterwards) {
  for (int i = 0; i < 3; ++i) {
    const Interrupt interrupt;
    EXPECT_FALSE(interrupt.requested());
  }
}

// `timeout` sends one to its child and one to the child's group.
TEST(CliInterruptTest, SeveralAtOnceAreOneWish) {
  const Interrupt interrupt(1h);
  kill(getpid(), SIGTERM);
  await_requested(interrupt);
  for (const int signal : {SIGTERM, SIGINT, SIGTERM}) {
    kill(getpid(), signal);
    await(none_pending);
  }
  EXPECT_TRUE(interrupt.requested()) << "and this process lives";
}

TEST(CliInterruptDeathTest, ALaterSignalKills) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(
      {
        const Interrupt interrupt(0ms);
        kill(getpid(), SIGINT);
        await_requested(interrupt);
        kill(getpid(), SIGINT);
        await([] { return false; });
      },
      testing::KilledBySignal(SIGINT), "");
}

}  // namespace
}  // namespace faultline
