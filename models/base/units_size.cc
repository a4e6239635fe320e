#include <fmt/format.h>

#include <array>
#include <limits>
#include <span>

#include "models/base/units.h"
#include "models/base/units_text.h"

namespace faultline {
namespace {

using tl::unexpected;

// value in base units = number x times / divided_by; two exact steps, where 400e9/8 is one.
struct Unit {
  std::string_view name;
  double times;
  double divided_by = 1;

  double to_base(double number) const { return number * times / divided_by; }
  double from_base(double value) const { return value * divided_by / times; }
};

// Large units first, the base last.
constexpr std::array<Unit, 11> kBytes{{{"PiB", 0x1p50},
                                       {"TiB", 0x1p40},
                                       {"GiB", 0x1p30},
                                       {"MiB", 0x1p20},
                                       {"KiB", 0x1p10},
                                       {"PB", 1e15},
                                       {"TB", 1e12},
                                       {"GB", 1e9},
                                       {"MB", 1e6},
                                       {"KB", 1e3},
                                       {"B", 1}}};
constexpr std::array<Unit, 17> kBandwidths{{{"Pbps", 1e15, 8},
                                            {"Tbps", 1e12, 8},
                                            {"Gbps", 1e9, 8},
                                            {"Mbps", 1e6, 8},
                                            {"Kbps", 1e3, 8},
                                            {"bps", 1, 8},
                                            {"PiB/s", 0x1p50},
                                            {"TiB/s", 0x1p40},
                                            {"GiB/s", 0x1p30},
                                            {"MiB/s", 0x1p20},
                                            {"KiB/s", 0x1p10},
                                            {"PB/s", 1e15},
                                            {"TB/s", 1e12},
                                            {"GB/s", 1e9},
                                            {"MB/s", 1e6},
                                            {"KB/s", 1e3},
                                            {"B/s", 1}}};

struct Kind {
  std::string_view name;      // "size"
  std::string_view examples;  // "64GB or 64GiB"
  std::span<const Unit> units;
};
constexpr Kind kSize{"size", "64GB or 64GiB", kBytes};
constexpr Kind kBandwidth{"bandwidth", "400Gbps (bits) or 50GB/s (bytes)", kBandwidths};

// The unit that was meant by another spelling, such as "kB" or " Gbps".
const Unit* meant_unit(std::string_view name, const Kind& kind) {
  for (const Unit& unit : kind.units) {
    if (text::squeezed(unit.name) == text::squeezed(name)) return &unit;
  }
  return nullptr;
}

Parsed<double> parse(std::string_view text, const Kind& kind) {
  if (text == "0") return 0.0;
  const std::optional<text::Quantity> read = text::to_quantity(text);
  if (!read) return unexpected(text::not_a(kind.name, text, kind.examples));
  if (text[0] == '-') return unexpected(fmt::format("a {} cannot be negative", kind.name));
  if (read->unit.empty()) {
    return unexpected(fmt::format("a {} needs a unit: write {}", kind.name, kind.examples));
  }
  for (const Unit& unit : kind.units) {
    if (unit.name != read->unit) continue;
    const double value = unit.to_base(read->number);
    if (value <= std::numeric_limits<double>::max()) return value;
    return unexpected(fmt::format("{} is too large for a {}", text::quote(text), kind.name));
  }
  const bool bits = read->unit.ends_with("b") || read->unit.ends_with("b/s");
  const Unit* const meant = bits ? nullptr : meant_unit(read->unit, kind);
  if (meant == nullptr) return unexpected(text::not_a(kind.name, text, kind.examples));
  return unexpected(text::not_a(kind.name, text, fmt::format("{}{}", read->number, meant->name)));
}

// The shortest text that loads back, without "0.5MiB" for 512KiB. The last unit is the base itself,
// which always loads back. Of two texts of one length, the larger unit wins.
std::string shortest(double value, const Kind& kind) {
  if (value == 0) return "0";
  std::string best = fmt::format("{}{}", value, kind.units.back().name);
  for (const Unit& unit : kind.units) {
    const double number = unit.from_base(value);
    if (number < 1 || unit.to_base(number) != value) continue;
    std::string candidate = fmt::format("{}{}", number, unit.name);
    if (candidate.size() < best.size()) best = std::move(candidate);
  }
  return best;
}

}  // namespace

Parsed<Bytes> parse_bytes(std::string_view text) {
  return parse(text, kSize).map([](double value) { return Bytes{value}; });
}

Parsed<Bandwidth> parse_bandwidth(std::string_view text) {
  return parse(text, kBandwidth).map([](double value) { return Bandwidth{value}; });
}

std::string to_string(Bytes bytes) { return shortest(bytes.value, kSize); }
std::string to_string(Bandwidth bandwidth) {
  return shortest(bandwidth.bytes_per_second, kBandwidth);
}

}  // namespace faultline
