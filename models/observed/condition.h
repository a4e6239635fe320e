// Node conditions, in Kubernetes' terms: a type (a `ConditionId`, named by the detectors'
// contract), a status, the time of the last change of that status, and a reason.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "models/base/ids.h"
#include "models/base/time.h"

namespace faultline {

enum class ConditionStatus : std::uint8_t {
  kAbsent,   // nobody publishes the condition: its monitor is disabled
  kTrue,     // healthy
  kFalse,    // a fatal reason was reported
  kUnknown,  // nobody has heard from the node
};

constexpr std::string_view to_string(ConditionStatus status) {
  switch (status) {
    case ConditionStatus::kAbsent: return "Absent";
    case ConditionStatus::kTrue: return "True";
    case ConditionStatus::kFalse: return "False";
    case ConditionStatus::kUnknown: return "Unknown";
  }
  return "?";
}

namespace observed {

// Of one simulated cluster: so many condition types have a place in the tables of the engine. (A picture takes any
// number.)
inline constexpr std::size_t kMaxConditions = 10;

// lastTransitionTime is a metav1.Time, which the API server keeps in whole seconds, rounded down (RFC 3339;
// k8s.io/apimachinery pkg/apis/meta/v1/time.go). A toleration counts from there: a condition that is False from
// 12:00:00.7 to 12:10:00.7 has been so for more than 10 min to whoever reads it at 12:10:00.
constexpr SimTime whole_seconds(SimTime time) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  return SimTime::at(Duration::nanoseconds(time.ns() / kSecond * kSecond));
}

struct Condition {
  SimTime last_transition;  // in whole seconds
  ReasonId reason;
  ConditionStatus status = ConditionStatus::kAbsent;
};

// False or Unknown: what a repair policy may match.
constexpr bool is_bad(ConditionStatus status) {
  return status == ConditionStatus::kFalse || status == ConditionStatus::kUnknown;
}

}  // namespace observed
}  // namespace faultline
