#include "models/base/distribution.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "models/base/check.h"

namespace faultline {
namespace {

using Problem = std::optional<std::string>;

Problem not_a_length(std::string_view name, Duration value) {
  if (value.is_infinite()) return fmt::format("{} must be finite", name);
  if (value < Duration::zero()) return fmt::format("{} cannot be negative", name);
  return std::nullopt;
}

Problem not_positive(std::string_view name, Duration value) {
  if (value == Duration::zero()) return fmt::format("{} must be more than 0", name);
  return not_a_length(name, value);
}

Problem not_positive(std::string_view name, double value) {
  if (value > 0 && std::isfinite(value)) return std::nullopt;
  return fmt::format("{} must be a number more than 0 (got {})", name, value);
}

Problem first_of(const Problem& a, const Problem& b) { return a ? a : b; }

template <class Law>
Problem no_mean(const Law& law) {
  if (law.mean() > 0 && law.mean() < Duration::infinite().seconds()) return std::nullopt;
  return "the parameters give a mean of 0 or of more than 292 years";
}

}  // namespace

Distribution Distribution::fixed(Duration value) {
  FAULTLINE_CHECK(value >= Duration::zero(), "a fixed duration of {}", to_string(value));
  return {laws::Fixed{value}, to_string(value)};
}

Distribution::Made Distribution::make_uniform(Duration lo, Duration hi) {
  if (const Problem problem = first_of(not_a_length("lo", lo), not_a_length("hi", hi))) {
    return tl::unexpected(*problem);
  }
  if (hi <= lo) {
    return tl::unexpected(
        fmt::format("hi must be more than lo (got lo {} and hi {})", to_string(lo), to_string(hi)));
  }
  return Distribution(laws::Uniform{lo, hi},
                      fmt::format("!uniform {{lo: {}, hi: {}}}", to_string(lo), to_string(hi)));
}

Distribution::Made Distribution::make_exponential(Duration mean) {
  if (const Problem problem = not_positive("mean", mean)) return tl::unexpected(*problem);
  return Distribution(laws::Exponential{mean.seconds()},
                      fmt::format("!exponential {{mean: {}}}", to_string(mean)));
}

Distribution::Made Distribution::make_weibull(double shape, Duration scale) {
  if (const Problem problem =
          first_of(not_positive("shape", shape), not_positive("scale", scale))) {
    return tl::unexpected(*problem);
  }
  const laws::Weibull law{shape, scale.seconds()};
  if (const Problem problem = no_mean(law)) return tl::unexpected(*problem);
  return Distribution(law,
                      fmt::format("!weibull {{shape: {}, scale: {}}}", shape, to_string(scale)));
}

Distribution::Made Distribution::make_weibull_with_mean(double shape, Duration mean) {
  if (const Problem problem = first_of(not_positive("shape", shape), not_positive("mean", mean))) {
    return tl::unexpected(*problem);
  }
  const laws::Weibull law{shape, mean.seconds() / laws::weibull_mean_factor(shape)};
  if (const Problem problem = no_mean(law)) return tl::unexpected(*problem);
  return Distribution(law, fmt::format("!weibull {{shape: {}, mean: {}}}", shape, to_string(mean)));
}

Distribution::Made Distribution::make_lognormal(double mu, double sigma) {
  if (!std::isfinite(mu)) return tl::unexpected(fmt::format("mu must be finite (got {})", mu));
  if (const Problem problem = not_positive("sigma", sigma)) return tl::unexpected(*problem);
  const laws::Lognormal law{mu, sigma};
  if (const Problem problem = no_mean(law)) return tl::unexpected(*problem);
  return Distribution(law, fmt::format("!lognormal {{mu: {}, sigma: {}}}", mu, sigma));
}

Distribution::Made Distribution::make_lognormal_with_percentiles(Duration median, Duration p95) {
  if (const Problem problem = first_of(not_positive("median", median), not_a_length("p95", p95))) {
    return tl::unexpected(*problem);
  }
  if (p95 <= median) {
    return tl::unexpected(fmt::format("p95 must be more than the median (got median {} and p95 {})",
                                      to_string(median), to_string(p95)));
  }
  const laws::Lognormal law{std::log(median.seconds()),
                            std::log(p95.seconds() / median.seconds()) / normal_quantile(0.95)};
  if (const Problem problem = no_mean(law)) return tl::unexpected(*problem);
  return Distribution(
      law, fmt::format("!lognormal {{median: {}, p95: {}}}", to_string(median), to_string(p95)));
}

Distribution::Made Distribution::make_gamma(double shape, Duration scale) {
  if (const Problem problem =
          first_of(not_positive("shape", shape), not_positive("scale", scale))) {
    return tl::unexpected(*problem);
  }
  const laws::Gamma law{shape, scale.seconds()};
  if (const Problem problem = no_mean(law)) return tl::unexpected(*problem);
  return Distribution(law, fmt::format("!gamma {{shape: {}, scale: {}}}", shape, to_string(scale)));
}

Distribution::Made Distribution::make_gamma_with_mean(double shape, Duration mean) {
  if (const Problem problem = first_of(not_positive("shape", shape), not_positive("mean", mean))) {
    return tl::unexpected(*problem);
  }
  const laws::Gamma law{shape, mean.seconds() / shape};
  if (const Problem problem = no_mean(law)) return tl::unexpected(*problem);
  return Distribution(law, fmt::format("!gamma {{shape: {}, mean: {}}}", shape, to_string(mean)));
}

Distribution::Made Distribution::make_empirical(std::vector<Duration> values) {
  if (values.empty()) return tl::unexpected<std::string>("an empirical sample cannot be empty");
  std::vector<std::string> texts;
  std::sort(values.begin(), values.end());
  for (const Duration value : values) {
    if (const Problem problem = not_a_length("a value of the sample", value)) {
      return tl::unexpected(*problem);
    }
    texts.push_back(to_string(value));
  }
  return Distribution(
      laws::Empirical{std::make_shared<const std::vector<Duration>>(std::move(values))},
      fmt::format("!empirical {{values: [{}]}}", fmt::join(texts, ", ")));
}

Distribution::Made Distribution::make_mixture(
    std::vector<std::pair<double, Distribution>> weighted_parts) {
  double total = 0;
  std::vector<std::string> texts;
  for (const auto& [weight, part] : weighted_parts) {
    if (!(weight >= 0 && std::isfinite(weight))) {
      return tl::unexpected(fmt::format("a weight must be a number of 0 or more (got {})", weight));
    }
    total += weight;
    texts.push_back(fmt::format("{{weight: {}, of: {}}}", weight, part.text()));
  }
  if (total == 0) {
    return tl::unexpected<std::string>("a mixture needs a part with a weight of more than 0");
  }
  if (!std::isfinite(total)) {
    return tl::unexpected<std::string>("the weights of a mixture must have a finite sum");
  }
  std::vector<laws::MixturePart> parts;
  for (std::pair<double, Distribution>& weighted : weighted_parts) {
    if (weighted.first > 0) parts.push_back({weighted.first / total, std::move(weighted.second)});
  }
  return Distribution(
      laws::Mixture{std::make_shared<const std::vector<laws::MixturePart>>(std::move(parts))},
      fmt::format("!mixture {{parts: [{}]}}", fmt::join(texts, ", ")));
}

Duration Distribution::sample(double u) const {
  return std::visit(
      [u](const auto& law) {
        if constexpr (std::is_same_v<decltype(law), const laws::Mixture&>) {
          return law.sample(u);
        } else {
          return law.quantile(u);
        }
      },
      law_);
}

double Distribution::mean_seconds() const {
  return std::visit([](const auto& law) { return law.mean(); }, law_);
}

double Distribution::cdf(Duration x) const {
  if (x.is_infinite()) return 1;
  return std::visit([x](const auto& law) { return law.cdf(x); }, law_);
}

Duration Distribution::quantile(double u) const {
  return std::visit([u](const auto& law) { return law.quantile(u); }, law_);
}

bool Distribution::is_fixed() const { return std::holds_alternative<laws::Fixed>(law_); }

}  // namespace faultline
