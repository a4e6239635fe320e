// The numbers of a scenario that nobody has measured: what its files mark as assumptions.
//
//   every: 10m                          # assumption: half of what the paper says
//   launch: !lognormal {median: 90s, p95: 4m}   # assumption: ...        (one number: its scale)
//   - {xid: 79, coverage: 60%}          # assumption: ...                (the coverage; an Xid is a name)
//   rate: 6 per 112 node-days           with a sibling  source: "assumption: invented"
//
// A value is an assumption if the comment on its line begins with `assumption`; values of included files too,
// unless something replaced them. Where a map has a `source` text that begins so, the numbers of that map whose
// lines have no comment are assumptions as well.
//
// Scaling keeps the notation: durations and rates in proportion, distributions by their scale (the shape stays),
// ratios up to 100%, counts to a whole number, by one at least.
//
// Thread rule: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/shape.h"
#include "sim/scenario/tree.h"

namespace faultline {

struct Assumption {
  std::string path;   // "faults.classes[gpu-lost].rate"
  std::string why;    // what the comment says after `assumption:`
  Tree value;         // as it stands in the file
  Tree low;           // value x (1 - by)
  Tree high;          // value x (1 + by)
  std::string fixed;  // why it cannot be scaled: "is not a number"; empty: it can
};

// In the order of the tree, which has no includes any more; 0 < by < 1.
std::vector<Assumption> find_assumptions(const Tree& tree, const Shape& shape, double by);

// The same of a scenario.
std::vector<Assumption> scenario_assumptions(const Tree& tree, double by);

// The whole tree with another value at a path that exists.
Tree with_value(Tree tree, const std::string& path, Tree value);

// A value on one line: "10m", "!lognormal {median: 90s, p95: 4m}".
std::string one_line(const Tree& value);

// The comment of a line of YAML without `#` and spaces; empty without one.
std::string_view comment_of(std::string_view line);

}  // namespace faultline
