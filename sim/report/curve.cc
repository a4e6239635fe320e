#include "sim/report/curve.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace faultline {
namespace {

constexpr std::string_view kShades = " .:-=+*#%@";

std::size_t cell(double place, std::size_t cells) {
  const double last = static_cast<double>(cells) - 1;
  return static_cast<std::size_t>(std::round(std::clamp(place, 0.0, 1.0) * last));
}

}  // namespace

double Scale::place(double value) const { return high != low ? (value - low) / (high - low) : 0.5; }

std::string drawn_band(const Scale& scale, double mean, const Interval& band, int width) {
  std::string row(static_cast<std::size_t>(width), '.');
  if (std::isnan(mean)) return row;
  if (!std::isnan(band.low)) {
    const std::size_t first = cell(scale.place(band.low), row.size());
    const std::size_t last = cell(scale.place(band.high), row.size());
    std::fill(row.begin() + static_cast<std::ptrdiff_t>(first),
              row.begin() + static_cast<std::ptrdiff_t>(last) + 1, '-');
  }
  row[cell(scale.place(mean), row.size())] = 'o';
  return row;
}

char shade(const Scale& scale, double value) {
  return std::isnan(value) ? '?' : kShades[cell(scale.place(value), kShades.size())];
}

}  // namespace faultline
