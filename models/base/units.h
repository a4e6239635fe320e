// Quantities with units, as scenario files write them. A bare number where a unit belongs is an
// error; `0` is the only exception, because zero of anything is zero.
//
//   Duration   10m  2h30m  1.5s  250ms  54d  infinite     (s m h d w, ms us ns; m is minutes)
//   Ratio      20%  0.2                                   (a bare number is a fraction; both 0..1)
//   Rate       6.5 per 1000 node-days   148 per 884736 gpu-days   0.5 per job-hour   2 per zone-year
//   Bytes      64GiB  2TB  512KiB                         (IEC and SI; never a bare b for bits)
//   Bandwidth  400Gbps  370GB/s                           (bps = bits, B/s = bytes)
//   Limit      unlimited  12                              (a count or no limit)
//   Gate       20%  3  off                                (a share of a total, a count, or none)
//
// Each parser takes the whole text and returns the value or one sentence that names what was
// expected ("a duration needs a unit: write 10s, 10m or 10h"). Parsers use std::from_chars and are
// independent of the locale. Every to_string() loads back to the same value.
//
// Thread rule: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "models/base/time.h"

namespace faultline {

template <class T>
using Parsed = tl::expected<T, std::string>;

// What a failure rate counts: the number of such parts times the time they exist is the exposure.
enum class ExposureUnit { kGpu, kNode, kRack, kBlock, kZone, kRegion, kJob };
std::string_view to_string(ExposureUnit unit);

// Events per unit and time. `count` and `exposure` are kept apart as they were written ("148 per
// 884736 gpu-days"), so that a catalogue shows the counts it was made from.
struct Rate {
  double count = 0;       // events observed
  double exposure = 1;    // in `period`s of one `unit`
  Duration period = 1_d;  // one of hour, day, week, year (365.25 d)
  ExposureUnit unit = ExposureUnit::kNode;

  double per_second() const { return count / (exposure * period.seconds()); }  // per unit
  bool operator==(const Rate&) const = default;
};

struct Bytes {
  double value = 0;
  bool operator==(const Bytes&) const = default;
};

struct Bandwidth {
  double bytes_per_second = 0;
  bool operator==(const Bandwidth&) const = default;
};

// A count, or no limit at all.
struct Limit {
  static constexpr std::int64_t kUnlimited = -1;
  std::int64_t count = kUnlimited;

  constexpr bool unlimited() const { return count == kUnlimited; }
  bool operator==(const Limit&) const = default;
};

// How many of a total may be unhealthy before a safety gate closes: a share of the total, rounded
// up as Kubernetes scales a percentage, a plain count, or no gate. Shares are kept in millionths,
// so that 20% of 35 is exactly 7 and its ceiling is not 8.
struct Gate {
  enum class Kind { kOff, kCount, kShare };
  static constexpr std::int64_t kWhole = 1'000'000;
  Kind kind = Kind::kOff;
  std::int64_t amount = 0;  // a count, or millionths of the total

  constexpr std::int64_t allowed(std::int64_t total) const {
    if (kind == Kind::kOff) return total;
    return kind == Kind::kCount ? amount : (amount * total + kWhole - 1) / kWhole;
  }
  bool operator==(const Gate&) const = default;
};

Parsed<Duration> parse_duration(std::string_view text);
Parsed<double> parse_ratio(std::string_view text);
Parsed<Rate> parse_rate(std::string_view text);
Parsed<Bytes> parse_bytes(std::string_view text);
Parsed<Bandwidth> parse_bandwidth(std::string_view text);
Parsed<Limit> parse_limit(std::string_view text);
Parsed<Gate> parse_gate(std::string_view text);
Parsed<std::int64_t> parse_count(std::string_view text);  // decimal digits only; 010 is an error
Parsed<double> parse_number(std::string_view text);       // finite decimal

std::string ratio_to_string(double ratio);  // "20%"
std::string to_string(const Rate& rate);
std::string to_string(Bytes bytes);
std::string to_string(Bandwidth bandwidth);
std::string to_string(Limit limit);
std::string to_string(Gate gate);

}  // namespace faultline
