#include "sim/scenario/diagnostics.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace faultline {
namespace {

constexpr std::size_t kMostErrorsShown = 50;
constexpr int kWidestLine = 96;

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

std::string_view line_of(std::string_view text, int line) {
  std::size_t begin = 0;
  for (int i = 1; i < line; ++i) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string_view::npos) return "";
    begin = end + 1;
  }
  std::string_view found = text.substr(begin, text.find('\n', begin) - begin);
  if (!found.empty() && found.back() == '\r') found.remove_suffix(1);
  return found;
}

// The byte at which the character with this 0-based number starts.
std::size_t byte_of_character(std::string_view text, int number) {
  std::size_t byte = 0;
  for (; byte < text.size(); ++byte) {
    if (continues_character(text[byte])) continue;
    if (number-- == 0) return byte;
  }
  return byte;
}

std::string source_lines(const Mark& mark) {
  std::string_view line = line_of(mark.source->text, mark.line);
  const int length = count_characters(line);
  int column = std::min(mark.column - 1, length);
  std::string_view dots;
  if (length > kWidestLine) {
    const int begin = std::max(0, column - kWidestLine / 2);
    const std::size_t first = byte_of_character(line, begin);
    line = line.substr(first, byte_of_character(line.substr(first), kWidestLine));
    column -= begin;
    if (begin > 0) dots = "...";
  }
  if (line.empty()) return "";
  const int room = std::max(1, count_characters(line) - column);
  const std::string shown = printable(line, line.size());
  const auto pad = static_cast<std::size_t>(column) + dots.size();
  const auto underline = static_cast<std::size_t>(std::clamp(mark.width, 1, room)) - 1;
  std::string result = "\n    ";
  result.append(dots).append(shown).append("\n    ").append(pad, ' ').append("^");
  return result.append(underline, '~');
}

std::string place(const Mark& mark) {
  if (mark.line == 0 || mark.source->is_option) return printable(mark.source->name, 200);
  return printable(mark.source->name, 200) + ":" + std::to_string(mark.line) + ":" +
         std::to_string(mark.column);
}

std::string sentence(const Diagnostic& diagnostic) {
  std::string text = place(diagnostic.mark) + (diagnostic.warning ? ": warning: " : ": ");
  if (!diagnostic.path.empty()) text += printable(diagnostic.path, 160) + ": ";
  text += diagnostic.problem;
  const std::string got = diagnostic.got.empty() ? "" : "got " + diagnostic.got;
  const std::string expected = diagnostic.expected.empty() ? "" : "expected " + diagnostic.expected;
  if (!got.empty() || !expected.empty()) {
    text += " (" + got + (got.empty() || expected.empty() ? "" : ", ") + expected + ")";
  }
  if (!diagnostic.suggestion.empty()) text += "; did you mean " + diagnostic.suggestion + "?";
  return text;
}

}  // namespace

int count_characters(std::string_view text) {
  return static_cast<int>(
      std::count_if(text.begin(), text.end(), [](char c) { return !continues_character(c); }));
}

std::string printable(std::string_view text, std::size_t most) {
  std::string result;
  bool cut = text.size() > most;
  if (cut) {
    text = text.substr(0, most);
    while (!text.empty() && continues_character(text.back())) text.remove_suffix(1);
    const bool is_half = !text.empty() && (static_cast<unsigned char>(text.back()) & 0x80U) != 0;
    if (is_half) text.remove_suffix(1);
  }
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    result += byte == '\t' ? ' ' : byte < 0x20 || byte == 0x7F ? '?' : c;
  }
  return cut ? result + "..." : result;
}

std::string render(const Diagnostic& diagnostic) {
  return sentence(diagnostic) + (diagnostic.mark.line > 0 ? source_lines(diagnostic.mark) : "");
}

std::string Diagnostics::render() const {
  std::map<const Source*, std::size_t> order_of_source;
  std::vector<std::tuple<std::size_t, int, int, std::size_t>> order;
  for (std::size_t i = 0; i < all_.size(); ++i) {
    const Mark& mark = all_[i].mark;
    const auto rank =
        order_of_source.emplace(mark.source.get(), order_of_source.size()).first->second;
    order.emplace_back(rank, mark.line, mark.column, i);
  }
  std::sort(order.begin(), order.end());
  std::string text;
  for (std::size_t i = 0; i < order.size() && i < kMostErrorsShown; ++i) {
    // Of errors at one place, the last one shows it.
    const Diagnostic& diagnostic = all_[std::get<3>(order[i])];
    const Mark& mark = diagnostic.mark;
    const Mark* const next = i + 1 < order.size() && i + 1 < kMostErrorsShown
                                 ? &all_[std::get<3>(order[i + 1])].mark
                                 : nullptr;
    const bool same_place = next != nullptr && next->source == mark.source &&
                            next->line == mark.line && next->column == mark.column;
    text += same_place ? sentence(diagnostic) : faultline::render(diagnostic);
    text += "\n";
  }
  if (order.size() > kMostErrorsShown) {
    text += "... and " + std::to_string(order.size() - kMostErrorsShown) +
            (all_.front().warning ? " more warnings\n" : " more errors\n");
  }
  return text;
}

}  // namespace faultline
