#include "sim/report/document.h"

namespace faultline {
namespace {

// What would end a cell or a paragraph's meaning. Code between backquotes stays as it is.
std::string escaped(const std::string& text) {
  std::string out;
  bool code = false;
  for (const char c : text) {
    if (c == '`') code = !code;
    if (c == '|' || (!code && (c == '*' || c == '_' || c == '<' || c == '#'))) out += '\\';
    out += c;
  }
  return out;
}

void add_row(std::string& out, const std::vector<std::string>& cells) {
  for (const std::string& cell : cells) out += cell.empty() ? "| " : "| " + escaped(cell) + ' ';
  out += "|\n";
}

void add_table(std::string& out, const Table& table) {
  if (table.rows.empty()) return;
  std::vector<std::string> titles;
  std::string rule;
  for (const Table::Column& column : table.columns) {
    titles.push_back(column.title);
    rule += column.align == Table::Align::kRight ? "| ---: " : "| --- ";
  }
  add_row(out, titles);
  out += rule + "|\n";
  for (const auto& row : table.rows) add_row(out, row);
  out += '\n';
}

}  // namespace

std::string to_markdown(const Document& document) {
  std::string out = "# " + escaped(document.title) + "\n\n";
  for (const Section& section : document.sections) {
    if (!section.title.empty()) out += "## " + escaped(section.title) + "\n\n";
    for (const std::string& text : section.lines) out += escaped(text) + "\n\n";
    add_table(out, section.table);
    for (const std::string& text : section.notes) out += escaped(text) + "\n\n";
  }
  out.pop_back();
  return out;
}

}  // namespace faultline
