#include "sim/report/tune_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sim/report/curve.h"
#include "sim/report/tune_text.h"

namespace faultline {
namespace {

constexpr std::size_t kPageWidth = 96;

// Behind a number; empty for a point that is plainly worse.
std::string_view mark(const TuneReport& report, std::size_t i) {
  const std::string_view standing = standing_name(report.results, i);
  if (standing == "best") return "*";
  if (standing == "zone") return "~";
  if (standing == "infeasible") return "x";
  return "";
}

Scale scale_of(const TuneReport& report) {
  Scale scale{.low = std::numeric_limits<double>::infinity(),
              .high = -std::numeric_limits<double>::infinity()};
  for (std::size_t i = 0; i < report.results.grid; ++i) {
    const double mean = report.results.points[i].level.mean;
    if (mean < scale.low) scale.low = mean;
    if (mean > scale.high) scale.high = mean;
  }
  if (!report.objective().larger_is_better()) std::swap(scale.low, scale.high);
  return scale;
}

}  // namespace

Section tune_map(const TuneReport& report) {
  const Knob& down = report.knobs[0];
  const Knob& across = report.knobs[1];
  const Objective::Unit unit = report.objective().unit();
  const Scale scale = scale_of(report);
  Section section{.title = fmt::format("Map of {}", tune_text::title(report.objective()))};
  section.lines.push_back(fmt::format("Down: {}. Across: {}.", down.path, across.path));

  Table numbers;
  numbers.columns.push_back({"", Table::Align::kRight});
  for (const std::string& value : across.values) {
    numbers.columns.push_back({value, Table::Align::kRight});
  }
  std::vector<std::string> shades;
  std::vector<std::size_t> widths(numbers.columns.size());
  for (std::size_t a = 0; a < down.values.size(); ++a) {
    std::vector<std::string> row{down.values[a]};
    std::string shaded;
    for (std::size_t b = 0; b < across.values.size(); ++b) {
      const std::size_t i = a * across.values.size() + b;
      const double mean = report.results.points[i].level.mean;
      const std::string_view marked = mark(report, i);
      row.push_back(
          fmt::format("{}{}", tune_text::value(mean, unit), marked.empty() ? " " : marked));
      shaded += standing_name(report.results, i) == "best" ? 'O' : shade(scale, mean);
    }
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
    numbers.rows.push_back(std::move(row));
    shades.push_back(std::move(shaded));
  }
  std::size_t width = 0;
  for (const std::size_t column : widths) width += column + 2;
  if (width <= kPageWidth) {
    section.table = std::move(numbers);
    section.notes.push_back(
        "*: the recommendation, ~: within noise of the best (95%), x: does not meet the "
        "conditions.");
    return section;
  }
  section.table.columns = {
      {"", Table::Align::kRight},
      {fmt::format("{} to {}", across.values.front(), across.values.back()), Table::Align::kLeft}};
  for (std::size_t a = 0; a < down.values.size(); ++a) {
    section.table.rows.push_back({down.values[a], "|" + shades[a] + "|"});
  }
  section.notes.push_back(fmt::format(
      "From {} (blank) by .:-=+*#% to {} (@); O: the recommendation. The numbers are in "
      "--format csv.",
      tune_text::value(scale.low, unit), tune_text::value(scale.high, unit)));
  return section;
}

}  // namespace faultline
