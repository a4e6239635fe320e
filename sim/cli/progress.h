// Progress on stderr: one line that renews itself on a terminal, a plain line every ten seconds elsewhere.
//
//   [##########          ] 34 of 100 replications, about 12s left; ETTR 83.1% +- 0.2
//
// Thread rule: calls come one at a time, from any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <ostream>
#include <string>

#include "sim/cli/world.h"

namespace faultline {

class Progress {
 public:
  enum class Style { kNone, kTerminal, kLines };

  Progress(std::ostream& err, Style style);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  // Removes the line.
  ~Progress();

  // `total` may change from call to call; 0 < done <= total.
  void update(std::uint64_t done, std::uint64_t total);
  // What the following lines end with; empty: nothing.
  void note(std::string text) { note_ = std::move(text); }
  // Removes the line, so that something else can be written.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  std::ostream& err_;
  const Style style_;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point shown_ = start_;
  std::string note_;
  bool line_open_ = false;
};

// None with --quiet; otherwise by what stderr is.
Progress::Style progress_style(const World& world, bool quiet);

}  // namespace faultline
