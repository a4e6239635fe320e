// Progress on stderr: one line that renews itself on a terminal, a plain line every ten seconds elsewhere.
//
// Thread rule: calls come one at a time, from any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <ostream>

namespace faultline {

class Progress {
 public:
  enum class Style { kNone, kTerminal, kLines };

  Progress(std::ostream& err, Style style, std::uint32_t total);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  // Removes the line.
  ~Progress();

  void update(std::uint32_t done);

 private:
  using Clock = std::chrono::steady_clock;

  std::ostream& err_;
  const Style style_;
  const std::uint32_t total_;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point shown_ = start_;
  bool line_open_ = false;
};

}  // namespace faultline
