#include "models/base/units.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "models/base/check.h"

namespace faultline {
namespace {

template <class T>
std::string error_of(const Parsed<T>& parsed) {
  return parsed ? "no error" : parsed.error();
}

TEST(BaseUnits, Durations) {
  EXPECT_EQ(parse_duration("10m"), 10_min);
  EXPECT_EQ(parse_duration("2h30m"), 2_h + 30_min);
  EXPECT_EQ(parse_duration("1.5s"), 1500_ms);
  EXPECT_EQ(parse_duration("250ms"), 250_ms);
  EXPECT_EQ(parse_duration("1w2d"), 9_d);
  EXPECT_EQ(parse_duration("3us"), 3_us);
  EXPECT_EQ(parse_duration("7ns"), 7_ns);
  EXPECT_EQ(parse_duration("0"), Duration::zero());
  EXPECT_EQ(parse_duration("0s"), Duration::zero());
  EXPECT_EQ(parse_duration("infinite"), Duration::infinite());
  EXPECT_EQ(parse_duration("106751d"), 106'751_d);
}

TEST(BaseUnits, DurationsAreExactWhereDoublesAreNot) {
  EXPECT_EQ(parse_duration("0.1m"), 6_s);
  EXPECT_EQ(parse_duration("1.000000001s"), 1_s + 1_ns);
  EXPECT_EQ(parse_duration("100000.00000000001d"), 100'000_d + 864_ns);
}

TEST(BaseUnits, DurationErrors) {
  const auto error = [](std::string_view text) { return error_of(parse_duration(text)); };
  EXPECT_EQ(error("10"), "a duration needs a unit: write 10s, 10m or 10h");
  EXPECT_EQ(error("2h30"), "a duration needs a unit: write 30s, 30m or 30h");
  EXPECT_EQ(error("-5m"), "a duration cannot be negative");
  EXPECT_EQ(error("5 min"), "`5 min` is not a duration: write 5m");
  EXPECT_EQ(error("5min"), "`5min` is not a duration: write 5m");
  EXPECT_EQ(error("5 m"), "`5 m` is not a duration: write 5m");
  EXPECT_EQ(error("2 hours 30 minutes"), "`2 hours 30 minutes` is not a duration: write 2h30m");
  EXPECT_EQ(error("1 Week"), "`1 Week` is not a duration: write 1w");
  EXPECT_EQ(error("5M"), "`5M` is not a duration: write 5m");
  EXPECT_EQ(error("30 seconds"), "`30 seconds` is not a duration: write 30s");
  EXPECT_EQ(error("never"), "`never` is not a duration: write infinite");
  EXPECT_EQ(error("5y"), "`y` is not a unit of time: a duration takes w, d, h, m, s, ms, us or ns");
  EXPECT_EQ(error("1e3s"),
            "`e` is not a unit of time: a duration takes w, d, h, m, s, ms, us or ns");
  EXPECT_EQ(error(""), "`` is not a duration: write 10s, 10m or 10h");
  EXPECT_EQ(error("soon"), "`soon` is not a duration: write 10s, 10m or 10h");
  EXPECT_EQ(error(".5s"), "`.5s` is not a duration: write 10s, 10m or 10h");
  EXPECT_EQ(error("1,5s"), "`1,5s` is not a duration: write 10s, 10m or 10h");
  EXPECT_EQ(error("30m2h"),
            "the units of a duration go from large to small, each once: write 2h30m");
  EXPECT_EQ(error("1s1s"),
            "the units of a duration go from large to small, each once: write 2h30m");
  EXPECT_EQ(error("1.5h30m"),
            "only the last number of a duration can have a fraction: write 90m or 1.5h");
  EXPECT_EQ(error("0.5ns"), "`0.5ns` is not a whole number of nanoseconds");
  EXPECT_EQ(error("1.0000000000000000001s"),
            "`1.0000000000000000001s` is not a whole number of nanoseconds");
  EXPECT_EQ(error("110000d"),
            "a duration must be shorter than 292 years: write infinite for what never ends");
  EXPECT_EQ(error("99999999999999999999s"),
            "a duration must be shorter than 292 years: write infinite for what never ends");
  EXPECT_EQ(error("106751d24h"),
            "a duration must be shorter than 292 years: write infinite for what never ends");
  EXPECT_EQ(
      error("\x1b[31m red text that goes on and on and on and on"),
      "`?[31m red text that goes on and on and o...` is not a duration: write 10s, 10m or 10h");
}

TEST(BaseUnits, Ratios) {
  EXPECT_EQ(parse_ratio("20%"), 0.2);
  EXPECT_EQ(parse_ratio("0.2"), 0.2);
  EXPECT_EQ(parse_ratio("0"), 0.0);
  EXPECT_EQ(parse_ratio("1"), 1.0);
  EXPECT_EQ(parse_ratio("100%"), 1.0);
  EXPECT_EQ(parse_ratio("33.3%"), 0.333);
  EXPECT_EQ(parse_ratio("7%"), 0.07);
}

TEST(BaseUnits, RatioErrors) {
  const auto error = [](std::string_view text) { return error_of(parse_ratio(text)); };
  EXPECT_EQ(error("101%"), "a ratio cannot be more than 100%");
  EXPECT_EQ(error("1000"), "a ratio cannot be more than 100%");
  EXPECT_EQ(error("20"), "a ratio is at most 1: write 20% for 20 of 100");
  EXPECT_EQ(error("-5%"), "a ratio cannot be negative");
  EXPECT_EQ(error("20 %"), "`20 %` is not a ratio: write 20% or 0.2");
  EXPECT_EQ(error("most"), "`most` is not a ratio: write 20% or 0.2");
  EXPECT_EQ(error("nan"), "`nan` is not a ratio: write 20% or 0.2");
  EXPECT_EQ(error(""), "`` is not a ratio: write 20% or 0.2");
}

TEST(BaseUnits, RatiosAreWrittenAsPercentages) {
  EXPECT_EQ(ratio_to_string(0.2), "20%");
  EXPECT_EQ(ratio_to_string(0.07), "7%");
  EXPECT_EQ(ratio_to_string(0.333), "33.3%");
  EXPECT_EQ(ratio_to_string(0), "0%");
  EXPECT_EQ(ratio_to_string(1.0 / 3), "0.3333333333333333");
}

TEST(BaseUnits, Rates) {
  EXPECT_EQ(parse_rate("6.5 per 1000 node-days"), (Rate{6.5, 1000, 1_d, ExposureUnit::kNode}));
  EXPECT_EQ(parse_rate("148 per 884736 gpu-days"), (Rate{148, 884'736, 1_d, ExposureUnit::kGpu}));
  EXPECT_EQ(parse_rate("0.0633 per 1000 node-days"),
            (Rate{0.0633, 1000, 1_d, ExposureUnit::kNode}));
  EXPECT_EQ(parse_rate("1 per job-day"), (Rate{1, 1, 1_d, ExposureUnit::kJob}));
  EXPECT_EQ(parse_rate("0.5 per job-hour"), (Rate{0.5, 1, 1_h, ExposureUnit::kJob}));
  EXPECT_EQ(parse_rate("2 per 3 rack-weeks"), (Rate{2, 3, 7_d, ExposureUnit::kRack}));
  EXPECT_EQ(parse_rate("4 per 1000 block-days"), (Rate{4, 1000, 1_d, ExposureUnit::kBlock}));
  EXPECT_EQ(parse_rate("1 per zone-year"), (Rate{1, 1, 8766_h, ExposureUnit::kZone}));
  EXPECT_EQ(parse_rate("1 per 10 region-years"), (Rate{1, 10, 8766_h, ExposureUnit::kRegion}));
  EXPECT_EQ(parse_rate("2 per 3 rack-week"), parse_rate("2 per 3 rack-weeks"));
  EXPECT_EQ(parse_rate("1 per gpu-year")->period * 4, 1461_d);
  EXPECT_EQ(parse_rate("0")->per_second(), 0);
}

// 148 in 884,736 GPU-days is one in 5,978 GPU-days: 148 / (884736 x 86400 s) = 1.93613e-9 per
// second.
TEST(BaseUnits, ARateIsCountOverExposure) {
  EXPECT_NEAR(parse_rate("148 per 884736 gpu-days")->per_second(), 1.93613e-9, 1e-14);
  EXPECT_DOUBLE_EQ(parse_rate("1 per job-day")->per_second(), 1.0 / 86'400);
}

TEST(BaseUnits, RateErrors) {
  const auto error = [](std::string_view text) { return error_of(parse_rate(text)); };
  EXPECT_EQ(error("6.5"), "a rate needs its exposure: write 6.5 per 1000 node-days");
  EXPECT_EQ(error("often"), "`often` is not a rate: write 6.5 per 1000 node-days");
  EXPECT_EQ(error(""), "`` is not a rate: write 6.5 per 1000 node-days");
  EXPECT_EQ(error("6.5/1000 node-days"),
            "`6.5/1000 node-days` is not a rate: write 6.5 per 1000 node-days");
  EXPECT_EQ(error("6.5 per 1000node-days"),
            "`6.5 per 1000node-days` is not a rate: write 6.5 per 1000 node-days");
  EXPECT_EQ(error("6.5 per 1000 node days"),
            "`node days` is not an exposure: write gpu, node, rack, block, zone, region or job and "
            "hours, "
            "days, weeks or years, as in node-days");
  EXPECT_EQ(error("6.5 per 1000 gpu-months"),
            "`gpu-months` is not an exposure: write gpu, node, rack, block, zone, region or job "
            "and hours, "
            "days, weeks or years, as in node-days");
  EXPECT_EQ(error("6.5 per 0 node-days"), "the exposure of a rate must be more than 0");
  EXPECT_EQ(error("-1 per node-day"), "a rate cannot be negative");
  EXPECT_EQ(error("1 per -5 node-days"), "a rate cannot be negative");
}

TEST(BaseUnits, RatesKeepTheirCounts) {
  for (const char* text :
       {"6.5 per 1000 node-days", "148 per 884736 gpu-days", "1 per job-day", "0.5 per job-hour",
        "2 per 3 rack-weeks", "0.1 per gpu-year", "1e-06 per 2.5 gpu-hours"}) {
    EXPECT_EQ(to_string(parse_rate(text).value()), text);
  }
  EXPECT_THROW(to_string(Rate{1, 1, 3_d, ExposureUnit::kJob}), InternalError);
}

TEST(BaseUnits, Bytes) {
  EXPECT_EQ(parse_bytes("64GiB"), Bytes{64.0 * 1024 * 1024 * 1024});
  EXPECT_EQ(parse_bytes("2TB"), Bytes{2e12});
  EXPECT_EQ(parse_bytes("512KiB"), Bytes{524'288});
  EXPECT_EQ(parse_bytes("1.5MB"), Bytes{1.5e6});
  EXPECT_EQ(parse_bytes("0"), Bytes{0});
  for (const char* text : {"64GiB", "2TB", "512KiB", "100B", "1.5PB", "0"}) {
    EXPECT_EQ(to_string(parse_bytes(text).value()), text);
  }
}

TEST(BaseUnits, BytesErrors) {
  const auto error = [](std::string_view text) { return error_of(parse_bytes(text)); };
  EXPECT_EQ(error("64"), "a size needs a unit: write 64GB or 64GiB");
  EXPECT_EQ(error("64Gb"), "`64Gb` is not a size: write 64GB or 64GiB");
  EXPECT_EQ(error("64 GiB"), "`64 GiB` is not a size: write 64GiB");
  EXPECT_EQ(error("64gib"), "`64gib` is not a size: write 64GB or 64GiB");
  EXPECT_EQ(error("2kB"), "`2kB` is not a size: write 2KB");
  EXPECT_EQ(error("64G"), "`64G` is not a size: write 64GB or 64GiB");
  EXPECT_EQ(error("-1GB"), "a size cannot be negative");
  EXPECT_EQ(error("1e308PB"), "`1e308PB` is too large for a size");
  EXPECT_EQ(error("big"), "`big` is not a size: write 64GB or 64GiB");
}

TEST(BaseUnits, Bandwidths) {
  EXPECT_EQ(parse_bandwidth("400Gbps"), Bandwidth{50e9});
  EXPECT_EQ(parse_bandwidth("370GB/s"), Bandwidth{370e9});
  EXPECT_EQ(parse_bandwidth("8bps"), Bandwidth{1});
  EXPECT_EQ(parse_bandwidth("0"), Bandwidth{0});
  EXPECT_EQ(to_string(Bandwidth{370e9}), "370GB/s");
  EXPECT_EQ(to_string(Bandwidth{50e9}), "50GB/s");
  EXPECT_EQ(to_string(Bandwidth{0.125}), "1bps");
}

TEST(BaseUnits, BandwidthErrors) {
  const auto error = [](std::string_view text) { return error_of(parse_bandwidth(text)); };
  EXPECT_EQ(error("400"), "a bandwidth needs a unit: write 400Gbps (bits) or 50GB/s (bytes)");
  EXPECT_EQ(error("400Gb/s"),
            "`400Gb/s` is not a bandwidth: write 400Gbps (bits) or 50GB/s (bytes)");
  EXPECT_EQ(error("400gbps"), "`400gbps` is not a bandwidth: write 400Gbps");
  EXPECT_EQ(error("50 GB/s"), "`50 GB/s` is not a bandwidth: write 50GB/s");
  EXPECT_EQ(error("-1Gbps"), "a bandwidth cannot be negative");
}

TEST(BaseUnits, Limits) {
  EXPECT_TRUE(parse_limit("unlimited")->unlimited());
  EXPECT_EQ(parse_limit("12"), Limit{12});
  EXPECT_EQ(parse_limit("0"), Limit{0});
  EXPECT_EQ(to_string(Limit{}), "unlimited");
  EXPECT_EQ(to_string(Limit{12}), "12");
  EXPECT_EQ(error_of(parse_limit("-1")),
            "`-1` is not a limit: write a count such as 12, or unlimited");
  EXPECT_EQ(error_of(parse_limit("none")),
            "`none` is not a limit: write a count such as 12, or unlimited");
  EXPECT_EQ(error_of(parse_limit("012")), "`012` has a leading 0: write the count without it");
}

TEST(BaseUnits, Gates) {
  EXPECT_EQ(parse_gate("20%"), (Gate{Gate::Kind::kShare, 200'000}));
  EXPECT_EQ(parse_gate("12.5%"), (Gate{Gate::Kind::kShare, 125'000}));
  EXPECT_EQ(parse_gate("0.0001%"), (Gate{Gate::Kind::kShare, 1}));
  EXPECT_EQ(parse_gate("3"), (Gate{Gate::Kind::kCount, 3}));
  EXPECT_EQ(parse_gate("0"), (Gate{Gate::Kind::kCount, 0}));
  EXPECT_EQ(parse_gate("off"), Gate{});
  for (const char* text : {"20%", "12.5%", "0.0001%", "33.3333%", "100%", "0%", "3", "0", "off"}) {
    EXPECT_EQ(to_string(parse_gate(text).value()), text);
  }
  const auto error = [](std::string_view text) { return error_of(parse_gate(text)); };
  EXPECT_EQ(error("0.2"), "`0.2` is not a gate: write 20%");
  EXPECT_EQ(error("none"), "`none` is not a gate: write 20%, a count such as 3, or off");
  EXPECT_EQ(error("-1"), "`-1` is not a gate: write 20%, a count such as 3, or off");
  EXPECT_EQ(error(""), "`` is not a gate: write 20%, a count such as 3, or off");
  EXPECT_EQ(error("120%"), "a ratio cannot be more than 100%");
  EXPECT_EQ(error("0.00001%"), "`0.00001%` has more than 4 decimals");
}

// ceil(20% of n) for pools of 1 to 12, and 35 where a double would say 8.
TEST(BaseUnits, AGateRoundsItsShareUp) {
  const Gate gate = parse_gate("20%").value();
  constexpr std::array<std::int64_t, 12> kAllowed{1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3};
  for (std::size_t n = 1; n <= kAllowed.size(); ++n) {
    EXPECT_EQ(gate.allowed(static_cast<std::int64_t>(n)), kAllowed[n - 1]) << n;
  }
  EXPECT_EQ(gate.allowed(35), 7);
  EXPECT_EQ(gate.allowed(0), 0);
  EXPECT_EQ(parse_gate("3")->allowed(100), 3);
  EXPECT_EQ(parse_gate("off")->allowed(100), 100);
}

TEST(BaseUnits, Counts) {
  EXPECT_EQ(parse_count("2048"), 2048);
  EXPECT_EQ(parse_count("0"), 0);
  EXPECT_EQ(error_of(parse_count("010")), "`010` has a leading 0: write the count without it");
  EXPECT_EQ(error_of(parse_count("-1")), "a count cannot be negative");
  EXPECT_EQ(error_of(parse_count("1.5")), "`1.5` is not a count: write digits only, as in 1000");
  EXPECT_EQ(error_of(parse_count("1e3")), "`1e3` is not a count: write digits only, as in 1000");
  EXPECT_EQ(error_of(parse_count("1,000")),
            "`1,000` is not a count: write digits only, as in 1000");
  EXPECT_EQ(error_of(parse_count("")), "`` is not a count: write digits only, as in 1000");
  EXPECT_EQ(error_of(parse_count("99999999999999999999")),
            "`99999999999999999999` is too large for a count");
}

TEST(BaseUnits, Numbers) {
  EXPECT_EQ(parse_number("0.75"), 0.75);
  EXPECT_EQ(parse_number("-3"), -3.0);
  EXPECT_EQ(parse_number("1e-3"), 0.001);
  EXPECT_EQ(parse_number("0"), 0.0);
  for (const char* text :
       {"", "x", "inf", "nan", "0x10", ".5", "1.", "1 ", "+1", "1,5", "--1", "1e"}) {
    EXPECT_EQ(error_of(parse_number(text)),
              "`" + std::string(text) + "` is not a number: write 12, 0.5 or 1e-3");
  }
  EXPECT_EQ(error_of(parse_number("010")), "`010` has a leading 0: write the number without it");
  EXPECT_EQ(error_of(parse_number("-00.5")),
            "`-00.5` has a leading 0: write the number without it");
  EXPECT_EQ(error_of(parse_number("1e999")), "`1e999` is too large or too small");
}

}  // namespace
}  // namespace faultline
