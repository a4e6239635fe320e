// Random numbers that are addressed, not consumed.
//
// A draw is a pure function of its address (seed, replication, stream, entity, draw): Philox4x32-10
// (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC11; Random123) encrypts the
// address into 128 random bits. There is no generator state, so nothing that one model does can
// shift what another one draws: two policies face the same faults, a node more or a thread more
// changes no other number, and any single draw of a run can be made again from the journal.
//
//   key     = seed                                          (64 bits)
//   counter = (replication, stream, entity, draw)           (4 x 32 bits)
//
// A stream is a name ("capacity/launch"): `StreamId` is its FNV-1a hash, made at compile time. The
// entity is whatever the draw is about (a node slot, the 17th fault of a class, ...), `draw` counts
// decisions about it. Each address yields two independent uniforms; take the second only where both
// belong to one decision.
//
// A uniform is ((x >> 12) + 1/2) / 2^52: exact in a double and strictly between 0 and 1, so an
// inverse CDF never meets its poles.
//
// Thread rule: `RandomSource` is an immutable value; share freely.
#pragma once

#include <Random123/philox.h>

#include <cstdint>
#include <string_view>

namespace faultline {

class StreamId {
 public:
  explicit constexpr StreamId(std::string_view name) : hash_(2166136261U) { mix(name); }
  // A family of streams, one per name: StreamId("fault/arrival", "gpu-hbm").
  constexpr StreamId(std::string_view family, std::string_view name) : StreamId(family) {
    mix("/");
    mix(name);
  }
  constexpr std::uint32_t value() const { return hash_; }

 private:
  constexpr void mix(std::string_view text) {
    for (const char c : text) hash_ = (hash_ ^ static_cast<unsigned char>(c)) * 16777619U;
  }
  std::uint32_t hash_;
};

struct TwoUniforms {
  double first;
  double second;
};

class RandomSource {
 public:
  RandomSource(std::uint64_t seed, std::uint32_t replication)
      : key_{{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}},
        replication_(replication) {}

  TwoUniforms two_uniforms(StreamId stream, std::uint32_t entity, std::uint32_t draw) const {
    const r123::Philox4x32::ctr_type counter{{replication_, stream.value(), entity, draw}};
    const r123::Philox4x32::ctr_type bits = r123::Philox4x32()(counter, key_);
    return {to_uniform(bits[0], bits[1]), to_uniform(bits[2], bits[3])};
  }
  double uniform(StreamId stream, std::uint32_t entity, std::uint32_t draw) const {
    return two_uniforms(stream, entity, draw).first;
  }
  std::uint32_t replication() const { return replication_; }

 private:
  static double to_uniform(std::uint32_t low, std::uint32_t high) {
    const std::uint64_t word = (static_cast<std::uint64_t>(high) << 32) | low;
    return (static_cast<double>(word >> 12) + 0.5) * 0x1.0p-52;
  }
  r123::Philox4x32::key_type key_;
  std::uint32_t replication_;
};

}  // namespace faultline
