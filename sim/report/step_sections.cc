#include "sim/report/step_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "models/workloads/work_clock.h"
#include "sim/report/format.h"

namespace faultline {
namespace {

using Align = Table::Align;

constexpr int kBarWidth = 40;

std::string seconds_text(double seconds) {
  return seconds < 0.1 ? number(seconds * 1e3, 1) + "ms" : number(seconds, 2) + "s";
}

std::string what_is_left(const DegradesConfig& degrades) {
  const std::string part(enum_name(degrades.part));
  if (degrades.to == 0) return part + " dead";
  std::string text = fmt::format("{} at {}", part, percent(degrades.to, 0));
  if (degrades.extra_latency > Duration::zero()) {
    text += fmt::format(" and {} more a message", to_string(degrades.extra_latency));
  }
  return text;
}

std::string speeds_text(const DegradedStep& step) {
  if (step.slowed == 0) return "-";
  const std::string slowest = percent(step.slowest);
  const std::string fastest = percent(step.fastest);
  return slowest == fastest ? slowest : slowest + " to " + fastest;
}

std::string places_text(const DegradedStep& step) {
  std::string text;
  for (const auto& [count, what] :
       {std::pair{step.slowed, "slow"}, {step.cut, "cut"}, {step.untouched, "do not touch"}}) {
    if (count == 0) continue;
    if (!text.empty()) text += ", ";
    text += fmt::format("{} {} it", number(static_cast<double>(count), 0), what);
  }
  return text;
}

// "of llama3" where there is more than one job.
std::string of_job(const RunResults& results, const SimulationPlan::Job& job) {
  return results.plan.jobs().size() == 1 ? "" : " of " + job.config->name;
}

}  // namespace

std::vector<DegradedStep> degraded_steps(const SimulationPlan& plan,
                                         const SimulationPlan::Job& job) {
  std::vector<DegradedStep> steps;
  for (std::size_t c = 0; c < plan.classes().size(); ++c) {
    if (!plan.classes()[c].config->degrades) continue;
    DegradedStep& step = steps.emplace_back();
    step.fault_class = FaultClassId(c);
    const bool per_gpu = plan.classes()[c].unit == ExposureUnit::kGpu;
    for (const NodeSlot node : job.places) {
      const std::uint32_t gpus = per_gpu ? plan.fleet().gpus_per_node(node) : 1;
      for (std::uint32_t gpu = 0; gpu < gpus; ++gpu) {
        const JobPace::Kind& kind = job.pace->kind(step.fault_class, node, gpu);
        const std::int64_t speed =
            kind.cut ? 0 : job.pace->speed(kind.parts, WorkClock::kFullSpeed);
        if (kind.cut) {
          ++step.cut;
        } else if (speed == WorkClock::kFullSpeed) {
          ++step.untouched;
        } else {
          ++step.slowed;
          const double share =
              static_cast<double>(speed) / static_cast<double>(WorkClock::kFullSpeed);
          step.slowest = std::min(step.slowest, share);
          step.fastest = std::max(step.fastest, share);
        }
      }
    }
  }
  return steps;
}

Section training_step(const RunResults& results) {
  Section section{.title = "A training step on the healthy fabric"};
  for (const SimulationPlan::Job& job : results.plan.jobs()) {
    if (!job.pace) continue;
    const StepTime& step = job.pace->healthy();
    section.table.columns = {{"what it waits for", Align::kLeft},
                             {"time", Align::kRight},
                             {"share", Align::kRight},
                             {"", Align::kLeft}};
    const std::string of = of_job(results, job);
    for (const auto& [name, seconds] : {std::pair{std::string_view("compute"), step.compute},
                                        {"tensor parallel", step.tp},
                                        {"context parallel", step.cp},
                                        {"pipeline messages", step.pp},
                                        {"data parallel, beyond what overlaps", step.dp},
                                        {"pipeline bubble", step.bubble}}) {
      if (seconds == 0) continue;
      section.table.rows.push_back({std::string(name) + of, seconds_text(seconds),
                                    percent(seconds / step.total),
                                    bar(seconds / step.total, kBarWidth)});
    }
    section.notes.push_back(fmt::format("The step{} takes {}: an MFU of {}.", of,
                                        seconds_text(step.total), percent(step.mfu)));
  }
  return section;
}

Section degraded_parts(const RunResults& results) {
  Section section{.title = "What a degraded part makes of a step"};
  section.table.columns = {{"class", Align::kLeft},
                           {"part", Align::kLeft},
                           {"speed of the job", Align::kRight},
                           {"of the places where it can strike", Align::kLeft}};
  for (const SimulationPlan::Job& job : results.plan.jobs()) {
    if (!job.pace) continue;
    for (const DegradedStep& step : degraded_steps(results.plan, job)) {
      const FaultClassConfig& config = *results.plan.classes()[step.fault_class.index()].config;
      section.table.rows.push_back({config.name + of_job(results, job),
                                    what_is_left(*config.degrades), speeds_text(step),
                                    places_text(step)});
    }
  }
  return section;
}

}  // namespace faultline
