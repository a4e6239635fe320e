#include <algorithm>

#include "sim/report/document.h"

namespace faultline {
namespace {

constexpr const char* kBold = "\x1b[1m";
constexpr const char* kDim = "\x1b[2m";
constexpr const char* kRed = "\x1b[31m";
constexpr const char* kPlain = "\x1b[0m";
constexpr const char* kIndent = "  ";
constexpr const char* kGap = "  ";

class TextRenderer {
 public:
  explicit TextRenderer(const TextStyle& style) : style_(style) {}

  std::string render(const Document& document) {
    line(painted(document.title, kBold));
    for (const Section& section : document.sections) {
      out_ += '\n';
      if (!section.title.empty()) line(painted(section.title, kBold));
      for (const std::string& text : section.lines) paragraph(text);
      table_rows(section.table);
      for (const std::string& text : section.notes) paragraph(text);
    }
    return std::move(out_);
  }

  std::string render(const Table& table) {
    table_rows(table);
    return std::move(out_);
  }

 private:
  std::string painted(const std::string& text, const char* colour) const {
    return style_.colour && !text.empty() ? colour + text + kPlain : text;
  }

  void line(const std::string& text) { out_ += text + '\n'; }

  // Where the word that begins at `begin` ends. Code between backquotes is one word: it is there to be copied.
  static std::size_t word_end(const std::string& text, std::size_t begin) {
    bool code = false;
    std::size_t end = begin;
    while (end < text.size() && (code || text[end] != ' ')) code ^= text[end++] == '`';
    return end;
  }

  // Words, wrapped; further lines stand two columns to the right.
  void paragraph(const std::string& text) {
    std::string current = kIndent;
    bool empty = true;
    std::size_t begin = 0;
    while (begin < text.size()) {
      const std::size_t end = word_end(text, begin);
      const std::string word = text.substr(begin, end - begin);
      if (!empty && current.size() + 1 + word.size() > style_.width) {
        line(current);
        current = std::string(kIndent) + kIndent;
        empty = true;
      }
      if (!empty) current += ' ';
      current += word;
      empty = false;
      begin = end + 1;
    }
    line(current);
  }

  void table_rows(const Table& table) {
    if (table.rows.empty()) return;
    std::vector<std::size_t> widths;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      widths.push_back(table.columns[c].title.size());
      for (const auto& row : table.rows) widths[c] = std::max(widths[c], row[c].size());
    }
    std::vector<std::string> titles;
    for (const Table::Column& column : table.columns) titles.push_back(column.title);
    const bool has_titles =
        std::any_of(titles.begin(), titles.end(), [](const auto& title) { return !title.empty(); });
    if (has_titles) cells(table, widths, titles, kDim);
    for (const auto& row : table.rows) cells(table, widths, row, nullptr);
  }

  void cells(const Table& table, const std::vector<std::size_t>& widths,
             const std::vector<std::string>& texts, const char* colour) {
    std::string row = kIndent;
    std::string padding;  // written only when something follows
    for (std::size_t c = 0; c < texts.size(); ++c) {
      const std::string space(widths[c] - texts[c].size(), ' ');
      const bool right = table.columns[c].align == Table::Align::kRight;
      const char* paint = colour != nullptr ? colour : is_bar(texts[c]) ? kRed : nullptr;
      if (right) padding += space;
      if (!texts[c].empty()) {
        row += padding + (paint != nullptr ? painted(texts[c], paint) : texts[c]);
        padding.clear();
      }
      if (!right) padding += space;
      padding += kGap;
    }
    line(row);
  }

  static bool is_bar(const std::string& text) {
    return !text.empty() && text.find_first_not_of('#') == std::string::npos;
  }

  const TextStyle& style_;
  std::string out_;
};

}  // namespace

std::string to_text(const Document& document, const TextStyle& style) {
  return TextRenderer(style).render(document);
}

std::string to_text(const Table& table, const TextStyle& style) {
  return TextRenderer(style).render(table);
}

}  // namespace faultline
