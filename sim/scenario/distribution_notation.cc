#include "sim/scenario/distribution_notation.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/base/units.h"
#include "sim/scenario/diagnostics.h"

namespace faultline {
namespace {

using Made = Distribution::Made;

class Maker {
 public:
  Maker(const std::string& folder, const FileSystem& files) : folder_(folder), files_(files) {}

  Made operator()(const UniformNotation& n) const { return Distribution::make_uniform(n.lo, n.hi); }
  Made operator()(const ExponentialNotation& n) const {
    return Distribution::make_exponential(n.mean);
  }
  Made operator()(const WeibullNotation& n) const {
    return n.mean ? Distribution::make_weibull_with_mean(n.shape, *n.mean)
                  : Distribution::make_weibull(n.shape, *n.scale);
  }
  Made operator()(const GammaNotation& n) const {
    return n.mean ? Distribution::make_gamma_with_mean(n.shape, *n.mean)
                  : Distribution::make_gamma(n.shape, *n.scale);
  }
  Made operator()(const LognormalNotation& n) const {
    return n.mu ? Distribution::make_lognormal(*n.mu, *n.sigma)
                : Distribution::make_lognormal_with_percentiles(*n.median, *n.p95);
  }
  Made operator()(const EmpiricalNotation& n) const {
    return n.file.empty() ? Distribution::make_empirical(n.values) : from_file(n.file);
  }
  Made operator()(const MixtureNotation& n) const {
    std::vector<std::pair<double, Distribution>> parts;
    for (const MixturePartNotation& part : n.parts) parts.emplace_back(part.weight, part.of);
    return Distribution::make_mixture(std::move(parts));
  }

 private:
  Made from_file(const std::string& file) const {
    const auto path = find_file(files_, folder_, file);
    const auto text = files_.read(path.value_or(file));
    if (!text) return tl::unexpected(fmt::format("file {} {}", printable(file), text.error()));
    std::vector<Duration> values;
    int line_number = 0;
    for (std::size_t begin = 0; begin < text->size(); ++line_number) {
      const std::size_t end = std::min(text->find('\n', begin), text->size());
      std::string_view line = std::string_view(*text).substr(begin, end - begin);
      begin = end + 1;
      while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
      if (line.empty() || line.front() == '#') continue;
      const Parsed<Duration> value = parse_duration(line);
      if (!value) {
        return tl::unexpected(
            fmt::format("file {} line {}: {}", printable(file), line_number + 1, value.error()));
      }
      values.push_back(*value);
    }
    return Distribution::make_empirical(std::move(values));
  }

  const std::string& folder_;
  const FileSystem& files_;
};

void exactly_one(bool first, bool second, std::string_view names, FieldProblems& problems) {
  if (first == second) problems.add("", fmt::format("needs exactly one of {}", names));
}

}  // namespace

void ShapeAndMean::check(FieldProblems& problems) const {
  exactly_one(mean.has_value(), scale.has_value(), "`mean` and `scale`", problems);
}

void LognormalNotation::check(FieldProblems& problems) const {
  const bool percentiles = median && p95 && !mu && !sigma;
  const bool parameters = mu && sigma && !median && !p95;
  if (!percentiles && !parameters) {
    problems.add("", "needs either `median` and `p95`, or `mu` and `sigma`");
  }
}

void EmpiricalNotation::check(FieldProblems& problems) const {
  exactly_one(!values.empty(), !file.empty(), "`values` and `file`", problems);
}

Distribution::Made make_distribution(const DistributionNotation& notation,
                                     const std::string& folder, const FileSystem& files) {
  return std::visit(Maker(folder, files), notation);
}

}  // namespace faultline
