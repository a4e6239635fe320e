// A sweep that is killed again and again, and continued from its result store: at the end its report must be
// that of one that nobody disturbed.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <iostream>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "test/support/run_program.h"

namespace faultline::test {

// `reps` replications of two points; so many SIGKILLs, each up to `longest` after the start. Returns how many
// hit a process that was still at work.
inline int kill_and_resume(const std::string& reps, int kills, std::chrono::milliseconds longest) {
  const TemporaryFolder folder;
  const std::string store = folder.file("results.db");
  const std::vector<std::string> sweep{"sweep",  "llama3", "--vary",   "policy.gate=off,20%",
                                       "--reps", reps,     "--format", "json"};
  std::vector<std::string> stored = sweep;
  stored.insert(stored.end(), {"-o", store});
  std::mt19937 random(1);
  int hits = 0;
  for (int i = 0; i < kills; ++i) {
    Program program(stored);
    const auto most = static_cast<std::uint32_t>(longest.count()) * 1000;
    std::this_thread::sleep_for(std::chrono::microseconds(random() % most));
    program.send(SIGKILL);
    if (program.wait().code == -SIGKILL) ++hits;
  }
  const ProgramResult resumed = faultline(stored);
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  const ProgramResult undisturbed = faultline(sweep);
  EXPECT_TRUE(resumed.out == undisturbed.out) << "the reports differ";
  ::testing::Test::RecordProperty("resumed", resumed.err);
  std::cout << hits << " of " << kills << " kills hit; then " << resumed.err;
  return hits;
}

}  // namespace faultline::test
