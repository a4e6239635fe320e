// Rows of points whose means are known: normal values with common randomness, as an experiment's.
//
//   y_ir = step x i + sqrt(common) z_r + sqrt(1 - common) z_ir,   z standard normal
//
// The last point is the best one. Addressed by (seed, point, row), like everything that is random.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "models/base/distribution.h"
#include "models/base/random.h"

namespace faultline {

struct SyntheticRows {
  std::uint64_t seed = 1;
  std::size_t points = 2;
  std::size_t rows = 100;
  double step = 0;
  double common = 0.7;
};

inline std::vector<std::vector<double>> synthetic_rows(const SyntheticRows& what) {
  std::vector<std::vector<double>> values(what.points, std::vector<double>(what.rows));
  for (std::size_t r = 0; r < what.rows; ++r) {
    const RandomSource random(what.seed, static_cast<std::uint32_t>(r));
    const auto normal = [&](std::size_t entity) {
      return normal_quantile(
          random.uniform(StreamId("test/synthetic"), static_cast<std::uint32_t>(entity), 0));
    };
    const double shared = std::sqrt(what.common) * normal(what.points);
    for (std::size_t i = 0; i < what.points; ++i) {
      values[i][r] =
          what.step * static_cast<double>(i) + shared + std::sqrt(1 - what.common) * normal(i);
    }
  }
  return values;
}

}  // namespace faultline
