#include "sim/cli/candidate_changes.h"

#include <fmt/format.h>

#include "sim/scenario/outer_text.h"

namespace faultline {

std::vector<std::string> split_changes(const std::string& text) {
  std::vector<std::string> changes{""};
  OuterText outer;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (outer.holds(c) && c == ' ') {
      const std::string next = text.substr(i + 1, text.find(' ', i + 1) - i - 1);
      if (next.empty()) continue;
      if (changes.back().empty() || next.find('=') != std::string::npos) {
        changes.emplace_back();
        continue;
      }
    }
    changes.back() += c;
  }
  std::erase(changes, "");
  return changes;
}

std::string label_with(const std::string& scenario, const std::vector<std::string>& changes) {
  return changes.empty() ? scenario : fmt::format("{} with {}", scenario, fmt::join(changes, " "));
}

}  // namespace faultline
