// Always-on checks for *our own* mistakes. A failed check is a bug in faultline, never bad input:
// it throws `InternalError`, which the command line turns into exit code 70 and a request to
// report.
//
//   FAULTLINE_CHECK(spares >= 0, "spares went negative: {}", spares);
//   FAULTLINE_CHECK_AT(now, at >= now, "event in the past: {}", to_string(at));
//
// The second form prints the simulated time, so that the journal around the failure can be read
// with `faultline why`. Checks stay on in release builds: a wrong number that looks right costs
// more than the branch. Bad user input goes through sim/scenario/diagnostics.h instead.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>

#include "models/base/time.h"

namespace faultline {

class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn, gnu::cold]] void check_failed(const char* expression, const char* file, int line,
                                          const std::string& message);

}  // namespace faultline

#define FAULTLINE_CHECK(condition, ...)                                                    \
  do {                                                                                     \
    if (!(condition)) [[unlikely]]                                                         \
      ::faultline::check_failed(#condition, __FILE__, __LINE__, fmt::format(__VA_ARGS__)); \
  } while (false)

#define FAULTLINE_CHECK_AT(now, condition, ...)                                                  \
  do {                                                                                           \
    if (!(condition)) [[unlikely]]                                                               \
      ::faultline::check_failed(                                                                 \
          #condition, __FILE__, __LINE__,                                                        \
          "at simulated time " + ::faultline::to_string(now) + ": " + fmt::format(__VA_ARGS__)); \
  } while (false)
