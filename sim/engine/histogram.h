// A histogram of durations with logarithmic buckets: 32 per doubling, from a millisecond to 34
// years.
//
// Counts are whole numbers, so histograms add up in any order to the same result, over threads and
// over shards. A quantile is interpolated inside its bucket: off by at most 2.2%, and exact to the
// millisecond below 32 ms.
//
// Thread rule: one per thread; add them up afterwards.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "models/base/time.h"

namespace faultline {

class Histogram {
 public:
  void add(Duration value) {
    ++buckets_[bucket(value)];
    ++count_;
  }
  void add(const Histogram& other) {
    for (std::size_t b = 0; b < kBuckets; ++b) buckets_[b] += other.buckets_[b];
    count_ += other.count_;
  }
  std::uint64_t count() const { return count_; }

  // The q-quantile in seconds, q in [0, 1]; 0 if the histogram is empty.
  double quantile_seconds(double q) const {
    const double rank = q * static_cast<double>(count_);
    double below = 0;
    for (std::size_t b = 0; b < kBuckets; ++b) {
      const auto in_bucket = static_cast<double>(buckets_[b]);
      if (in_bucket > 0 && below + in_bucket >= rank) {
        const double share = rank <= below ? 0 : (rank - below) / in_bucket;
        return (lower(b) + share * (lower(b + 1) - lower(b))) * 1e-3;
      }
      below += in_bucket;
    }
    return 0;
  }

 private:
  static constexpr unsigned kSubBits = 5;
  static constexpr std::uint64_t kSub = 1U << kSubBits;
  static constexpr std::size_t kBuckets = kSub * 36;

  static std::size_t bucket(Duration value) {
    const std::int64_t ms = value.ns() / 1'000'000;
    if (ms <= 0) return 0;
    const auto v = static_cast<std::uint64_t>(ms);
    if (v < kSub) return v;
    const auto shift = static_cast<unsigned>(std::bit_width(v)) - kSubBits - 1;
    const std::size_t index = (shift + 1) * kSub + ((v >> shift) - kSub);
    return index < kBuckets ? index : kBuckets - 1;
  }
  // The least value of a bucket, in milliseconds.
  static double lower(std::size_t bucket) {
    if (bucket < kSub) return static_cast<double>(bucket);
    const std::size_t shift = bucket / kSub - 1;
    return static_cast<double>((kSub + bucket % kSub) << shift);
  }

  std::array<std::uint64_t, kBuckets> buckets_{};
  std::uint64_t count_ = 0;
};

}  // namespace faultline
