#include <fmt/format.h>

#include <array>

#include "models/base/check.h"
#include "models/base/units.h"
#include "models/base/units_text.h"

namespace faultline {
namespace {

using tl::unexpected;

struct Period {
  std::string_view name;
  Duration length;
};
constexpr std::array<Period, 4> kPeriods{
    {{"hour", 1_h}, {"day", 1_d}, {"week", 7_d}, {"year", 8766_h}}};
constexpr std::array kExposureUnits{
    ExposureUnit::kGpu,  ExposureUnit::kNode,   ExposureUnit::kRack, ExposureUnit::kBlock,
    ExposureUnit::kZone, ExposureUnit::kRegion, ExposureUnit::kJob};

constexpr std::string_view kExample = "6.5 per 1000 node-days";

std::string_view take_number(std::string_view& rest) {
  const std::string_view number = rest.substr(0, text::number_length(rest));
  rest.remove_prefix(number.size());
  return number;
}

bool take(std::string_view& rest, std::string_view expected) {
  if (rest.substr(0, expected.size()) != expected) return false;
  rest.remove_prefix(expected.size());
  return true;
}

}  // namespace

std::string_view to_string(ExposureUnit unit) {
  switch (unit) {
    case ExposureUnit::kGpu: return "gpu";
    case ExposureUnit::kNode: return "node";
    case ExposureUnit::kRack: return "rack";
    case ExposureUnit::kBlock: return "block";
    case ExposureUnit::kZone: return "zone";
    case ExposureUnit::kRegion: return "region";
    case ExposureUnit::kJob: return "job";
  }
  return "?";
}

Parsed<Rate> parse_rate(std::string_view text) {
  if (text == "0") return Rate{};
  std::string_view rest = text;
  const std::string_view count_text = take_number(rest);
  const std::optional<double> count = text::to_double(count_text);
  if (!count) return unexpected(text::not_a("rate", text, kExample));
  if (rest.empty()) {
    return unexpected(
        fmt::format("a rate needs its exposure: write {} per 1000 node-days", count_text));
  }
  if (!take(rest, " per ")) return unexpected(text::not_a("rate", text, kExample));

  std::optional<double> exposure = 1;
  if (const std::string_view number = take_number(rest); !number.empty()) {
    exposure = text::to_double(number);
    if (!exposure || !take(rest, " ")) return unexpected(text::not_a("rate", text, kExample));
  }
  if (count_text[0] == '-' || *exposure < 0) {
    return unexpected<std::string>("a rate cannot be negative");
  }
  if (*exposure == 0) {
    return unexpected<std::string>("the exposure of a rate must be more than 0");
  }

  for (const ExposureUnit unit : kExposureUnits) {
    for (const Period& period : kPeriods) {
      const std::string name = fmt::format("{}-{}", to_string(unit), period.name);
      if (rest == name || rest == name + "s") return Rate{*count, *exposure, period.length, unit};
    }
  }
  return unexpected(fmt::format(
      "{} is not an exposure: write gpu, node, rack, block, zone, region or job and hours, days, "
      "weeks or years, as in node-days",
      text::quote(rest)));
}

std::string to_string(const Rate& rate) {
  for (const Period& period : kPeriods) {
    if (period.length != rate.period) continue;
    if (rate.exposure == 1) {
      return fmt::format("{} per {}-{}", rate.count, to_string(rate.unit), period.name);
    }
    return fmt::format("{} per {} {}-{}s", rate.count, rate.exposure, to_string(rate.unit),
                       period.name);
  }
  check_failed("a period that has a name", __FILE__, __LINE__, to_string(rate.period));
}

}  // namespace faultline
