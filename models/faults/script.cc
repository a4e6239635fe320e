#include "models/faults/script.h"

#include <algorithm>

#include "models/base/check.h"

namespace faultline {
namespace {

// The domain that a strike names, or in which its node stands.
Domain domain_of(DomainLevel level, const ScriptedStrikeConfig& strike, const Fleet& fleet) {
  if (!strike.domain.empty()) {
    const auto domain = fleet.domains().find(strike.domain);
    FAULTLINE_CHECK(domain, "no domain `{}`", strike.domain);
    return *domain;
  }
  const auto slot = fleet.find(strike.node);
  FAULTLINE_CHECK(slot, "no node `{}`", strike.node);
  if (level == DomainLevel::kGpu) return {level, fleet.domains().first_gpu(*slot)};
  const auto domain = fleet.domains().of(*slot, level);
  FAULTLINE_CHECK(domain, "node `{}` stands in no such domain", strike.node);
  return *domain;
}

std::uint64_t job_of(const ScriptedStrikeConfig& strike,
                     const std::vector<std::string>& job_names) {
  if (strike.job.empty()) return 0;
  const auto job = std::find(job_names.begin(), job_names.end(), strike.job);
  FAULTLINE_CHECK(job != job_names.end(), "no job `{}`", strike.job);
  return static_cast<std::uint64_t>(job - job_names.begin());
}

Arrival arrival_of(const FaultClass& fault_class, const ScriptedStrikeConfig& strike,
                   const Fleet& fleet, const std::vector<std::string>& job_names) {
  const std::optional<DomainLevel> level = level_of(fault_class.unit);
  if (!level) return {.part = job_of(strike, job_names)};
  const Domain struck = domain_of(*level, strike, fleet);
  return {.level = struck.level, .part = struck.n};
}

}  // namespace

Script::Script(const std::vector<FaultClass>& classes, const Fleet& fleet,
               const std::vector<std::string>& job_names) {
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const std::vector<ScriptedStrikeConfig>& strikes = classes[c].config->strikes;
    for (std::size_t s = 0; s < strikes.size(); ++s) {
      Arrival arrival = arrival_of(classes[c], strikes[s], fleet, job_names);
      arrival.fault_class = FaultClassId(c);
      arrival.ordinal = static_cast<std::uint32_t>(s);
      lines_.push_back({.at = SimTime::at(strikes[s].at), .arrival = arrival});
    }
  }
  std::stable_sort(lines_.begin(), lines_.end(),
                   [](const Line& a, const Line& b) { return a.at < b.at; });
}

}  // namespace faultline
