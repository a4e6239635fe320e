// What the author of a scenario expects of it, for `faultline check`.
//
//   expect:
//     - ettr >= 85%                                          the text alone: 95% confidence
//     - {that: gate_blocked_total == 0, confidence: 99%}
//
// Here it is a text: whether it names metrics that exist is for those who know metrics (sim/lab). An
// expectation asks something of the results; it never changes them.
//
// Thread rule: values.
#pragma once

#include <string>
#include <string_view>

#include "models/base/fields.h"

namespace faultline {

struct Expectation {
  // A scalar where the map belongs is this field.
  static constexpr std::string_view kShortForm = "that";

  std::string that;
  double confidence = 0.95;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("that", &Expectation::that,
          {.help = "A comparison of metrics that must hold, such as `ettr >= 85%`.",
           .required = true});
    visit("confidence", &Expectation::confidence,
          {.help = "How sure a verdict must be.", .ratio = true, .at_least = 0.5});
  }
  void check(FieldProblems& problems) const {
    if (that.empty()) problems.add("that", "is empty");
    if (confidence >= 1) problems.add("confidence", "cannot be 100%: replications are a sample");
  }
};

}  // namespace faultline
