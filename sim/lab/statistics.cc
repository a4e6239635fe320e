#include "sim/lab/statistics.h"

#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace faultline {

double student_t(double confidence, std::size_t n) {
  const boost::math::students_t distribution(static_cast<double>(n - 1));
  return boost::math::quantile(distribution, 0.5 + confidence / 2);
}

double quantile_of_sorted(const std::vector<double>& sorted, double q) {
  const double rank = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(rank);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (rank - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

Summary summarise(const std::vector<double>& values) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> known;
  known.reserve(values.size());
  for (const double value : values) {
    if (!std::isnan(value)) known.push_back(value);
  }
  Summary summary{.n = known.size(),
                  .mean = kNan,
                  .ci95_low = kNan,
                  .ci95_high = kNan,
                  .p5 = kNan,
                  .p50 = kNan,
                  .p95 = kNan};
  if (known.empty()) return summary;
  const auto n = static_cast<double>(known.size());
  double sum = 0;
  for (const double value : known) sum += value;
  summary.mean = sum / n;
  if (known.size() > 1) {
    double squares = 0;
    for (const double value : known) squares += (value - summary.mean) * (value - summary.mean);
    const double half_width = student_t(0.95, known.size()) * std::sqrt(squares / (n - 1) / n);
    summary.ci95_low = summary.mean - half_width;
    summary.ci95_high = summary.mean + half_width;
  }
  std::sort(known.begin(), known.end());
  summary.p5 = quantile_of_sorted(known, 0.05);
  summary.p50 = quantile_of_sorted(known, 0.50);
  summary.p95 = quantile_of_sorted(known, 0.95);
  return summary;
}

std::vector<Summary> summarise_columns(const std::vector<std::vector<double>>& rows,
                                       std::size_t columns) {
  std::vector<Summary> summaries;
  summaries.reserve(columns);
  std::vector<double> column(rows.size());
  for (std::size_t c = 0; c < columns; ++c) {
    for (std::size_t row = 0; row < rows.size(); ++row) column[row] = rows[row][c];
    summaries.push_back(summarise(column));
  }
  return summaries;
}

}  // namespace faultline
