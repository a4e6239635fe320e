// Where happenings go: the ledger, the metrics, a journal file, a test.
#pragma once

#include <cstdint>
#include <type_traits>
#include <variant>

#include "models/happenings.h"

namespace faultline {

// A set of kinds of happenings.
class HappeningKinds {
 public:
  static constexpr HappeningKinds all() { return HappeningKinds(~std::uint64_t{0}); }
  template <class... Whats>
  constexpr HappeningKinds without() const {
    return HappeningKinds(bits_ & ~(bit<Whats>() | ...));
  }
  template <class What>
  constexpr bool has() const {
    return (bits_ & bit<What>()) != 0;
  }
  friend constexpr HappeningKinds operator|(HappeningKinds a, HappeningKinds b) {
    return HappeningKinds(a.bits_ | b.bits_);
  }

 private:
  explicit constexpr HappeningKinds(std::uint64_t bits) : bits_(bits) {}
  template <class What, class... Whats>
  static constexpr std::uint64_t bit_in(std::type_identity<std::variant<Whats...>>) {
    static_assert(sizeof...(Whats) <= 64);
    std::uint64_t bit = 1;
    static_cast<void>(((std::is_same_v<What, Whats> ? true : (bit <<= 1U, false)) || ...));
    return bit;
  }
  template <class What>
  static constexpr std::uint64_t bit() {
    return bit_in<What>(std::type_identity<Happening::What>());
  }
  std::uint64_t bits_;
};

class HappeningSink {
 public:
  HappeningSink() = default;
  HappeningSink(const HappeningSink&) = default;
  HappeningSink& operator=(const HappeningSink&) = default;
  virtual ~HappeningSink() = default;

  // In order of time; `happening.id` counts from 0.
  virtual void on(const Happening& happening) = 0;
  // What it reads; others need not be told to it. Ids count them all the same.
  virtual HappeningKinds reads() const { return HappeningKinds::all(); }
};

// One stream for two readers.
class Tee final : public HappeningSink {
 public:
  Tee(HappeningSink& first, HappeningSink& second) : first_(first), second_(second) {}
  void on(const Happening& happening) override {
    first_.on(happening);
    second_.on(happening);
  }
  HappeningKinds reads() const override { return first_.reads() | second_.reads(); }

 private:
  HappeningSink& first_;
  HappeningSink& second_;
};

}  // namespace faultline
