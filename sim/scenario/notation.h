// How a type that fits into one scalar is written: the bridge from models/base/units.h to fields.
//
// `Notation<T>` names the type for people, parses a text and writes one that loads back equal.
// `kPlain`: the text must not stand in quotes, because quotes say "this is text" (numbers,
// booleans).
//
// Thread rule: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "models/base/kubernetes.h"
#include "models/base/time.h"
#include "models/base/units.h"

namespace faultline {

template <class T>
struct Notation;

struct Ratio {};  // tag: a double in 0..1

template <>
struct Notation<bool> {
  static constexpr std::string_view kType = "true or false";
  static constexpr std::string_view kExpected = "true or false";
  static constexpr bool kPlain = true;
  static Parsed<bool> parse(std::string_view text);
  static std::string meant(std::string_view text);  // what YAML 1.1 would take it for, or nothing
  static std::string text(bool value) { return value ? "true" : "false"; }
};

template <>
struct Notation<std::int64_t> {
  static constexpr std::string_view kType = "count";
  static constexpr std::string_view kExpected = "a count such as 12";
  static constexpr bool kPlain = true;
  static Parsed<std::int64_t> parse(std::string_view text);
  static std::string text(std::int64_t value) { return std::to_string(value); }
  static double magnitude(std::int64_t value) { return static_cast<double>(value); }
};

template <>
struct Notation<double> {
  static constexpr std::string_view kType = "number";
  static constexpr std::string_view kExpected = "a number such as 0.5";
  static constexpr bool kPlain = true;
  static Parsed<double> parse(std::string_view text) { return parse_number(text); }
  static std::string text(double value);
  static double magnitude(double value) { return value; }
};

template <>
struct Notation<Ratio> {
  static constexpr std::string_view kType = "ratio";
  static constexpr std::string_view kExpected = "a ratio such as 20% or 0.2";
  static constexpr bool kPlain = false;
  static Parsed<double> parse(std::string_view text) { return parse_ratio(text); }
  static std::string text(double value) { return ratio_to_string(value); }
  static double magnitude(double value) { return value; }
};

template <>
struct Notation<std::string> {
  static constexpr std::string_view kType = "text";
  static constexpr std::string_view kExpected = "a text";
  static constexpr bool kPlain = false;
  // Control characters are refused: they would act on the reader's terminal. Prose may have lines.
  static Parsed<std::string> parse(std::string_view text);
  static std::string text(const std::string& value) { return value; }
};

template <>
struct Notation<Duration> {
  static constexpr std::string_view kType = "duration";
  static constexpr std::string_view kExpected = "a duration such as 10m";
  static constexpr bool kPlain = false;
  static Parsed<Duration> parse(std::string_view text) { return parse_duration(text); }
  static std::string text(Duration value) { return to_string(value); }
  static double magnitude(Duration value) { return value.seconds(); }
};

template <>
struct Notation<Rate> {
  static constexpr std::string_view kType = "rate";
  static constexpr std::string_view kExpected = "a rate such as 6.5 per 1000 node-days";
  static constexpr bool kPlain = false;
  static Parsed<Rate> parse(std::string_view text) { return parse_rate(text); }
  static std::string text(const Rate& value) { return to_string(value); }
  static double magnitude(const Rate& value) { return value.per_second(); }
};

template <>
struct Notation<Bytes> {
  static constexpr std::string_view kType = "size";
  static constexpr std::string_view kExpected = "a size such as 64GiB";
  static constexpr bool kPlain = false;
  static Parsed<Bytes> parse(std::string_view text) { return parse_bytes(text); }
  static std::string text(Bytes value) { return to_string(value); }
  static double magnitude(Bytes value) { return value.value; }
};

template <>
struct Notation<Bandwidth> {
  static constexpr std::string_view kType = "bandwidth";
  static constexpr std::string_view kExpected = "a bandwidth such as 400Gbps";
  static constexpr bool kPlain = false;
  static Parsed<Bandwidth> parse(std::string_view text) { return parse_bandwidth(text); }
  static std::string text(Bandwidth value) { return to_string(value); }
  static double magnitude(Bandwidth value) { return value.bytes_per_second; }
};

template <>
struct Notation<Limit> {
  static constexpr std::string_view kType = "limit";
  static constexpr std::string_view kExpected = "a count such as 12, or unlimited";
  static constexpr bool kPlain = false;
  static Parsed<Limit> parse(std::string_view text) { return parse_limit(text); }
  static std::string text(Limit value) { return to_string(value); }
};

template <>
struct Notation<KubernetesVersion> {
  static constexpr std::string_view kType = "Kubernetes version";
  static constexpr std::string_view kExpected = "a Kubernetes version from 1.30 to 1.37";
  static constexpr bool kPlain = false;
  static Parsed<KubernetesVersion> parse(std::string_view text) {
    return parse_kubernetes_version(text);
  }
  static std::string meant(std::string_view text) { return meant_kubernetes_version(text); }
  static std::string text(KubernetesVersion value) { return to_string(value); }
};

template <>
struct Notation<Gate> {
  static constexpr std::string_view kType = "gate";
  static constexpr std::string_view kExpected = "a share such as 20%, a count, or off";
  static constexpr bool kPlain = false;
  static Parsed<Gate> parse(std::string_view text) { return parse_gate(text); }
  static std::string text(Gate value) { return to_string(value); }
};

}  // namespace faultline
