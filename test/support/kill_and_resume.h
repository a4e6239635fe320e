// An experiment that is killed again and again, and continued from its result store: at the end its report must be
// that of one that nobody disturbed.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <iostream>
#include <random>
#include <regex>
#include <string>
#include <thread>
#include <vector>

#include "test/support/run_program.h"

namespace faultline::test {

struct KillResult {
  int hits = 0;    // kills of a process that was at work
  int stored = 0;  // replications that they left behind
};

// A sweep of two points, and a run, whose store also has the durations.
inline std::vector<std::string> sweep_to_kill(const std::string& reps) {
  return {"sweep", "llama3", "--vary", "policy.gate=off,20%", "--reps", reps};
}
inline std::vector<std::string> run_to_kill(const std::string& reps) {
  return {"run", "llama3", "--reps", reps};
}

// The command, and so many SIGKILLs at random instants, up to `longest` after the start of
// the process; every second time, after it has written something, so that the work goes on however slow the
// machine is.
inline KillResult kill_and_resume(const std::vector<std::string>& command, int kills,
                                  std::chrono::milliseconds longest,
                                  const std::vector<std::string>& formats = {"json"}) {
  const TemporaryFolder folder;
  const std::string store = folder.file("results.db");
  std::vector<std::string> stored = command;
  stored.insert(stored.end(), {"-o", store});
  // (The log of a killed process is taken over, so only a change tells.)
  const auto log = [&] {
    std::error_code none;
    const auto written = std::filesystem::last_write_time(store + "-wal", none);
    return std::pair(written, std::filesystem::file_size(store + "-wal", none));
  };
  std::mt19937 random(1);
  KillResult result;
  for (int i = 0; i < kills; ++i) {
    const auto before = log();
    Program program(stored);
    if (i % 2 == 1) {
      for (int waited = 0; log() == before && waited < 60'000; ++waited) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    }
    const auto most = static_cast<std::uint32_t>(longest.count()) * 1000;
    std::this_thread::sleep_for(std::chrono::microseconds(random() % most));
    program.send(SIGKILL);
    if (program.wait().code == -SIGKILL) ++result.hits;
  }
  const ProgramResult resumed = faultline(stored);
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  for (const std::string& format : formats) {
    const auto report = [&](std::vector<std::string> words) {
      words.insert(words.end(), {"--format", format});
      return faultline(words).out;
    };
    EXPECT_TRUE(report(stored) == report(command)) << "the reports differ: " << format;
  }
  std::smatch more;
  if (std::regex_search(resumed.err, more, std::regex(R"(\(([0-9,]+) more from)"))) {
    result.stored = std::stoi(std::regex_replace(more[1].str(), std::regex(","), ""));
  }
  std::cout << result.hits << " of " << kills << " kills hit and left " << result.stored
            << " replications\n";
  return result;
}

}  // namespace faultline::test
