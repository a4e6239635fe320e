// A share of the replications of an experiment: `--shard 2/7` is the second of seven.
//
// Replication r belongs to shard r mod N + 1: every shard has some of each point, and the union of the N
// shards is the whole experiment, whatever N is.
//
// Thread rule: value.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace faultline {

struct Shard {
  std::uint32_t number = 1;  // 1 .. count
  std::uint32_t count = 1;

  bool whole() const { return count == 1; }
  bool owns(std::uint32_t replication) const { return replication % count + 1 == number; }
};

// "2/7"; the error is a sentence.
tl::expected<Shard, std::string> parse_shard(std::string_view text);

}  // namespace faultline
