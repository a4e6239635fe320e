// A report as sections of sentences and tables, apart from how it looks. Text for a terminal and Markdown are
// two renderings of the same document, so they always say the same.
//
// Thread rule: values; the renderers are pure functions.
#pragma once

#include <string>
#include <vector>

namespace faultline {

struct Table {
  enum class Align { kLeft, kRight };
  struct Column {
    std::string title;
    Align align = Align::kLeft;
  };
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;  // one cell per column
};

struct Section {
  std::string title;               // empty: the head of the report
  std::vector<std::string> lines;  // paragraphs before the table
  Table table;
  std::vector<std::string> notes;  // paragraphs after it
};

struct Document {
  std::string title;
  std::vector<Section> sections;
};

// At most `width` columns, as far as tables allow; `colour`: bold titles and red bars, for a terminal.
struct TextStyle {
  std::size_t width = 100;
  bool colour = false;
};
std::string to_text(const Document& document, const TextStyle& style);
// One table alone.
std::string to_text(const Table& table, const TextStyle& style);

std::string to_markdown(const Document& document);

}  // namespace faultline
