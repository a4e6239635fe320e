// After how many replications an open question is looked at: first, twice as many, ..., and `most`.
//
// Whoever looks k times shares the error among the looks (Bonferroni).
//
// By hand: from 100 up to 1,000 there are 5 looks: 100, 200, 400, 800, 1,000.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace faultline {

// Where experiments with --reps auto begin.
inline constexpr std::uint32_t kFirstLook = 100;

// At least one look; at most `most` replications.
inline std::vector<std::uint32_t> doubling_looks(std::uint32_t first, std::uint32_t most) {
  std::vector<std::uint32_t> looks{std::min(first, most)};
  while (looks.back() < most) {
    looks.push_back(looks.back() < most / 2 ? 2 * looks.back() : most);
  }
  return looks;
}

}  // namespace faultline
