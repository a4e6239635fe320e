#include "sim/report/collectives_report.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "sim/report/format.h"
#include "sim/report/json_summary.h"

namespace faultline {
namespace {

using Json = nlohmann::ordered_json;
using Align = Table::Align;

constexpr std::size_t kMostPointsNamed = 4;
constexpr double kVisibleSlowdown = 1.0005;

// Three digits of a positive number.
std::string digits(double value) {
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return number(value, decimals);
}

std::string with_prefix(double value, std::string_view unit) {
  constexpr std::array kPrefixes{std::pair{1e15, "P"}, std::pair{1e12, "T"}, std::pair{1e9, "G"},
                                 std::pair{1e6, "M"}, std::pair{1e3, "k"}};
  for (const auto& [scale, prefix] : kPrefixes) {
    if (value >= scale) return fmt::format("{} {}{}", digits(value / scale), prefix, unit);
  }
  return fmt::format("{} {}", digits(value), unit);
}

std::string_view name_of(JobReach reach) {
  switch (reach) {
    case JobReach::kUntouched: return "untouched";
    case JobReach::kSlowed: return "slowed";
    case JobReach::kCut: break;
  }
  return "cut";
}

std::string fault_text(const Fabric& fabric, const FabricFault& fault) {
  std::string text = fabric.name(fault.element);
  text += fault.dead() ? " is dead" : fmt::format(" at {}", percent(fault.bandwidth, 0));
  if (fault.extra_latency > Duration::zero()) {
    text += fmt::format(", {} more latency", fine_duration(fault.extra_latency.seconds()));
  }
  return text;
}

double bus_bandwidth(const CollectivesResults::Row& row, const CollectiveCost& cost) {
  return row.bytes / cost.seconds * bus_factor(row.op, row.ranks);
}

std::string bottleneck(const CollectivesResults& results, const CollectiveCost& cost) {
  if (!cost.bottleneck.valid()) return "-";
  bool same = true;
  for (const FabricFault& fault : results.state.faults()) {
    same = same && fault.element != cost.bottleneck;
  }
  // A healthy cable is one of many: its kind tells more than its number.
  if (!same) return results.fabric.name(cost.bottleneck);
  switch (results.fabric.kind(cost.bottleneck)) {
    case ElementKind::kGpuPort: return "NVLink";
    case ElementKind::kNic: return "NICs";
    case ElementKind::kLeafUplink: return "leaf uplinks";
    default: return "spine uplinks";
  }
}

Section head(const CollectivesResults& results) {
  const Fabric& f = results.fabric;
  Section section;
  section.lines.push_back(fmt::format(
      "{} nodes of {} GPUs and {} NICs on a {} fabric of {} switches; costs by the back end {}.",
      number(results.nodes, 0), f.gpus_per_node(), f.nics_per_node(),
      enum_name(f.config().topology),
      number(
          f.count(ElementKind::kLeaf) + f.count(ElementKind::kSpine) + f.count(ElementKind::kCore),
          0),
      results.back_end));
  section.lines.push_back(
      results.fabric.config().busbw
          ? fmt::format("Calibrated by a measured bus bandwidth of {}: {} of what the links are "
                        "rated for.",
                        with_prefix(f.config().busbw->bytes_per_second, "B/s"),
                        percent(results.efficiency))
          : std::string("Not calibrated: links carry what they are rated for "
                        "(fleet.fabric.busbw)."));
  return section;
}

Section graph(const CollectivesResults& results) {
  Section section{.title = "The fabric"};
  std::string faults;
  for (const FabricFault& fault : results.state.faults()) {
    faults += (faults.empty() ? "" : "; ") + fault_text(results.fabric, fault);
  }
  const JobVerdict& verdict = results.verdict;
  auto& rows = section.table.rows;
  section.table.columns = {{"", Align::kLeft}, {"", Align::kLeft}};
  rows.push_back({"Faults", faults.empty() ? "none" : faults});
  rows.push_back({"The job is", std::string(name_of(verdict.reach)) +
                                    (verdict.reach == JobReach::kCut
                                         ? ": two of its GPUs have no path to each other"
                                         : "")});
  if (verdict.healthy_bisection > 0) {
    rows.push_back(
        {"Bisection",
         fmt::format("{} can cross from one half of it to the other{}",
                     with_prefix(verdict.bisection, "B/s"),
                     verdict.bisection < verdict.healthy_bisection
                         ? fmt::format(", {} of what could without the faults",
                                       percent(verdict.bisection / verdict.healthy_bisection, 2))
                         : "")});
  }
  std::string points;
  for (std::size_t i = 0; i < std::min(kMostPointsNamed, results.single_points.size()); ++i) {
    points += (i == 0 ? ": " : ", ") + results.single_points[i];
  }
  if (results.single_points.size() > kMostPointsNamed) points += ", ...";
  rows.push_back({"Single points of failure",
                  results.single_points.empty()
                      ? std::string("none")
                      : number(static_cast<double>(results.single_points.size()), 0) + points});
  return section;
}

Section costs(const CollectivesResults& results) {
  Section section{.title = "What a collective costs"};
  const bool faults = !results.state.healthy();
  auto& columns = section.table.columns;
  columns = {
      {"operation"}, {"GPUs", Align::kRight}, {"size", Align::kRight}, {"algorithm"}, {"protocol"}};
  if (faults) columns.push_back({"healthy", Align::kRight});
  columns.push_back({faults ? "now" : "time", Align::kRight});
  if (faults) columns.push_back({"slowdown", Align::kRight});
  columns.insert(columns.end(),
                 {{"bus bw", Align::kRight}, {"latency", Align::kRight}, {"waits for"}});
  for (const CollectivesResults::Row& row : results.rows) {
    std::vector<std::string> cells{std::string(enum_name(row.op)), number(row.ranks, 0),
                                   to_string(Bytes{row.bytes}),
                                   std::string(enum_name(row.healthy.algorithm)),
                                   std::string(enum_name(row.healthy.protocol))};
    if (faults) cells.push_back(fine_duration(row.healthy.seconds));
    if (row.now) {
      const CollectiveCost& now = *row.now;
      const double slowdown = now.seconds / row.healthy.seconds;
      cells.push_back(fine_duration(now.seconds));
      if (faults) cells.push_back(slowdown < kVisibleSlowdown ? "-" : digits(slowdown) + "x");
      cells.insert(cells.end(),
                   {with_prefix(bus_bandwidth(row, now), "B/s"),
                    percent(now.latency_part / now.seconds, 0), bottleneck(results, now)});
    } else {
      cells.insert(cells.end(), {"cut", "-", "-", "-", "-"});
    }
    section.table.rows.push_back(std::move(cells));
  }
  section.notes.push_back(
      "bus bw: as nccl-tests defines it, comparable with the speed of a link. latency: the part of "
      "the time that does not depend on the size.");
  return section;
}

}  // namespace

std::string fine_duration(double seconds) {
  if (!std::isfinite(seconds)) return "-";
  if (seconds < 0.9995e-6) return digits(seconds * 1e9) + "ns";
  if (seconds < 0.9995e-3) return digits(seconds * 1e6) + "us";
  if (seconds < 0.9995) return digits(seconds * 1e3) + "ms";
  return digits(seconds) + "s";
}

Document collectives_report(const CollectivesResults& results) {
  return {.title = fmt::format("{}: collectives", results.scenario),
          .sections = {head(results), graph(results), costs(results)}};
}

std::string collectives_json(const CollectivesResults& results) {
  const Fabric& f = results.fabric;
  Json faults = Json::array();
  for (const FabricFault& fault : results.state.faults()) {
    faults.push_back({{"part", f.name(fault.element)},
                      {"bandwidth", fault.bandwidth},
                      {"extra_latency_seconds", fault.extra_latency.seconds()}});
  }
  Json rows = Json::array();
  for (const CollectivesResults::Row& row : results.rows) {
    Json json = {{"op", enum_name(row.op)},
                 {"bytes", row.bytes},
                 {"ranks", row.ranks},
                 {"algorithm", enum_name(row.healthy.algorithm)},
                 {"protocol", enum_name(row.healthy.protocol)}};
    const auto put = [&](const char* key, auto value) {
      json[key] = row.now ? Json(value(*row.now)) : Json();
    };
    put("seconds", [](const CollectiveCost& now) { return now.seconds; });
    put("latency_seconds", [](const CollectiveCost& now) { return now.latency_part; });
    put("bus_bytes_per_second", [&](const CollectiveCost& now) { return bus_bandwidth(row, now); });
    put("bottleneck", [&](const CollectiveCost& now) {
      return now.bottleneck.valid() ? Json(f.name(now.bottleneck)) : Json();
    });
    json["healthy_seconds"] = row.healthy.seconds;
    put("slowdown", [&](const CollectiveCost& now) { return now.seconds / row.healthy.seconds; });
    rows.push_back(std::move(json));
  }
  const Json report = {
      {"schema_version", kJsonSchemaVersion},
      {"tool", "faultline"},
      {"experiment", "collectives"},
      {"scenario", results.scenario},
      {"back_end", results.back_end},
      {"fabric",
       {{"topology", enum_name(f.config().topology)},
        {"nodes", f.nodes()},
        {"gpus_per_node", f.gpus_per_node()},
        {"efficiency", results.efficiency}}},
      {"faults", faults},
      {"job",
       {{"nodes", results.nodes},
        {"reach", name_of(results.verdict.reach)},
        {"bisection_bytes_per_second", results.verdict.bisection},
        {"healthy_bisection_bytes_per_second", results.verdict.healthy_bisection}}},
      {"single_points_of_failure", results.single_points},
      {"costs", rows}};
  return json_text(report);
}

}  // namespace faultline
