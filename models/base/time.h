// Simulated time: whole nanoseconds, so that sums are exact and two runs agree to the last bit.
//
// `Duration` is a length of time, `SimTime` an instant counted from the start of the simulation.
// Both wrap an int64_t: 292 years of range, one nanosecond of resolution, no rounding in sums. (A
// double that adds 1 ms for 256 simulated days drifts by 6.7 s.) Instants and lengths do not mix by
// accident: instant - instant = length, instant + length = instant, instant + instant does not
// compile.
//
// `Duration::infinite()` and `SimTime::never()` are the largest values and absorb addition: what
// never happens still never happens an hour later. A finite sum that leaves the range becomes
// infinite too, so arithmetic has no undefined behaviour.
//
// Doubles appear only at the edges: `seconds()` for statistics, `from_seconds()` (nearest
// nanosecond) for samples and user input.
//
// Thread rule: values; share freely.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace faultline {

class Duration {
 public:
  constexpr Duration() = default;

  static constexpr Duration nanoseconds(std::int64_t n) { return Duration(n); }
  static constexpr Duration zero() { return Duration(0); }
  static constexpr Duration infinite() {
    return Duration(std::numeric_limits<std::int64_t>::max());
  }
  // Nearest nanosecond. NaN, and anything of 292 years or more, becomes infinite.
  static constexpr Duration from_seconds(double seconds) {
    const double ns = seconds * 1e9;
    if (!(ns < 9.2e18)) return infinite();
    if (ns < -9.2e18) return Duration(std::numeric_limits<std::int64_t>::min() + 1);
    return Duration(static_cast<std::int64_t>(ns < 0 ? ns - 0.5 : ns + 0.5));
  }

  constexpr std::int64_t ns() const { return ns_; }
  constexpr double seconds() const { return static_cast<double>(ns_) / 1e9; }
  constexpr bool is_infinite() const { return *this == infinite(); }

  // Spelled out, because compilers of today make slower code of a defaulted <=>.
  friend constexpr bool operator==(Duration a, Duration b) { return a.ns_ == b.ns_; }
  friend constexpr bool operator<(Duration a, Duration b) { return a.ns_ < b.ns_; }
  friend constexpr bool operator>(Duration a, Duration b) { return a.ns_ > b.ns_; }
  friend constexpr bool operator<=(Duration a, Duration b) { return a.ns_ <= b.ns_; }
  friend constexpr bool operator>=(Duration a, Duration b) { return a.ns_ >= b.ns_; }

  constexpr Duration operator-() const { return Duration(-ns_); }
  constexpr Duration& operator+=(Duration d) { return *this = *this + d; }
  constexpr Duration& operator-=(Duration d) { return *this = *this - d; }

  friend constexpr Duration operator+(Duration a, Duration b) {
    if (a.is_infinite() || b.is_infinite()) return infinite();
    std::int64_t sum = 0;
    return __builtin_add_overflow(a.ns_, b.ns_, &sum) ? infinite() : Duration(sum);
  }
  friend constexpr Duration operator-(Duration a, Duration b) {
    if (a.is_infinite()) return infinite();
    std::int64_t difference = 0;
    return __builtin_sub_overflow(a.ns_, b.ns_, &difference) ? infinite() : Duration(difference);
  }
  friend constexpr Duration operator*(Duration a, std::int64_t n) {
    std::int64_t product = 0;
    if (a.is_infinite() || __builtin_mul_overflow(a.ns_, n, &product)) return infinite();
    return Duration(product);
  }
  friend constexpr Duration operator*(std::int64_t n, Duration a) { return a * n; }
  // How many whole `b` fit into `a`; both must be >= 0 and b > 0.
  friend constexpr std::int64_t operator/(Duration a, Duration b) { return a.ns_ / b.ns_; }
  friend constexpr Duration operator%(Duration a, Duration b) { return Duration(a.ns_ % b.ns_); }

 private:
  explicit constexpr Duration(std::int64_t n) : ns_(n) {}
  std::int64_t ns_ = 0;
};

class SimTime {
 public:
  constexpr SimTime() = default;

  static constexpr SimTime start() { return SimTime(); }
  static constexpr SimTime never() { return SimTime(Duration::infinite()); }
  static constexpr SimTime at(Duration since_start) { return SimTime(since_start); }

  constexpr Duration since_start() const { return since_start_; }
  constexpr std::int64_t ns() const { return since_start_.ns(); }
  constexpr double seconds() const { return since_start_.seconds(); }
  constexpr bool is_never() const { return since_start_.is_infinite(); }

  friend constexpr bool operator==(SimTime a, SimTime b) { return a.ns() == b.ns(); }
  friend constexpr bool operator<(SimTime a, SimTime b) { return a.ns() < b.ns(); }
  friend constexpr bool operator>(SimTime a, SimTime b) { return a.ns() > b.ns(); }
  friend constexpr bool operator<=(SimTime a, SimTime b) { return a.ns() <= b.ns(); }
  friend constexpr bool operator>=(SimTime a, SimTime b) { return a.ns() >= b.ns(); }

  friend constexpr SimTime operator+(SimTime t, Duration d) { return SimTime(t.since_start_ + d); }
  friend constexpr SimTime operator-(SimTime t, Duration d) { return SimTime(t.since_start_ - d); }
  friend constexpr Duration operator-(SimTime a, SimTime b) {
    return a.since_start_ - b.since_start_;
  }

 private:
  explicit constexpr SimTime(Duration since_start) : since_start_(since_start) {}
  Duration since_start_;
};

// The exact text of a duration in the notation of scenario files, largest unit first, zero parts
// left out: "54d", "2h30m", "1m30.5s", "250ms", "0s", "infinite", "-5m".
std::string to_string(Duration d);
// An instant as days and clock time since the start, to the millisecond: "12d 03:04:05.678".
std::string to_string(SimTime t);

inline namespace literals {
constexpr Duration operator""_ns(unsigned long long n) {
  return Duration::nanoseconds(static_cast<std::int64_t>(n));
}
constexpr Duration operator""_us(unsigned long long n) { return operator""_ns(n)*1'000; }
constexpr Duration operator""_ms(unsigned long long n) { return operator""_ns(n)*1'000'000; }
constexpr Duration operator""_s(unsigned long long n) { return operator""_ms(n)*1'000; }
constexpr Duration operator""_min(unsigned long long n) { return operator""_s(n)*60; }
constexpr Duration operator""_h(unsigned long long n) { return operator""_min(n)*60; }
constexpr Duration operator""_d(unsigned long long n) { return operator""_h(n)*24; }
}  // namespace literals

}  // namespace faultline
