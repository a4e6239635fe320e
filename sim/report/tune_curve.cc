#include "sim/report/tune_curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/report/curve.h"
#include "sim/report/format.h"
#include "sim/report/tune_text.h"

namespace faultline {
namespace {

using Align = Table::Align;

constexpr double kConfidence = 0.95;
constexpr int kCurveWidth = 32;

std::string mark(const TuneReport& report, std::size_t i) {
  const TunedPoint& point = report.results.points[i];
  std::string text;
  if (i >= report.results.grid) {
    text = "present";
  } else {
    const std::string_view standing = standing_name(report.results, i);
    if (standing != "beaten") text = standing;
    if (i == report.results.present) text += text.empty() ? "present" : ", present";
  }
  if (i < report.results.grid && !report.points[i].conditions.empty() &&
      point.feasible == Feasibility::kUnknown) {
    text += text.empty() ? "feasible?" : ", feasible?";
  }
  return text;
}

}  // namespace

Section tune_curve(const TuneReport& report) {
  const TuneResults& results = report.results;
  const Objective::Unit unit = report.objective().unit();
  Scale scale{.low = std::numeric_limits<double>::infinity(),
              .high = -std::numeric_limits<double>::infinity()};
  for (const TunedPoint& point : results.points) {
    const Interval band = point.level.interval(kConfidence);
    if (std::isnan(band.low)) continue;
    scale.low = std::min(scale.low, band.low);
    scale.high = std::max(scale.high, band.high);
  }
  const std::string low = tune_text::value(scale.low, unit);
  const std::string high = tune_text::value(scale.high, unit);
  const auto gap =
      std::max<int>(1, kCurveWidth - static_cast<int>(low.size()) - static_cast<int>(high.size()));
  Section section{.title = "Curve"};
  Table& table = section.table;
  table.columns = {{report.knobs.front().name(), Align::kRight},
                   {tune_text::title(report.objective()), Align::kRight},
                   {low + std::string(static_cast<std::size_t>(gap), ' ') + high, Align::kLeft},
                   {"needless", Align::kRight},
                   {"n", Align::kRight},
                   {"", Align::kLeft}};
  for (std::size_t i = 0; i < results.points.size(); ++i) {
    const TunedPoint& point = results.points[i];
    table.rows.push_back(
        {report.points[i].point->label(), tune_text::level(point.level, unit, kConfidence),
         drawn_band(scale, point.level.mean, point.level.interval(kConfidence), kCurveWidth),
         number(point.needless, 1), number(point.replications, 0), mark(report, i)});
  }
  section.notes.push_back(
      "o: estimate, -: 95% band of each value. needless: replacements per run though no fault "
      "stopped "
      "work, and none would have stayed. zone: may be the best.");
  return section;
}

}  // namespace faultline
