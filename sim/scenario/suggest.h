// "did you mean": the allowed name that a mistyped one most likely stands for.
//
// Closeness is the optimal string alignment distance (insert, delete, replace, swap neighbours);
// upper and lower case count as the same letter. A name is suggested when at most a third of its
// letters differ, so that nonsense gets no answer.
//
// Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace faultline {

// Number of single-letter mistakes between two words.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The closest of `allowed`, the first one among equals; empty when none is close.
std::string suggest(std::string_view typed, const std::vector<std::string>& allowed);

// "a, b or c"; at most `most` names, then "...".
std::string join_names(const std::vector<std::string>& names, std::size_t most = 12);

// What is said of a reference by name to something that does not exist: "there is no pool `trian`; did you
// mean `train`?"
std::string no_such(std::string_view kind, const std::string& name,
                    const std::vector<std::string>& allowed);

}  // namespace faultline
