#include "sim/cli/progress.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "sim/report/format.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr int kBarWidth = 30;
constexpr const char* kClearLine = "\r\x1b[K";

}  // namespace

Progress::Progress(std::ostream& err, Style style) : err_(err), style_(style) {}

Progress::~Progress() { clear(); }

void Progress::clear() {
  if (line_open_) fmt::print(err_, "{}", kClearLine);
  line_open_ = false;
  err_.flush();
}

void Progress::update(std::uint64_t done, std::uint64_t total) {
  if (style_ == Style::kNone) return;
  const Clock::time_point now = Clock::now();
  if (now - shown_ < (style_ == Style::kTerminal ? Clock::duration(100ms) : 10s)) return;
  shown_ = now;
  const double spent = std::chrono::duration<double>(now - start_).count();
  const auto share = static_cast<double>(done) / static_cast<double>(total);
  const std::string line =
      fmt::format("{} of {} replications, about {} left{}{}", done, total,
                  brief(spent / share * (1 - share)), note_.empty() ? "" : "; ", note_);
  if (style_ == Style::kLines) {
    fmt::print(err_, "{}\n", line);
  } else {
    fmt::print(err_, "{}[{:<{}}] {}", kClearLine, bar(share, kBarWidth), kBarWidth, line);
    line_open_ = true;
  }
  err_.flush();
}

Progress::Style progress_style(const World& world, bool quiet) {
  if (quiet) return Progress::Style::kNone;
  return world.err_is_terminal ? Progress::Style::kTerminal : Progress::Style::kLines;
}

}  // namespace faultline
