// The tagged notations of a distribution, as field lists: what models/base/distribution.h
// documents, with the strictness, the help and the JSON Schema of everything else in a scenario.
//
// An empirical sample from a file holds one duration per line; empty lines and lines that start
// with `#` are skipped.
//
// Thread rule: values.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "models/base/distribution.h"
#include "models/base/fields.h"
#include "sim/scenario/files.h"

namespace faultline {

struct UniformNotation {
  static constexpr std::string_view kTag = "uniform";
  Duration lo;
  Duration hi;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("lo", &UniformNotation::lo, {.help = "Shortest time.", .required = true});
    visit("hi", &UniformNotation::hi, {.help = "Longest time.", .required = true});
  }
};

struct ExponentialNotation {
  static constexpr std::string_view kTag = "exponential";
  Duration mean;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("mean", &ExponentialNotation::mean,
          {.help = "Mean time.", .required = true, .more_than_zero = true});
  }
};

// Weibull and gamma take the same parameters.
struct ShapeAndMean {
  double shape = 1;
  std::optional<Duration> mean;
  std::optional<Duration> scale;

  template <class Owner, class Visitor>
  static void visit_fields(Visitor& visit) {
    visit("shape", &Owner::shape, {.help = "Shape.", .required = true, .more_than_zero = true});
    visit("mean", &Owner::mean, {.help = "Mean time; or give `scale`.", .more_than_zero = true});
    visit("scale", &Owner::scale, {.help = "Scale; or give `mean`.", .more_than_zero = true});
  }
  void check(FieldProblems& problems) const;
};

struct WeibullNotation : ShapeAndMean {
  static constexpr std::string_view kTag = "weibull";
  template <class Visitor>
  static void fields(Visitor& visit) {
    visit_fields<WeibullNotation>(visit);
  }
};

struct GammaNotation : ShapeAndMean {
  static constexpr std::string_view kTag = "gamma";
  template <class Visitor>
  static void fields(Visitor& visit) {
    visit_fields<GammaNotation>(visit);
  }
};

struct LognormalNotation {
  static constexpr std::string_view kTag = "lognormal";
  std::optional<Duration> median;
  std::optional<Duration> p95;
  std::optional<double> mu;
  std::optional<double> sigma;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("median", &LognormalNotation::median,
          {.help = "Half of the times are shorter; goes with `p95`.", .more_than_zero = true});
    visit("p95", &LognormalNotation::p95,
          {.help = "95% of the times are shorter; goes with `median`.", .more_than_zero = true});
    visit("mu", &LognormalNotation::mu,
          {.help = "Mean of ln(seconds); goes with `sigma`.", .at_least = -100});
    visit("sigma", &LognormalNotation::sigma,
          {.help = "Standard deviation of ln(seconds); goes with `mu`.", .more_than_zero = true});
  }
  void check(FieldProblems& problems) const;
};

struct EmpiricalNotation {
  static constexpr std::string_view kTag = "empirical";
  std::vector<Duration> values;
  std::string file;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("values", &EmpiricalNotation::values, {.help = "The observed times; or give `file`."});
    visit("file", &EmpiricalNotation::file,
          {.help = "A text file with one observed time per line; or give `values`."});
  }
  void check(FieldProblems& problems) const;
};

struct MixturePartNotation {
  double weight = 0;
  Distribution of;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("weight", &MixturePartNotation::weight,
          {.help = "Share of this part, relative to the sum of all weights.", .required = true});
    visit("of", &MixturePartNotation::of, {.help = "Its distribution.", .required = true});
  }
};

struct MixtureNotation {
  static constexpr std::string_view kTag = "mixture";
  std::vector<MixturePartNotation> parts;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("parts", &MixtureNotation::parts, {.help = "The parts.", .required = true});
  }
};

using DistributionNotation =
    std::variant<UniformNotation, ExponentialNotation, WeibullNotation, LognormalNotation,
                 GammaNotation, EmpiricalNotation, MixtureNotation>;

// The distribution, or what is wrong. `folder`: where the path of an empirical file starts.
Distribution::Made make_distribution(const DistributionNotation& notation,
                                     const std::string& folder, const FileSystem& files);

}  // namespace faultline
