#include "sim/report/json_report.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "models/base/fields.h"
#include "sim/report/charged_noise_text.h"
#include "sim/report/json_summary.h"
#include "sim/report/stall_sections.h"
#include "sim/report/step_sections.h"

namespace faultline {
namespace {

using Json = nlohmann::ordered_json;

Json quantile(const Histogram& histogram, double q) {
  return histogram.count() == 0 ? Json(nullptr) : Json(histogram.quantile_seconds(q));
}

Json json_of(const Histogram& histogram) {
  return {{"n", histogram.count()},
          {"p50", quantile(histogram, 0.50)},
          {"p95", quantile(histogram, 0.95)},
          {"p99", quantile(histogram, 0.99)}};
}

Json metrics_of(const RunResults& results) {
  Json metrics = Json::object();
  for (std::size_t m = 0; m < results.summaries.size(); ++m) {
    metrics[results.table.names[m].text()] = json_of(results.summaries[m]);
  }
  return metrics;
}

Json exposure_of(const RunResults& results) {
  Json exposure = Json::array();
  for (std::size_t c = 0; c < results.plan.classes().size(); ++c) {
    const FaultClassConfig& config = *results.plan.classes()[c].config;
    const auto expected = results.expected_faults(FaultClassId(c));
    exposure.push_back({{"class", config.name},
                        {"rate_per_unit", results.plan.classes()[c].rate_per_part},
                        {"unit", to_string(results.plan.classes()[c].unit)},
                        {"clock", enum_name(config.clock)},
                        {"units", results.parts(FaultClassId(c))},
                        {"expected_events", expected ? Json(*expected) : Json(nullptr)}});
  }
  return exposure;
}

Json detection_of(const RunResults& results) {
  const SimulationPlan& plan = results.plan;
  Json detections = Json::array();
  for (const PooledDurations::Detection& detection : results.table.pooled.detections) {
    const Reason& reason = plan.contract().reason(detection.reason);
    detections.push_back(
        {{"class", plan.classes()[detection.fault_class.index()].config->name},
         {"reason", reason.name},
         {"channel", plan.scenario().detectors.channels[reason.channel.index()].name},
         {"condition", plan.contract().conditions()[reason.condition.index()]},
         {"severity", enum_name(reason.severity)},
         {"n", detection.since_fault.count()},
         {"share", results.published_share(detection)},
         {"p50_seconds", quantile(detection.since_fault, 0.50)},
         {"p99_seconds", quantile(detection.since_fault, 0.99)}});
  }
  return detections;
}

Json repair_of(const RunResults& results) {
  const PooledDurations& pooled = results.table.pooled;
  Json by_channel = Json::object();
  for (std::size_t c = 0; c < pooled.fault_to_ready_by_channel.size(); ++c) {
    by_channel[results.scenario().detectors.channels[c].name] =
        json_of(pooled.fault_to_ready_by_channel[c]);
  }
  Json by_class = Json::object();
  for (std::size_t c = 0; c < pooled.fault_to_ready_by_class.size(); ++c) {
    by_class[results.plan.classes()[c].config->name] = json_of(pooled.fault_to_ready_by_class[c]);
  }
  Json phases = Json::object();
  for (std::size_t p = 0; p < pooled.phases.size(); ++p) {
    phases[results.table.names[MetricIndex::kMttr + p].value] = json_of(pooled.phases[p]);
  }
  return {{"fault_to_ready_seconds", {{"by_channel", by_channel}, {"by_class", by_class}}},
          {"phase_seconds", phases}};
}

Json degraded_of(const SimulationPlan& plan, const SimulationPlan::Job& job) {
  Json degraded = Json::array();
  for (const DegradedStep& step : degraded_steps(plan, job)) {
    const FaultClassConfig& config = *plan.classes()[step.fault_class.index()].config;
    const bool slows = step.slowed > 0;
    degraded.push_back({{"class", config.name},
                        {"part", enum_name(config.degrades->part)},
                        {"to_ratio", config.degrades->to},
                        {"extra_latency_seconds", config.degrades->extra_latency.seconds()},
                        {"slowest_speed_ratio", slows ? Json(step.slowest) : Json(nullptr)},
                        {"fastest_speed_ratio", slows ? Json(step.fastest) : Json(nullptr)},
                        {"places_slowed", step.slowed},
                        {"places_cut", step.cut},
                        {"places_untouched", step.untouched}});
  }
  return degraded;
}

// Of the jobs whose step follows from the fabric.
Json steps_of(const RunResults& results) {
  Json steps = Json::array();
  for (const SimulationPlan::Job& job : results.plan.jobs()) {
    if (!job.pace) continue;
    const StepTime& step = job.pace->healthy();
    steps.push_back({{"job", job.config->name},
                     {"compute_seconds", step.compute},
                     {"tp_seconds", step.tp},
                     {"cp_seconds", step.cp},
                     {"pp_seconds", step.pp},
                     {"dp_seconds", step.dp},
                     {"bubble_seconds", step.bubble},
                     {"total_seconds", step.total},
                     {"mfu_ratio", step.mfu},
                     {"degraded", degraded_of(results.plan, job)}});
  }
  return steps;
}

// Of the jobs that a monitoring agent disturbs.
Json agent_noise_of(const RunResults& results) {
  Json noise = Json::array();
  for (const SimulationPlan::Job& job : results.plan.jobs()) {
    if (!job.noise.at_full_speed) continue;
    const noise::ChargedNoise& charged = *job.noise.at_full_speed;
    const AcrossNodes across = results.scenario().detectors.monitoring->across_nodes;
    const auto caveat = charged_noise_caveat(charged, across);
    noise.push_back({{"job", job.config->name},
                     {"slowdown", charged.slowdown},
                     {"charged", charged_noise_json(charged)},
                     {"caveat", caveat ? Json(*caveat) : Json(nullptr)}});
  }
  return noise;
}

// Of --reps auto; null with a fixed number.
Json stopping_of(const RunResults& results) {
  const auto& stopping = results.table.stopping;
  if (!stopping) return nullptr;
  return {{"half_width", stopping->half_width},
          {"target", stopping->target},
          {"reached", stopping->reached},
          {"capped", stopping->capped}};
}

}  // namespace

std::string json_report(const RunResults& results) {
  Json report = {{"schema_version", kJsonSchemaVersion},
                 {"tool", "faultline"},
                 {"experiment", "run"},
                 {"scenario", results.scenario().name},
                 {"description", results.scenario().description},
                 {"seed", results.table.seed},
                 {"replications", results.replications()},
                 {"requested", results.table.requested},
                 {"stopping", stopping_of(results)},
                 {"horizon_seconds", results.horizon_seconds()},
                 {"metrics", metrics_of(results)},
                 {"exposure", exposure_of(results)},
                 {"detection", detection_of(results)},
                 {"repair", repair_of(results)}};
  if (Json steps = steps_of(results); !steps.empty()) report["steps"] = std::move(steps);
  if (Json noise = agent_noise_of(results); !noise.empty()) {
    report["agent_noise"] = std::move(noise);
  }
  if (results.table.pooled.stalls.any()) report["stalls"] = stalls_json(results);
  return json_text(report);
}

}  // namespace faultline
