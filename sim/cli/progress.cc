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

Progress::Progress(std::ostream& err, Style style, std::uint32_t total)
    : err_(err), style_(style), total_(total) {}

Progress::~Progress() {
  if (line_open_) fmt::print(err_, "{}", kClearLine);
  err_.flush();
}

void Progress::update(std::uint32_t done) {
  if (style_ == Style::kNone) return;
  const Clock::time_point now = Clock::now();
  if (now - shown_ < (style_ == Style::kTerminal ? Clock::duration(100ms) : 10s)) return;
  shown_ = now;
  const double spent = std::chrono::duration<double>(now - start_).count();
  const std::string left = brief(spent / done * (total_ - done));
  if (style_ == Style::kLines) {
    fmt::print(err_, "{} of {} replications, about {} left\n", done, total_, left);
  } else {
    fmt::print(err_, "{}[{:<{}}] {} of {} replications, about {} left", kClearLine,
               bar(static_cast<double>(done) / total_, kBarWidth), kBarWidth, done, total_, left);
    line_open_ = true;
  }
  err_.flush();
}

}  // namespace faultline
