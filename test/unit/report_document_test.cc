#include "sim/report/document.h"

#include <gtest/gtest.h>

namespace faultline {
namespace {

Document sample() {
  Section section{.title = "Phases"};
  section.lines = {"Set `a.b=1 | 2` or *nothing*."};
  section.table.columns = {
      {"phase", Table::Align::kLeft}, {"p50", Table::Align::kRight}, {"", Table::Align::kLeft}};
  section.table.rows = {{"detect", "7s", "##"}, {"tolerate_x", "10m00s", ""}};
  section.notes = {"The end."};
  return {.title = "Title", .sections = {section}};
}

TEST(ReportDocumentTest, TextAlignsColumnsAndLeavesNoSpaceAtTheEnd) {
  EXPECT_EQ(to_text(sample(), {}),
            "Title\n"
            "\n"
            "Phases\n"
            "  Set `a.b=1 | 2` or *nothing*.\n"
            "  phase          p50\n"
            "  detect          7s  ##\n"
            "  tolerate_x  10m00s\n"
            "  The end.\n");
}

TEST(ReportDocumentTest, TextWrapsBetweenWordsButNeverInsideCode) {
  const Document document{.title = "T",
                          .sections = {{.lines = {"one two three `--set a=b c=d` four"}}}};
  EXPECT_EQ(to_text(document, {.width = 16}),
            "T\n"
            "\n"
            "  one two three\n"
            "    `--set a=b c=d`\n"
            "    four\n");
}

TEST(ReportDocumentTest, AnEmptyTableLeavesNoTrace) {
  const Document document{.title = "T",
                          .sections = {{.lines = {"None."}, .table = {.columns = {{"kind"}}}}}};
  EXPECT_EQ(to_text(document, {}), "T\n\n  None.\n");
  EXPECT_EQ(to_markdown(document), "# T\n\nNone.\n");
}

TEST(ReportDocumentTest, ColourChangesNothingElse) {
  const std::string plain = to_text(sample(), {});
  std::string coloured = to_text(sample(), {.colour = true});
  EXPECT_NE(plain, coloured);
  for (std::size_t at; (at = coloured.find('\x1b')) != std::string::npos;) {
    coloured.erase(at, coloured.find('m', at) - at + 1);
  }
  EXPECT_EQ(plain, coloured);
}

TEST(ReportDocumentTest, MarkdownEscapesWhatWouldBeMarkup) {
  EXPECT_EQ(to_markdown(sample()),
            "# Title\n"
            "\n"
            "## Phases\n"
            "\n"
            "Set `a.b=1 \\| 2` or \\*nothing\\*.\n"
            "\n"
            "| phase | p50 | |\n"
            "| --- | ---: | --- |\n"
            "| detect | 7s | \\#\\# |\n"
            "| tolerate\\_x | 10m00s | |\n"
            "\n"
            "The end.\n");
}

}  // namespace
}  // namespace faultline
