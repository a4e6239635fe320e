#include "sim/engine/shop_metrics.h"

#include <algorithm>
#include <limits>

namespace faultline {

ShopMetrics::ShopMetrics(const SimulationPlan& plan)
    : ShopMetrics(plan.jobs().size(),
                  std::any_of(plan.jobs().begin(), plan.jobs().end(),
                              [](const SimulationPlan::Job& job) { return job.config->work; }),
                  std::any_of(plan.jobs().begin(), plan.jobs().end(),
                              [](const SimulationPlan::Job& job) { return job.config->gang; }),
                  plan.scenario().capacity.shop.has_value()) {}

std::vector<std::string_view> ShopMetrics::names(const SimulationPlan& plan) {
  const ShopMetrics has(plan);
  std::vector<std::string_view> names;
  const auto add = [&](bool exists, std::initializer_list<std::string_view> more) {
    if (exists) names.insert(names.end(), more);
  };
  add(has.completes_, {"completion_seconds", "completed_ratio"});
  add(has.gangs_, {"host_selections_total", "preemptions_total"});
  add(has.shop_, {"machines_to_shop_total", "repairs_automatic_total", "repairs_manual_total",
                  "repairs_mended_total", "repairs_failed_total", "machines_retired_total"});
  return names;
}

void ShopMetrics::take(const RepairStageEnded& ended) {
  ++(ended.stage == RepairStage::kAutomatic ? automatic_ : manual_);
  if (ended.outcome == RepairOutcome::kMended) ++mended_;
  if (ended.outcome == RepairOutcome::kNotMended) ++failed_;
  if (ended.retired) ++retired_;
}

void ShopMetrics::write(double* values) const {
  const auto put = [&](bool exists, std::initializer_list<std::uint64_t> more) {
    if (!exists) return;
    for (const std::uint64_t value : more) *values++ = static_cast<double>(value);
  };
  if (completes_) {
    const auto jobs = static_cast<double>(jobs_);
    *values++ =
        completed_ == jobs_ ? last_completion_.seconds() : std::numeric_limits<double>::quiet_NaN();
    *values++ = static_cast<double>(completed_) / jobs;
  }
  put(gangs_, {selections_, preemptions_});
  put(shop_, {to_shop_, automatic_, manual_, mended_, failed_, retired_});
}

}  // namespace faultline
