// An experiment that is killed again and again, and continued from its result store: at the end its report must be
// that of one that nobody disturbed, and what the kills left is used to the last replication.
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
#include "test/support/stored_replications.h"

namespace faultline::test {

struct KilledExperiment {
  std::vector<std::string> words;  // without --reps
  int points = 1;
};

// "1,234" after or before what the pattern says.
inline int number_in(const std::string& text, const std::string& pattern) {
  std::smatch found;
  if (!std::regex_search(text, found, std::regex(pattern))) return -1;
  return std::stoi(std::regex_replace(found[1].str(), std::regex(","), ""));
}

// Asks for more replications than will ever be finished, and kills (SIGKILL) so often, at random instants. Every
// second time that is up to `longest` after the start, whatever there is by then; the other times, up to `longest`
// after the process has stored a replication more, so that the work goes on however slow the machine is. Then as
// many are asked for as there are, and some more.
inline void kill_and_resume(const KilledExperiment& experiment, int kills,
                            std::chrono::milliseconds longest,
                            const std::vector<std::string>& formats = {"json"}) {
  const TemporaryFolder folder;
  const std::string store = folder.file("results.db");
  const auto of = [&](int replications, const std::vector<std::string>& more) {
    std::vector<std::string> words = experiment.words;
    words.insert(words.end(), {"--reps", std::to_string(replications)});
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  std::mt19937 random(1);
  for (int i = 0; i < kills; ++i) {
    const int before = stored_replications(store);
    Program program(of(1'000'000, {"-o", store}));
    if (i % 2 == 1) {
      program.await("it has stored more", [&] { return stored_replications(store) > before; });
    }
    const auto most = static_cast<std::uint32_t>(longest.count()) * 1000;
    std::this_thread::sleep_for(std::chrono::microseconds(random() % most));
    program.send(SIGKILL);
    ASSERT_EQ(program.wait().code, -SIGKILL) << "nothing but a kill ends it";
  }

  const int left = stored_replications(store);
  ASSERT_GE(left, kills / 2);
  const int asked = left / experiment.points + 50;
  const int used = stored_replications(store, asked);
  ASSERT_GT(used, 0);
  std::cout << kills << " kills left " << left << " replications, " << used << " of the first "
            << asked << " of each point\n";
  const ProgramResult resumed = faultline(of(asked, {"-o", store}));
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(number_in(resumed.err, R"(([0-9,]+) replications? of )"),
            asked * experiment.points - used)
      << resumed.err;
  EXPECT_EQ(number_in(resumed.err, R"(\(([0-9,]+) more from)"), used) << resumed.err;
  for (const std::string& format : formats) {
    EXPECT_TRUE(faultline(of(asked, {"-o", store, "--format", format})).out ==
                faultline(of(asked, {"--format", format})).out)
        << "the reports differ: " << format;
  }
}

// Two points; and a run, whose store also has the durations.
inline const KilledExperiment kSweepToKill{{"sweep", "small", "--vary", "policy.gate=off,20%"}, 2};
inline const KilledExperiment kRunToKill{{"run", "small"}, 1};

}  // namespace faultline::test
