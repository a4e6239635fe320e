#include "sim/report/sweep_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/report/csv.h"
#include "sim/report/format.h"
#include "sim/report/json_summary.h"
#include "sim/report/quantity_text.h"

namespace faultline {
namespace {

using Json = nlohmann::ordered_json;
using Align = Table::Align;

constexpr int kBarWidth = 12;

std::vector<Table::Column> knob_columns(const SweepResults& results) {
  std::vector<Table::Column> columns;
  for (const std::string& path : results.knobs) {
    columns.push_back({path.substr(path.rfind('.') + 1), Align::kRight});
  }
  if (columns.empty()) columns.push_back({"scenario", Align::kLeft});
  return columns;
}

std::vector<std::string> knob_cells(const SweepResults::Point& point) {
  return point.values.empty() ? std::vector{point.label} : point.values;
}

// A line per point, a column per metric.
Section side_by_side(const SweepResults& results) {
  Section section{.title = "Mean of each point with its 95% interval"};
  section.table.columns = knob_columns(results);
  for (const auto& column : results.columns) {
    section.table.columns.push_back({column.text, Align::kRight});
  }
  for (const auto& point : results.points) {
    section.table.rows.push_back(knob_cells(point));
    for (std::size_t c = 0; c < results.columns.size(); ++c) {
      section.table.rows.back().push_back(with_margin(point.shown[c], results.columns[c].unit));
    }
  }
  return section;
}

// One metric, with its spread.
Section alone(const SweepResults& results, std::size_t column) {
  const auto& [text, unit] = results.columns[column];
  Section section{.title = text};
  section.table.columns = knob_columns(results);
  for (const char* title : {"mean", "p5", "p50", "p95", "p50 is in", "n"}) {
    section.table.columns.push_back({title, Align::kRight});
  }
  section.table.columns.push_back({"", Align::kLeft});
  double largest = 0;
  for (const auto& point : results.points) {
    largest = std::max(largest, point.shown[column].mean);
  }
  for (const auto& point : results.points) {
    const Summary& summary = point.shown[column];
    std::vector<std::string> cells = knob_cells(point);
    cells.push_back(with_margin(summary, unit));
    for (const double quantile : {summary.p5, summary.p50, summary.p95}) {
      cells.push_back(value_text(quantile, unit));
    }
    cells.push_back(interval_text(unit, summary.p50_ci95, false));
    cells.push_back(fmt::format("{}", summary.n));
    cells.push_back(largest > 0 ? bar(summary.mean / largest, kBarWidth) : "");
    section.table.rows.push_back(std::move(cells));
  }
  return section;
}

Section head(const SweepResults& results) {
  std::string line =
      fmt::format("{} point{}, {} replication{} each, seed {}; the same faults strike every point.",
                  results.points.size(), results.points.size() == 1 ? "" : "s", results.requested,
                  results.requested == 1 ? "" : "s", results.seed);
  std::size_t finished = 0;
  for (const auto& point : results.points) finished += point.replications;
  const std::size_t wanted = results.points.size() * results.requested;
  if (finished < wanted) {
    line +=
        fmt::format(" {} of {} replications are here.", number(static_cast<double>(finished), 0),
                    number(static_cast<double>(wanted), 0));
  }
  Section section{.lines = {line}};
  for (const std::string& path : results.knobs) {
    section.lines.push_back(fmt::format("`{}` is varied.", path));
  }
  return section;
}

}  // namespace

Document sweep_document(const SweepResults& results) {
  Document document{.title = fmt::format("{}: a sweep", results.scenario),
                    .sections = {head(results)}};
  if (!results.chosen) {
    document.sections.push_back(side_by_side(results));
    document.sections.back().notes.push_back(
        "`--metric` shows others with their spread; `--format csv` has them all.");
    return document;
  }
  for (std::size_t c = 0; c < results.columns.size(); ++c) {
    document.sections.push_back(alone(results, c));
  }
  document.sections.back().notes.push_back(
      "p5, p50, p95: of the replications; p50 is in: its 95% interval, from order statistics.");
  return document;
}

std::string sweep_json(const SweepResults& results) {
  Json points = Json::array();
  for (const auto& point : results.points) {
    Json settings = Json::object();
    for (std::size_t k = 0; k < results.knobs.size(); ++k) {
      settings[results.knobs[k]] = point.values[k];
    }
    Json metrics = Json::object();
    for (const auto& [name, summary] : point.metrics) metrics[name] = json_of(summary);
    points.push_back({{"label", point.label},
                      {"settings", settings},
                      {"hash", point.hash},
                      {"replications", point.replications},
                      {"metrics", metrics}});
  }
  return json_text({{"schema_version", kJsonSchemaVersion},
                    {"tool", "faultline"},
                    {"experiment", "sweep"},
                    {"scenario", results.scenario},
                    {"seed", results.seed},
                    {"replications", results.requested},
                    {"points", points}});
}

std::string sweep_csv(const SweepResults& results) {
  std::string text;
  for (const std::string& path : results.knobs) text += csv_text(path) + ",";
  text += csv_summary_columns();
  for (const auto& point : results.points) {
    std::string start;
    for (const std::string& value : point.values) start += csv_text(value) + ",";
    for (const auto& [name, summary] : point.metrics) {
      text += start + csv_summary(name, summary);
    }
  }
  return text;
}

}  // namespace faultline
