#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/report/json_summary.h"
#include "sim/report/spares_report.h"

namespace faultline {
namespace {

using Json = nlohmann::ordered_json;

Json ci95(const MeanEstimate& estimate) { return json_of(estimate.interval(0.95)); }

Json limit(Limit count) { return count.unlimited() ? Json("unlimited") : Json(count.count); }

Json point_of(const SparesAnswer& answer, const SparesPoint& point) {
  Json lost = Json::object();
  for (std::size_t a = 0; a < kAccounts; ++a) lost[std::string(kAccountNames[a])] = point.lost[a];
  return {
      {"spares", point.spares},
      {"verdict", verdict_name(point.verdict)},
      {"n", point.value.n},
      {"mean", point.value.mean},
      {"ci95", ci95(point.value)},
      {"bound", point.bound},
      {"ettr_ratio", point.ettr.mean},
      {"stockout_ratio", point.stockout.mean},
      {"runs_with_stockout", point.stockouts},
      {"spares_used_max", point.used_max.mean},
      {"lost_ratio", lost},
      {"chain_stockout_ratio", point.chain ? Json(point.chain->shares.stockout) : Json(nullptr)},
      {"cost_gpu_hours", static_cast<double>(point.spares) * answer.gpu_hours_per_spare}};
}

Json step_of(const SparesStep& step) {
  return {{"from", step.from},
          {"to", step.to},
          {"mean", step.value.mean},
          {"ci95", ci95(step.value)},
          {"gained_gpu_hours", {{"mean", step.gpu_hours.mean}, {"ci95", ci95(step.gpu_hours)}}},
          {"cost_gpu_hours", step.cost_gpu_hours}};
}

Json chain_of(const SparesPoint& point) {
  if (!point.chain) return {{"none_because", point.chain.error()}};
  const analytic::SparePool& pool = point.chain->pool;
  const analytic::SparePoolShares& shares = point.chain->shares;
  return {{"spares", point.spares},
          {"nodes", pool.nodes},
          {"nodes_that_stand_by", pool.warm_spares},
          {"losses_per_node_second", pool.failures_per_second},
          {"idle_losses_per_node_second", pool.idle_failures_per_second},
          {"stock", limit(pool.cold_spares)},
          {"lead_seconds", pool.lead.seconds()},
          {"repair_seconds",
           pool.cold_spares.unlimited() ? Json(nullptr) : Json(pool.repair.seconds())},
          {"crews", limit(pool.crews)},
          {"second_stage_share", pool.manual_share},
          {"second_stage_crews", limit(pool.manual_crews)},
          {"stockout_ratio", shares.stockout},
          {"spares_in_use", shares.spares_in_use},
          {"out_p99", shares.quantile(0.99)},
          {"breaks", point.chain->breaks},
          {"notes", point.chain->notes}};
}

// Of --reps auto; null with a fixed number.
Json stopping_of(const SparesAnswer& answer) {
  if (answer.question.cap == 0) return nullptr;
  const bool capped =
      std::any_of(answer.curve.begin(), answer.curve.end(), [&](const SparesPoint& point) {
        return point.verdict == SparesVerdict::kOpen && point.value.n >= answer.question.cap;
      });
  return {
      {"looks", answer.question.looks().size()}, {"cap", answer.question.cap}, {"capped", capped}};
}

}  // namespace

std::string SparesReport::json() const {
  Json points = Json::array();
  for (const SparesPoint& point : answer.curve) points.push_back(point_of(answer, point));
  Json differences = Json::array();
  for (const SparesStep& step : answer.steps) differences.push_back(step_of(step));
  const Json report{{"schema_version", kJsonSchemaVersion},
                    {"tool", "faultline"},
                    {"experiment", "spares"},
                    {"scenario", scenario.name},
                    {"seed", seed},
                    {"replications",
                     answer.question.cap > 0 ? Json(nullptr) : Json(answer.question.replications)},
                    {"stopping", stopping_of(answer)},
                    {"horizon_seconds", scenario.horizon.seconds()},
                    {"target", answer.question.target.text},
                    {"confidence", answer.question.confidence},
                    {"spares", answer.question.kind == SpareKind::kWarm ? "warm" : "cold"},
                    {"most", answer.question.most},
                    {"complete", answer.complete},
                    {"points", points},
                    {"differences", differences},
                    {"chain", answer.curve.empty() ? Json(nullptr) : chain_of(answer.main())},
                    {"recommendation",
                     {{"spares", answer.fewest ? Json(*answer.fewest) : Json(nullptr)},
                      {"by_chain", answer.by_chain ? Json(*answer.by_chain) : Json(nullptr)},
                      {"text", verdict()}}}};
  return json_text(report);
}

}  // namespace faultline
