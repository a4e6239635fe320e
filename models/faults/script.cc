#include "models/faults/script.h"

#include <algorithm>

#include "models/base/check.h"

namespace faultline {
namespace {

std::uint64_t part_of(ExposureUnit unit, const ScriptedStrikeConfig& strike, const Fleet& fleet,
                      const std::vector<std::string>& job_names) {
  if (unit == ExposureUnit::kJob) {
    if (strike.job.empty()) return 0;
    const auto job = std::find(job_names.begin(), job_names.end(), strike.job);
    FAULTLINE_CHECK(job != job_names.end(), "no job `{}`", strike.job);
    return static_cast<std::uint64_t>(job - job_names.begin());
  }
  const auto slot = fleet.find(strike.node);
  FAULTLINE_CHECK(slot, "no node `{}`", strike.node);
  switch (unit) {
    case ExposureUnit::kGpu: return fleet.first_gpu(*slot);
    case ExposureUnit::kRack: return fleet.rack_of(*slot);
    default: return slot->value();
  }
}

}  // namespace

Script::Script(const std::vector<FaultClass>& classes, const Fleet& fleet,
               const std::vector<std::string>& job_names) {
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const std::vector<ScriptedStrikeConfig>& strikes = classes[c].config->strikes;
    for (std::size_t s = 0; s < strikes.size(); ++s) {
      lines_.push_back({.at = SimTime::at(strikes[s].at),
                        .arrival = {.fault_class = FaultClassId(c),
                                    .part = part_of(classes[c].unit, strikes[s], fleet, job_names),
                                    .ordinal = static_cast<std::uint32_t>(s)}});
    }
  }
  std::stable_sort(lines_.begin(), lines_.end(),
                   [](const Line& a, const Line& b) { return a.at < b.at; });
}

}  // namespace faultline
