// A histogram of durations with logarithmic buckets: 32 per doubling, from a millisecond to 34 years.
//
// Each bucket keeps its count, its least and its greatest value: whole numbers, so histograms add up in
// any order to the same result, over threads and over shards. A quantile is interpolated between the
// least and the greatest value of its bucket: off by 3.1% at the very most, and exact where a bucket
// holds one value only (a toleration of ten minutes is 600 s, not 598).
//
// Thread rule: one per thread; add them up afterwards.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "models/base/time.h"

namespace faultline {

class Histogram {
 private:
  static constexpr unsigned kSubBits = 5;
  static constexpr std::uint64_t kSub = 1U << kSubBits;

 public:
  static constexpr std::size_t kBuckets = kSub * 36;
  struct Bucket {
    std::uint64_t count = 0;
    Duration least = Duration::infinite();
    Duration greatest = Duration::zero();

    void add(const Bucket& other) {
      count += other.count;
      least = std::min(least, other.least);
      greatest = std::max(greatest, other.greatest);
    }
  };

  void add(Duration value) { add(bucket(value), {.count = 1, .least = value, .greatest = value}); }
  // What a bucket of another histogram held; `b` is less than kBuckets.
  void add(std::size_t b, const Bucket& values) {
    buckets_[b].add(values);
    count_ += values.count;
  }
  void add(const Histogram& other) {
    for (std::size_t b = 0; b < kBuckets; ++b) buckets_[b].add(other.buckets_[b]);
    count_ += other.count_;
  }
  std::uint64_t count() const { return count_; }
  const std::array<Bucket, kBuckets>& buckets() const { return buckets_; }

  // The q-quantile in seconds, q in [0, 1]; 0 if the histogram is empty.
  double quantile_seconds(double q) const {
    const double rank = q * static_cast<double>(count_);
    double below = 0;
    for (const Bucket& b : buckets_) {
      const auto count = static_cast<double>(b.count);
      if (b.count > 0 && below + count >= rank) {
        const double share = rank <= below ? 0 : (rank - below) / count;
        return b.least.seconds() + share * (b.greatest - b.least).seconds();
      }
      below += count;
    }
    return 0;
  }

 private:
  static std::size_t bucket(Duration value) {
    const std::int64_t ms = value.ns() / 1'000'000;
    if (ms <= 0) return 0;
    const auto v = static_cast<std::uint64_t>(ms);
    if (v < kSub) return v;
    const auto shift = static_cast<unsigned>(std::bit_width(v)) - kSubBits - 1;
    const std::size_t index = (shift + 1) * kSub + ((v >> shift) - kSub);
    return index < kBuckets ? index : kBuckets - 1;
  }
  std::array<Bucket, kBuckets> buckets_{};
  std::uint64_t count_ = 0;
};

}  // namespace faultline
