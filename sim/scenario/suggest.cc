#include "sim/scenario/suggest.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace faultline {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = lower(c);
  return result;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = a[i - 1] == b[j - 1];
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

std::string suggest(std::string_view typed, const std::vector<std::string>& allowed) {
  constexpr std::size_t kLongestWord = 80;
  if (typed.empty() || typed.size() > kLongestWord) return "";
  std::string best;
  std::size_t best_distance = std::numeric_limits<std::size_t>::max();
  for (const std::string& name : allowed) {
    if (name.size() > kLongestWord) continue;
    const std::size_t distance = edit_distance(lower(typed), lower(name));
    const std::size_t limit = std::max<std::size_t>(1, std::max(name.size(), typed.size()) / 3);
    if (distance > limit || distance >= std::max(name.size(), typed.size())) continue;
    if (distance < best_distance) {
      best = name;
      best_distance = distance;
    }
  }
  return best;
}

std::string join_names(const std::vector<std::string>& names, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i == most) return text + ", ...";
    if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
    text += names[i];
  }
  return text;
}

std::string no_such(std::string_view kind, const std::string& name,
                    const std::vector<std::string>& allowed) {
  const std::string meant = suggest(name, allowed);
  return fmt::format("there is no {} `{}`{}", kind, name,
                     meant.empty() ? fmt::format(" (there is {})", join_names(allowed))
                                   : fmt::format("; did you mean `{}`?", meant));
}

}  // namespace faultline
