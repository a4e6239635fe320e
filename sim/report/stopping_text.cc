#include "sim/report/stopping_text.h"

#include <fmt/format.h>

#include "sim/report/format.h"
#include "sim/report/quantity_text.h"

namespace faultline {

std::string stopping_text(const StoppingOutcome& outcome, const std::string& what,
                          Expression::Unit unit) {
  const auto width = [&](double value) {
    return unit == Expression::Unit::kRatio ? fmt::format("{:.3g} pp", 100 * value)
                                            : value_text(value, unit);
  };
  return fmt::format("{} {}{}: the 95% interval of {} is +- {}; asked for was {}.",
                     outcome.reached || outcome.capped ? "Stopped at" : "Interrupted at",
                     counted(outcome.replications, "replication"),
                     outcome.capped ? ", the most that --max-reps allows" : "", what,
                     width(outcome.half_width), width(outcome.target));
}

}  // namespace faultline
