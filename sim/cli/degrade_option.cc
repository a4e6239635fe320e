#include "sim/cli/degrade_option.h"

#include <fmt/format.h>

#include "sim/scenario/diagnostics.h"

namespace faultline {
namespace {

// rail3@train-17 -> rail3@node17
std::string by_number(const std::string& part, const Fleet& fleet) {
  const std::size_t at = part.find('@');
  if (at == std::string::npos) return part;
  const auto slot = fleet.find(part.substr(at + 1));
  return slot ? fmt::format("{}@node{}", part.substr(0, at), slot->value()) : part;
}

tl::expected<FabricFault, std::string> read(const std::string& text, const Fabric& fabric,
                                            const Fleet& fleet) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    return tl::unexpected(std::string("write PART=SHARE, such as rail3@node17=10% or leaf12=dead"));
  }
  const auto element = fabric.find(by_number(text.substr(0, equals), fleet));
  if (!element) return tl::unexpected(element.error());
  FabricFault fault{.element = *element};
  std::string value = text.substr(equals + 1);
  if (value == "dead") return fault;
  if (const std::size_t plus = value.find('+'); plus != std::string::npos) {
    const auto latency = parse_duration(value.substr(plus + 1));
    if (!latency) return tl::unexpected(latency.error());
    if (latency->is_infinite()) return tl::unexpected(std::string("a latency is finite"));
    fault.extra_latency = *latency;
    value.resize(plus);
  }
  const auto share = parse_ratio(value);
  if (!share) return tl::unexpected(share.error());
  fault.bandwidth = *share;
  return fault;
}

}  // namespace

tl::expected<FabricFault, std::string> degraded_part(const std::string& text, const Fabric& fabric,
                                                     const Fleet& fleet) {
  auto fault = read(text, fabric, fleet);
  if (fault) return fault;
  return tl::unexpected(fmt::format("--degrade `{}`: {}", printable(text), fault.error()));
}

}  // namespace faultline
