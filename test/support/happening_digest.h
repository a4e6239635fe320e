// A number that stands for a journal: FNV-1a (64 bits) over every field of every happening, in
// order. Two runs with one digest went the same way, to the nanosecond.
#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>
#include <variant>

#include "sim/engine/sink.h"
#include "sim/report/happening_fields.h"

namespace faultline {

class HappeningDigest final : public HappeningSink {
 public:
  void on(const Happening& happening) override {
    ++happenings_;
    mix(happening.time.ns());
    mix(happening.id);
    mix(happening.cause);
    std::visit(
        [&](const auto& what) {
          using Fields = HappeningFields<std::decay_t<decltype(what)>>;
          mix(Fields::kName);
          Fields::visit(what, *this);
        },
        happening.what);
  }
  std::uint64_t digest() const { return hash_; }
  std::uint64_t happenings() const { return happenings_; }

  // The visitor of HappeningFields.
  template <class T>
  void operator()(std::string_view, const T& value) {
    mix(value);
  }
  void optional(std::string_view, const Duration& value) {
    if (value != Duration::zero()) mix(value);
  }
  template <class T>
  void optional(std::string_view, const T& id) {
    mix(id);
  }

 private:
  void mix_byte(std::uint64_t byte) { hash_ = (hash_ ^ byte) * 1099511628211U; }
  void mix(std::string_view text) {
    for (const char c : text) mix_byte(static_cast<unsigned char>(c));
  }
  template <class T>
  requires std::is_integral_v<T> || std::is_enum_v<T>
  void mix(T value) {
    const auto bits = static_cast<std::uint64_t>(value);
    for (unsigned shift = 0; shift < 64; shift += 8) mix_byte((bits >> shift) & 0xFFU);
  }
  template <class Tag>
  void mix(StrongId<Tag> id) {
    mix(id.value());
  }
  void mix(NodeId node) {
    mix(node.slot);
    mix(node.generation);
  }
  void mix(Duration duration) { mix(duration.ns()); }

  std::uint64_t hash_ = 14695981039346656037U;
  std::uint64_t happenings_ = 0;
};

}  // namespace faultline
