// Candidates of `compare` that are a scenario with changes. The value of --candidate has several in one text:
//
//   "x=1 y=!law {a: 1}"      x=1 and y=!law {a: 1}
//
// A change begins after a blank that stands in no bracket and no quote, if what follows is a PATH=.
//
// Thread rule: pure functions.
#pragma once

#include <string>
#include <vector>

namespace faultline {

std::vector<std::string> split_changes(const std::string& text);

// What a report calls it: "llama3 with capacity.warm_spares=4".
std::string label_with(const std::string& scenario, const std::vector<std::string>& changes);

}  // namespace faultline
