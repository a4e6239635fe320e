// `--set PATH=VALUE`: one value of a scenario, changed from the command line.
//
//   --set workloads[llama3].checkpoint.every=5m
//   --set policy.tolerations.AcceleratedHardwareReady=0s
//   --set 'capacity.launch=!lognormal {median: 90s, p95: 4m}'
//   --set policy=policies/restart-in-place/default.yaml
//   --set 'capacity.launch.p95=6m'                      (a parameter of a tagged distribution)
//
// The value is any YAML; it replaces what the path had (to mix a map with a file, use `extends` in
// it). It goes through the same checks as a file. Paths are checked against the field lists, with a
// suggestion; maps on the way that the scenario does not mention are made, list elements are not.
//
// Thread rule: pure functions of their arguments.
#pragma once

#include <string>

#include "sim/scenario/diagnostics.h"
#include "sim/scenario/include.h"
#include "sim/scenario/shape.h"
#include "sim/scenario/tree.h"

namespace faultline {

struct Override {
  std::string text;              // "PATH=VALUE"
  std::string option = "--set";  // how the user spelled the option, for errors
};

// The tree with the override applied, or unchanged after an error. `tree` has no includes any more.
Tree apply_override(Tree tree, const Shape& shape, const Override& change, Resolver& resolver,
                    Diagnostics& diagnostics);

}  // namespace faultline
