// How a tuning's values stand, in words: the zone of indifference.
#include <fmt/format.h>

#include "sim/report/tune_report.h"

namespace faultline {
namespace {

std::string label(const TuneReport& report, std::size_t i) {
  return report.points[i].point->label();
}

// The points of one knob as runs of neighbours: "0s and 1m; 4m to 6m".
std::string runs(const TuneReport& report, const std::vector<std::size_t>& points) {
  std::vector<std::string> parts;
  for (std::size_t first = 0; first < points.size();) {
    std::size_t last = first;
    while (last + 1 < points.size() && points[last + 1] == points[last] + 1) ++last;
    const char* between = last == first + 1 ? "and" : "to";
    parts.push_back(first == last ? label(report, points[first])
                                  : fmt::format("{} {} {}", label(report, points[first]), between,
                                                label(report, points[last])));
    first = last + 1;
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace

std::string_view standing_name(const TuneResults& results, std::size_t point) {
  switch (results.points[point].contest.standing) {
    case PointStanding::kContender: return results.recommended == point ? "best" : "zone";
    case PointStanding::kBeaten: return "beaten";
    case PointStanding::kInfeasible: return "infeasible";
    case PointStanding::kUndefined: break;
  }
  return "undefined";
}

std::string zone_text(const TuneReport& report) {
  const TuneResults& results = report.results;
  std::vector<std::size_t> zone;
  for (std::size_t i = 0; i < results.grid; ++i) {
    if (results.points[i].contest.standing == PointStanding::kContender) zone.push_back(i);
  }
  if (results.grid == 1) return "It is the only value.";
  if (zone.size() == 1) {
    return fmt::format(
        "No other value is within noise of it: the other {} are worse{} (95%).", results.grid - 1,
        report.points.front().conditions.empty() ? "" : " or do not meet the conditions");
  }
  if (zone.size() == results.grid) return "All values are within noise of the best (95%).";
  if (report.knobs.size() == 1 && !report.knobs.front().numbers.empty()) {
    if (zone.size() > 2 && zone.back() - zone.front() + 1 == zone.size()) {
      return fmt::format("Anything from {} is within noise of the best (95%).", runs(report, zone));
    }
    return fmt::format("Within noise of the best (95%): {}.", runs(report, zone));
  }
  constexpr std::size_t kMostNamed = 8;
  std::vector<std::string> names;
  for (std::size_t z = 0; z < zone.size() && z < kMostNamed; ++z) {
    names.push_back(label(report, zone[z]));
  }
  return fmt::format(
      "Within noise of the best (95%): {}{}.", fmt::join(names, "; "),
      zone.size() > kMostNamed ? fmt::format("; and {} more", zone.size() - kMostNamed) : "");
}

}  // namespace faultline
