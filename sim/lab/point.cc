#include "sim/lab/point.h"

#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <utility>

namespace faultline {
namespace {

std::string text_of_what_is_simulated(Scenario scenario) {
  scenario.expect.clear();
  return show_scenario(scenario, /*every_field=*/true);
}

}  // namespace

tl::expected<Point, Diagnostics> Point::load(std::string label, const std::string& scenario,
                                             const std::vector<Override>& overrides,
                                             const FileSystem& files) {
  auto loaded = load_scenario(scenario, overrides, files);
  if (!loaded) return tl::unexpected(std::move(loaded.error()));
  std::string settings;
  for (const Override& change : overrides) {
    settings += (settings.empty() ? "" : " ") + change.text;
  }
  return Point(std::move(label), std::move(*loaded), std::move(settings));
}

Point::Point(std::string label, Scenario scenario, std::string settings)
    : label_(std::move(label)),
      settings_(std::move(settings)),
      scenario_(std::make_unique<const Scenario>(std::move(scenario))),
      plan_(std::make_unique<const SimulationPlan>(*scenario_)),
      metrics_(metric_names(*plan_)),
      text_(text_of_what_is_simulated(*scenario_)),
      hash_(boost::uuids::to_string(
          boost::uuids::name_generator_sha1(boost::uuids::ns::oid())(text_))) {}

}  // namespace faultline
