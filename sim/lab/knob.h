// A field of a scenario that an experiment varies, with the values that it takes: the value of `--vary`.
//
//   policy.tolerations.AcceleratedHardwareReady=0s..30m/1m      0s, 1m, 2m, ... 30m
//   capacity.warm_spares=0..64/8                                0, 8, 16, ... 64
//   policy.gate=off,10%..50%/10%                                off, 10%, 20%, ... 50%
//   policy=policies/a.yaml,policies/b.yaml
//
// A value is any YAML, as `--set` takes it; commas inside brackets or quotes do not separate. A range has the
// first value, the last one and the step, in one kind of quantity (durations may mix their units); it ends
// with the last step that is not beyond the last value. Steps are added exactly: 10%..50%/10% ends at 50%.
//
// Whether the field exists, and whether the values fit, is found out when a scenario is loaded with `set`:
// such errors look like those of `--set`.
//
// Errors: one sentence with the column ("column 13: ..."), counted from 1 in the text of the option.
// Thread rule: values.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "sim/scenario/override.h"

namespace faultline {

struct Knob {
  std::string path;
  std::vector<std::string> values;  // at least one, all different, in the order of the text
  // What the values are as numbers: seconds, counts, shares (10% is 0.1), anything else without its
  // unit. Empty if one of them is no quantity, or if they are of several kinds.
  std::vector<double> numbers;

  static tl::expected<Knob, std::string> parse(std::string_view text);

  // What sets the field to value i.
  Override set(std::size_t i) const { return {.text = path + "=" + values[i], .option = "--vary"}; }
  // The last part of the path, for titles and labels: `warm_spares`.
  std::string name() const;
};

// Every combination of the knobs' values, as an index per knob; the last knob changes fastest. No knobs: one
// combination, of nothing.
std::vector<std::vector<std::size_t>> grid(const std::vector<Knob>& knobs);

// "5m" of one knob, "AcceleratedHardwareReady=5m gate=20%" of several; "as it is" without any.
std::string label(const std::vector<Knob>& knobs, const std::vector<std::size_t>& combination);

// All of --vary. Two for one path are an error, and so are more than 10,000 combinations: each
// is a scenario of its own, which is loaded and kept.
tl::expected<std::vector<Knob>, std::string> parse_knobs(const std::vector<std::string>& texts);

}  // namespace faultline
