// What is written loads back to the same value.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "models/base/units.h"

namespace faultline {
namespace {

// Lengths of every order of magnitude, from nanoseconds to 292 years.
Duration any_duration() {
  const auto most = std::numeric_limits<std::int64_t>::max();
  return Duration::nanoseconds(*rc::gen::inRange<std::int64_t>(0, most) >>
                               *rc::gen::inRange(0, 63));
}

double any_positive() {
  return std::ldexp(1 + *rc::gen::inRange(0, 1 << 30) * 0x1p-30, *rc::gen::inRange(-40, 40));
}

RC_GTEST_PROP(BaseRoundTrip, Duration, ()) {
  const Duration duration = any_duration();
  RC_ASSERT(parse_duration(to_string(duration)) == duration);
}

RC_GTEST_PROP(BaseRoundTrip, Rate, ()) {
  const Rate rate{any_positive(), *rc::gen::element(1.0, 1000.0, 884'736.0, any_positive()),
                  *rc::gen::element(1_h, 1_d, 7_d, 8766_h),
                  *rc::gen::element(ExposureUnit::kGpu, ExposureUnit::kNode, ExposureUnit::kRack,
                                    ExposureUnit::kBlock, ExposureUnit::kZone,
                                    ExposureUnit::kRegion, ExposureUnit::kJob)};
  RC_ASSERT(parse_rate(to_string(rate)) == rate);
}

RC_GTEST_PROP(BaseRoundTrip, Ratio, ()) {
  const double ratio = *rc::gen::element(*rc::gen::inRange(0, 1001) / 1000.0,
                                         std::min(1.0, any_positive() * 0x1p-20));
  RC_ASSERT(parse_ratio(ratio_to_string(ratio)) == ratio);
}

RC_GTEST_PROP(BaseRoundTrip, BytesAndBandwidth, ()) {
  const double value = *rc::gen::element(0.0, any_positive(), std::floor(any_positive()));
  RC_ASSERT(parse_bytes(to_string(Bytes{value})) == Bytes{value});
  RC_ASSERT(parse_bandwidth(to_string(Bandwidth{value})) == Bandwidth{value});
}

RC_GTEST_PROP(BaseRoundTrip, Limit, (std::int32_t count)) {
  const Limit limit{std::max(count, -1)};
  RC_ASSERT(parse_limit(to_string(limit)) == limit);
}

RC_GTEST_PROP(BaseRoundTrip, Gate, ()) {
  const Gate gate{*rc::gen::element(Gate::Kind::kCount, Gate::Kind::kShare),
                  *rc::gen::inRange<std::int64_t>(0, Gate::kWhole + 1)};
  RC_ASSERT(parse_gate(to_string(gate)) == gate);
}

// Whatever the text: a value or one sentence, and a suggestion in it that works.
RC_GTEST_PROP(BaseRoundTrip, AnyTextIsAnswered, ()) {
  const auto text = *rc::gen::container<std::string>(
      rc::gen::elementOf(std::string("0123456789.-+e% /smhdwMGKibBpserjonty")));
  RC_ASSERT(parse_rate(text) || !parse_rate(text).error().empty());
  RC_ASSERT(parse_bytes(text) || !parse_bytes(text).error().empty());
  RC_ASSERT(parse_bandwidth(text) || !parse_bandwidth(text).error().empty());
  RC_ASSERT(parse_ratio(text) || !parse_ratio(text).error().empty());
  RC_ASSERT(parse_count(text) || !parse_count(text).error().empty());
  RC_ASSERT(parse_number(text) || !parse_number(text).error().empty());
  const Parsed<Duration> duration = parse_duration(text);
  if (duration) return;
  const std::string& message = duration.error();
  const std::string marker = "is not a duration: write ";
  const std::size_t at = message.find(marker);
  if (at == std::string::npos) return;
  const std::string suggestion = message.substr(at + marker.size());
  if (suggestion != "10s, 10m or 10h") RC_ASSERT(parse_duration(suggestion).has_value());
}

}  // namespace
}  // namespace faultline
