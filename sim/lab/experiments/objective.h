// What an experiment makes the most, or the least, of.
//
//   ettr                     any expression over metrics (sim/lab/expression/expression.h): the most of it
//   max EXPR, min EXPR       the same, said; `min stall{hang}`
//   cost                     GPU-hours that were paid for and brought no kept work: the least of them
//
// Cost, of one replication: owned GPUs x horizon x (1 - goodput_ratio), in GPU-hours. Owned are the pools'
// nodes and the warm spares, so an idle spare costs what a stalled node does. With a fixed fleet, less cost is
// more goodput; where a knob buys spares, it is the sum of both. It is per horizon, not per year.
//
//   Worked by hand: 10 nodes x 8 GPUs for 100 h with goodput 0.9: 8,000 x 0.1 = 800 GPU-hours.
//
// An objective belongs to one point: its columns are those of that point's metrics, its GPUs those of that fleet.
//
// Errors: sentences with the column, counted in EXPR.
// Thread rule: immutable.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "sim/lab/expression/expression.h"
#include "sim/lab/point.h"

namespace faultline {

class Objective {
 public:
  enum class Unit { kRatio, kSeconds, kPlain, kGpuHours };

  static tl::expected<Objective, std::string> parse(std::string_view text, const Point& point);
  static Objective cost(const Point& point);

  // One value per row, whose mean estimates the objective; NaN where the rows do not say it.
  std::vector<double> values(const std::vector<std::vector<double>>& rows) const;
  bool larger_is_better() const { return larger_is_better_; }
  Unit unit() const { return unit_; }
  // As it was written, without `max` and `min`.
  const std::string& text() const { return text_; }

 private:
  Objective() = default;

  std::string text_;
  Unit unit_ = Unit::kPlain;
  bool larger_is_better_ = true;
  Expression expression_;
};

// The GPU-hours that a point owns over its horizon.
double owned_gpu_hours(const Point& point);

// The cost as an expression over a point's metrics. Its numbers are plain, GPU-hours.
Expression cost_expression(const Point& point);

}  // namespace faultline
