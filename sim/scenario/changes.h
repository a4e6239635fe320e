// What differs between two scenarios, field by field: `faultline compare` begins with it.
//
//   policy.tolerations.AcceleratedHardwareReady   10m          0s
//   faults.classes[nic-flap]                      (not there)  {name: nic-flap, ...}
//   policy                                        !karpenter {...}   !restart_in_place {...}
//
// List elements are matched by their `name`, or by their number where they have none; a field whose
// kind changed (its tag) is one change, not one for each field below it. Fields stand in the order
// of the field lists, those that only the second one has after those of the first.
//
// Thread rule: pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/scenario/tree.h"

namespace faultline {

struct FieldChange {
  std::string path;
  std::optional<std::string> from;  // one line of YAML; nothing: not there
  std::optional<std::string> to;
};

std::vector<FieldChange> changes(const Tree& from, const Tree& to);

}  // namespace faultline
