// Expressions and conditions from arbitrary bytes: they may be refused with a sentence; they may not
// crash, hang or throw. What an expression calls itself must mean the same when it is read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "sim/lab/expression/expression.h"

namespace {

using faultline::Condition;
using faultline::Expression;

const std::vector<faultline::MetricName> kMetrics{{"ettr_ratio", "", ""},
                                                  {"replacements_total", "", ""},
                                                  {"lost_ratio", "cause", "redo"},
                                                  {"lost_ratio", "cause", "restart"},
                                                  {"mttr_seconds", "phase", "gate"}};
const std::vector<double> kRow{0.9, 4, 0.03, 0.05, 120};
const std::vector<double> kOther{0.7, 0, 0.01, 0.15, 60};

bool same(double a, double b) { return a == b || (a != a && b != b); }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto expression = Expression::parse(text, kMetrics)) {
    const auto again = Expression::parse(expression->text(), kMetrics);
    if (!again || !same(again->at(kRow), expression->at(kRow))) std::abort();
    if (expression->values({kRow, kOther}).size() != 2) std::abort();
  } else if (expression.error().empty()) {
    std::abort();
  }
  if (const auto condition = Condition::parse(text, kMetrics, true)) {
    if (condition->left.columns().empty()) std::abort();
  } else if (condition.error().empty()) {
    std::abort();
  }
  return 0;
}
