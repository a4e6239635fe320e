#include "models/faults/fault_classes.h"

#include <algorithm>
#include <cmath>

namespace faultline {
namespace {

constexpr Duration kYoungestAge = 1_h;

double hazard(double shape, double scale, Duration age) {
  const double a = shape < 1 ? std::max(age, kYoungestAge).seconds() : age.seconds();
  return shape / scale * std::pow(a / scale, shape - 1);
}

}  // namespace

double FaultClass::acceptance(Duration age) const {
  if (weibull_scale == 0) return 1;
  return hazard(*config->weibull_shape, weibull_scale, age) / bounding_rate_per_part;
}

std::vector<FaultClass> compile_fault_classes(const FaultCatalogueConfig& catalogue,
                                              Duration horizon) {
  std::vector<FaultClass> classes;
  classes.reserve(catalogue.classes.size());
  for (const FaultClassConfig& config : catalogue.classes) {
    const double rate = config.rate ? config.rate->per_second() : 0;
    FaultClass compiled{.config = &config,
                        .unit = config.unit(),
                        .rate_per_part = rate,
                        .bounding_rate_per_part = rate,
                        .arrival_stream = StreamId("fault/arrival", config.name),
                        .detail_stream = StreamId("fault/detail", config.name)};
    if (config.weibull_shape && compiled.rate_per_part > 0) {
      const double shape = *config.weibull_shape;
      compiled.weibull_scale = 1 / compiled.rate_per_part / std::tgamma(1 + 1 / shape);
      compiled.bounding_rate_per_part =
          hazard(shape, compiled.weibull_scale, shape < 1 ? kYoungestAge : horizon);
    }
    classes.push_back(compiled);
  }
  return classes;
}

std::uint64_t Population::parts(ExposureUnit unit) const {
  switch (unit) {
    case ExposureUnit::kGpu: return gpus;
    case ExposureUnit::kNode: return nodes;
    case ExposureUnit::kRack: return racks;
    case ExposureUnit::kBlock: return blocks;
    case ExposureUnit::kZone: return zones;
    case ExposureUnit::kRegion: return regions;
    case ExposureUnit::kJob: return jobs;
  }
  return 0;
}

Population all_parts(const Fleet& fleet, std::uint64_t jobs) {
  const DomainTree& domains = fleet.domains();
  return {.gpus = domains.count(DomainLevel::kGpu),
          .nodes = domains.count(DomainLevel::kNode),
          .racks = domains.count(DomainLevel::kRack),
          .blocks = domains.count(DomainLevel::kBlock),
          .zones = domains.count(DomainLevel::kZone),
          .regions = domains.count(DomainLevel::kRegion),
          .jobs = jobs};
}

}  // namespace faultline
