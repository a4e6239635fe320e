#include "sim/engine/metric_names.h"

#include <array>
#include <string_view>

#include "sim/engine/shop_metrics.h"

namespace faultline {
namespace {

using Index = MetricIndex;

constexpr std::array<std::string_view, Index::kPlainCount> kPlainNames{
    "ettr_ratio",
    "goodput_ratio",
    "interruptions_total",
    "interruptions_while_down_total",
    "planned_interruptions_total",
    "repair_interruptions_total",
    "evictions_total",
    "replacements_total",
    "needless_replacements_total",
    "repairs_in_place_total",
    "gate_blocked_total",
    "gate_blocked_seconds",
    "unhealthy_peak_ratio",
    "spares_used_max",
    "stockout_ratio",
    "registration_timeouts_total",
    "failed_restarts_total",
    "faulty_nodes_replaced_total",
    "job_restarts_total",
    "job_stops_total"};
constexpr std::array<std::string_view, 3> kStallKinds{"hang", "straggler", "agent_noise"};
constexpr std::array<std::string_view, 7> kPhaseNames{"detect",    "tolerate", "gate", "drain",
                                                      "provision", "restart",  "redo"};
constexpr std::array<Index::Plain, 7> kPhaseWeights{
    Index::kNodesReplaced, Index::kNodesReplaced, Index::kNodesReplaced, Index::kNodesReplaced,
    Index::kNodesReplaced, Index::kRestarts,      Index::kStops};

}  // namespace

std::vector<MetricName> metric_names(const SimulationPlan& plan) {
  std::vector<MetricName> names;
  for (const auto name : kPlainNames) names.push_back({std::string(name), "", ""});
  for (const auto account : kAccountNames)
    names.push_back({"lost_ratio", "cause", std::string(account)});
  for (const auto kind : kStallKinds) names.push_back({"stall_seconds", "kind", std::string(kind)});
  for (std::size_t p = 0; p < kPhaseNames.size(); ++p) {
    names.push_back({"mttr_seconds", "phase", std::string(kPhaseNames[p]),
                     std::string(kPlainNames[kPhaseWeights[p]])});
  }
  for (const auto* family : {"interruptions_total", "faults_total"}) {
    for (const FaultClass& fault_class : plan.classes()) {
      names.push_back({family, "class", fault_class.config->name});
    }
  }
  for (const auto name : ShopMetrics::names(plan)) names.push_back({std::string(name), "", ""});
  return names;
}

}  // namespace faultline
