#include "sim/lab/shard.h"

#include <fmt/format.h>

#include "models/base/units.h"
#include "sim/scenario/diagnostics.h"

namespace faultline {
namespace {

constexpr std::int64_t kMostShards = 1'000'000;

}  // namespace

tl::expected<Shard, std::string> parse_shard(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash != std::string_view::npos) {
    const auto number = parse_count(text.substr(0, slash));
    const auto count = parse_count(text.substr(slash + 1));
    if (number && count && *number >= 1 && *number <= *count && *count <= kMostShards) {
      return Shard{.number = static_cast<std::uint32_t>(*number),
                   .count = static_cast<std::uint32_t>(*count)};
    }
  }
  return tl::unexpected(
      fmt::format("`{}` is no share: write `2/7` for the second of seven", printable(text)));
}

}  // namespace faultline
