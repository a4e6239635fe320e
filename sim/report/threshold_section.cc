#include "sim/report/threshold_section.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "sim/report/format.h"
#include "sim/report/quantity_text.h"

namespace faultline {

Section threshold_section(const CompareResults& results) {
  Section section{.title = "Thresholds"};
  section.table.columns = {{"outcome", Table::Align::kLeft},
                           {"", Table::Align::kLeft},
                           {"fail if", Table::Align::kLeft},
                           {"found", Table::Align::kRight},
                           {"95% interval", Table::Align::kRight}};
  bool undecided = false;
  for (const ComparedCandidate& candidate : results.candidates) {
    for (const ThresholdResult& threshold : candidate.comparison.thresholds) {
      const auto unit = threshold.condition.left.unit();
      const bool delta = threshold.condition.delta;
      undecided = undecided || threshold.judgement == Judgement::kOpen;
      if (threshold.all_same) {
        const std::size_t n = candidate.comparison.replications.size();
        section.notes.push_back(
            fmt::format("{}: no difference in any of {} replications; with 95% confidence there is "
                        "one in fewer than "
                        "{} of them.",
                        threshold.condition.text, n,
                        percent(1 - std::pow(0.05, 1.0 / static_cast<double>(n)))));
      }
      section.table.rows.push_back({std::string(outcome(threshold)), candidate.name,
                                    threshold.condition.text,
                                    delta ? change_text(unit, threshold.estimate.mean)
                                          : value_text(threshold.estimate.mean, unit),
                                    interval_text(unit, threshold.interval, delta)});
    }
  }
  section.notes.push_back(
      "failed: every value of the interval meets the expression; passed: none does.");
  if (undecided) {
    std::string note = "undecided: some do; more replications may decide.";
    // (The verdict on less than was asked for is neither.)
    if (results.remark.empty()) {
      note += fmt::format(" It counts as {} here.", results.fail_undecided
                                                        ? "failed (--fail-undecided)"
                                                        : "passed; --fail-undecided fails it");
    }
    section.notes.push_back(std::move(note));
  }
  return section;
}

}  // namespace faultline
