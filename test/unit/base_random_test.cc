#include "models/base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <thread>
#include <vector>

namespace faultline {
namespace {

using Counter = r123::Philox4x32::ctr_type;
using Key = r123::Philox4x32::key_type;

// The known answers of Random123 (kat_vectors, philox4x32 with 10 rounds).
TEST(BaseRandom, PhiloxGivesTheKnownAnswers) {
  const r123::Philox4x32 philox;
  EXPECT_EQ(philox(Counter{{0, 0, 0, 0}}, Key{{0, 0}}),
            (Counter{{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}}));
  constexpr std::uint32_t kOnes = 0xffffffff;
  EXPECT_EQ(philox(Counter{{kOnes, kOnes, kOnes, kOnes}}, Key{{kOnes, kOnes}}),
            (Counter{{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}}));
  EXPECT_EQ(philox(Counter{{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}},
                   Key{{0xa4093822, 0x299f31d0}}),
            (Counter{{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}));
}

// FNV-1a, 32 bits: the published test values of "a" and "foobar".
TEST(BaseRandom, AStreamIsTheHashOfItsName) {
  EXPECT_EQ(StreamId("a").value(), 0xe40c292cU);
  EXPECT_EQ(StreamId("foobar").value(), 0xbf9cf968U);
  EXPECT_EQ(StreamId("fault/arrival", "gpu-hbm").value(),
            StreamId("fault/arrival/gpu-hbm").value());
}

TEST(BaseRandom, TheAddressIsKeyAndCounter) {
  const std::uint64_t seed = 0x0123456789abcdef;
  const StreamId stream("capacity/launch");
  const Counter bits =
      r123::Philox4x32()(Counter{{5, stream.value(), 17, 3}}, Key{{0x89abcdef, 0x01234567}});
  const double first = std::ldexp(static_cast<double>(bits[1]), -32);
  const double second = std::ldexp(static_cast<double>(bits[3]), -32);
  const TwoUniforms drawn = RandomSource(seed, 5).two_uniforms(stream, 17, 3);
  EXPECT_NEAR(drawn.first, first, 0x1p-32);
  EXPECT_NEAR(drawn.second, second, 0x1p-32);
}

TEST(BaseRandom, EveryCoordinateOfTheAddressMatters) {
  const StreamId stream("a");
  const double here = RandomSource(1, 2).uniform(stream, 3, 4);
  EXPECT_EQ(RandomSource(1, 2).uniform(stream, 3, 4), here);
  EXPECT_NE(RandomSource(2, 2).uniform(stream, 3, 4), here);
  EXPECT_NE(RandomSource(1ULL << 32 | 1, 2).uniform(stream, 3, 4), here);
  EXPECT_NE(RandomSource(1, 3).uniform(stream, 3, 4), here);
  EXPECT_NE(RandomSource(1, 2).uniform(StreamId("b"), 3, 4), here);
  EXPECT_NE(RandomSource(1, 2).uniform(stream, 4, 4), here);
  EXPECT_NE(RandomSource(1, 2).uniform(stream, 3, 5), here);
}

// Neighbours along each axis of the address, and the two uniforms of one address. Under
// independence the correlation of n pairs has a standard error of 1/sqrt(n) = 0.00316 for n =
// 100,000; the bound of 3.89 standard errors has alpha = 1e-4 for each of the five tests.
TEST(BaseRandom, NeighbouringAddressesAreUncorrelated) {
  constexpr std::uint32_t kPairs = 100'000;
  const auto correlation = [](auto pair_at) {
    double sum = 0;
    for (std::uint32_t i = 0; i < kPairs; ++i) {
      const auto [a, b] = pair_at(i);
      sum += (a - 0.5) * (b - 0.5);
    }
    return sum / kPairs * 12;
  };
  const double bound = 3.89 / std::sqrt(double{kPairs});
  const RandomSource source(42, 0);
  const RandomSource other_replication(42, 1);
  const RandomSource other_seed(43, 0);
  const StreamId stream("test/correlation");
  const auto with = [&](auto other) {
    return std::abs(correlation([&](std::uint32_t i) {
      return TwoUniforms{source.uniform(stream, i, 0), other(i)};
    }));
  };
  EXPECT_LT(with([&](std::uint32_t i) { return source.uniform(stream, i, 1); }), bound);
  EXPECT_LT(with([&](std::uint32_t i) { return source.uniform(stream, i + 1, 0); }), bound);
  EXPECT_LT(with([&](std::uint32_t i) { return other_replication.uniform(stream, i, 0); }), bound);
  EXPECT_LT(with([&](std::uint32_t i) { return other_seed.uniform(stream, i, 0); }), bound);
  EXPECT_LT(with([&](std::uint32_t i) { return source.two_uniforms(stream, i, 0).second; }), bound);
  // The mutant: pairs that share 5% of their randomness are found out.
  EXPECT_GT(with([&](std::uint32_t i) {
              return i % 20 == 0 ? source.uniform(stream, i, 0) : source.uniform(stream, i, 1);
            }),
            bound);
}

// Kolmogorov-Smirnov, n = 100,000: D above 1.949 / sqrt(n) = 0.00616 has alpha = 1e-3.
TEST(BaseRandom, UniformsAreUniform) {
  constexpr std::uint32_t kDraws = 100'000;
  const RandomSource source(7, 0);
  std::vector<double> drawn;
  for (std::uint32_t i = 0; i < kDraws; ++i) drawn.push_back(source.uniform(StreamId("ks"), 0, i));
  std::sort(drawn.begin(), drawn.end());
  const auto distance = [&](double scale) {
    double worst = 0;
    for (std::uint32_t i = 0; i < kDraws; ++i) {
      worst = std::max(worst, std::abs(drawn[i] * scale - (i + 0.5) / kDraws));
    }
    return worst;
  };
  EXPECT_LT(distance(1), 1.949 / std::sqrt(double{kDraws}));
  EXPECT_GT(distance(1.05), 1.949 / std::sqrt(double{kDraws}));
  EXPECT_GT(drawn.front(), 0);
  EXPECT_LT(drawn.back(), 1);
}

TEST(BaseRandom, AnotherThreadDrawsTheSame) {
  const RandomSource source(99, 3);
  std::array<double, 1000> here{};
  std::array<double, 1000> there{};
  const auto fill = [&source](std::array<double, 1000>& draws) {
    for (std::uint32_t i = 0; i < draws.size(); ++i) draws[i] = source.uniform(StreamId("t"), i, 0);
  };
  std::thread worker([&] { fill(there); });
  fill(here);
  worker.join();
  EXPECT_EQ(here, there);
}

}  // namespace
}  // namespace faultline
