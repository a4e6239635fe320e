// What monitoring agents add to the steps of a job, by the speed of its slowest rank: behind a slow
// rank some of the noise hides (models/detectors/charged_noise.h). The engine
// fills the table once per plan; a job looks it up whenever its speed changes.
//
// Noise is in millionths of the time that the steps take without it: 50,000 makes them 5% longer.
// It is at most kMost: steps that are a thousand times as long.
//
// Speeds that are not in the table take the next faster one that is: more noise, not less.
//
// Example: set(1'000'000, 90'000), set(800'000, 200). At speeds of 1'000'000 and of 900'000 the noise
// is 90'000; at 800'000 and at 700'000 it is 200. An empty table is no noise.
//
// Thread rule: immutable once filled; share freely.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace faultline {

class NoiseBySpeed {
 public:
  static constexpr std::int64_t kMost = 1'000'000'000;

  void set(std::int64_t speed, std::int64_t noise) {
    const auto place = std::lower_bound(table_.begin(), table_.end(), std::pair{speed, noise});
    table_.insert(place, {speed, std::min(noise, kMost)});
  }
  std::int64_t at(std::int64_t speed) const {
    for (const auto& [tabled, noise] : table_) {
      if (tabled >= speed) return noise;
    }
    return 0;
  }
  bool empty() const { return table_.empty(); }

 private:
  std::vector<std::pair<std::int64_t, std::int64_t>> table_;  // speeds ascending
};

}  // namespace faultline
