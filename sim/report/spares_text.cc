#include "sim/report/spares_text.h"

#include <fmt/format.h>

#include "sim/report/format.h"

namespace faultline {

std::string quantity_text(double value, Expression::Unit unit) {
  switch (unit) {
    case Expression::Unit::kRatio: return fmt::format("{:.4g}%", 100 * value);
    case Expression::Unit::kSeconds: return brief(value);
    case Expression::Unit::kPlain: return fmt::format("{:.4g}", value);
  }
  return {};
}

std::string after_how_many(const SparesQuestion& question, std::size_t replications) {
  return fmt::format(
      "with {}{}", counted(replications, "replication"),
      question.cap > 0 && replications >= question.cap ? ", the most that --max-reps allows" : "");
}

}  // namespace faultline
