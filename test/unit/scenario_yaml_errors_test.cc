// What a user reads when the file is not the YAML that faultline takes, or no YAML, or no file.
// Whole texts: they are part of the product.
#include <gtest/gtest.h>

#include "test/support/scenario_errors.h"

namespace faultline::demo {
namespace {

TEST(ScenarioYamlErrors, DuplicateKey) {
  EXPECT_EQ(errors_of(R"(name: demo
horizon: 3d
fleet: {pools: []}
horizon: 4d
)"),
            R"(a.yaml:4:1: key `horizon` is given twice (first in line 2)
    horizon: 4d
    ^~~~~~~
)");
}

TEST(ScenarioYamlErrors, TabIndentation) {
  EXPECT_EQ(errors_of("name: demo\n"
                      "fleet:\n"
                      "\tpools: []\n"),
            R"(a.yaml:3:1: a tab indents this line (expected spaces: YAML does not allow tabs here)
     pools: []
    ^
)");
}

TEST(ScenarioYamlErrors, TabIndentationAfterSpaces) {
  EXPECT_EQ(errors_of("name: demo\n"
                      "fleet:\n"
                      "  pools:\n"
                      "  \t- {name: a, nodes: 1}\n"
                      "\t- {name: b, nodes: 1}\n"),
            R"(a.yaml:4:3: a tab indents this line (expected spaces: YAML does not allow tabs here)
       - {name: a, nodes: 1}
      ^
)");
}

TEST(ScenarioYamlErrors, Bomb) {
  EXPECT_EQ(
      errors_of(R"(a: &a [lol, lol]
b: &b [*a, *a, *a]
c: [*b, *b]
)"),
      R"(a.yaml:1:1: a: unknown key (expected name, horizon, fleet, policy, parts or workloads)
a.yaml:1:1: name: is required, but missing (expected a text)
    a: &a [lol, lol]
    ^
a.yaml:1:4: anchors (`&name`) are not supported: write the values, or share them with `extends: FILE`
    a: &a [lol, lol]
       ^
a.yaml:2:1: b: unknown key (expected name, horizon, fleet, policy, parts or workloads)
    b: &b [*a, *a, *a]
    ^
a.yaml:2:8: aliases (`*name`) are not supported: write the values, or share them with `extends: FILE`
    b: &b [*a, *a, *a]
           ^
a.yaml:3:1: c: unknown key (expected name, horizon, fleet, policy, parts or workloads)
    c: [*b, *b]
    ^
)");
}

TEST(ScenarioYamlErrors, MergeKey) {
  EXPECT_EQ(
      errors_of(R"(name: demo
fleet:
  <<: {pools: []}
)"),
      R"(a.yaml:3:3: merge keys (`<<`) are not supported (expected `extends: FILE`, which takes a file and changes what the map names)
      <<: {pools: []}
      ^~
)");
}

TEST(ScenarioYamlErrors, UndefinedAlias) {
  EXPECT_EQ(
      errors_of(R"(name: demo
fleet: *base
)"),
      R"(a.yaml:2:8: aliases (`*name`) are not supported: write the values, or share them with `extends: FILE`
    fleet: *base
           ^
)");
}

TEST(ScenarioYamlErrors, TwoDocuments) {
  EXPECT_EQ(errors_of(R"(name: demo
---
name: other
)"),
            R"(a.yaml:2:1: a second document starts here (expected one document in a file)
    ---
    ^
)");
}

TEST(ScenarioYamlErrors, TooDeep) {
  EXPECT_EQ(
      errors_of(R"(name: demo
fleet: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]
)"),
      R"(a.yaml:2:8: fleet: has the wrong type (got a list, expected a map, or the path of a YAML file)
    fleet: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]
           ^
a.yaml:2:71: is nested more than 64 levels deep
    ...[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]
                                                       ^
)");
}

TEST(ScenarioYamlErrors, BinaryFile) {
  EXPECT_EQ(errors_of(std::string("\177ELF\002\000\000", 7)),
            "a.yaml: is a binary file: byte 5 is 0 (expected a YAML file in UTF-8)\n");
}

TEST(ScenarioYamlErrors, NotUtf8) {
  EXPECT_EQ(errors_of("name: caf\351\n"),
            "a.yaml: is not UTF-8 text: byte 9 is 0xe9 (expected a YAML file in UTF-8)\n");
}

TEST(ScenarioYamlErrors, ControlCharacter) {
  EXPECT_EQ(errors_of("name: demo\033[31m\n"),
            R"(a.yaml:1:11: has the control character 0x1b (expected a YAML file in UTF-8)
    name: demo?[31m
              ^
)");
}

TEST(ScenarioYamlErrors, EmptyFile) {
  EXPECT_EQ(errors_of(std::string()), "a.yaml: is empty (expected a map of fields)\n");
}

TEST(ScenarioYamlErrors, OnlyComments) {
  EXPECT_EQ(errors_of("# nothing here\n"), "a.yaml: is empty (expected a map of fields)\n");
}

TEST(ScenarioYamlErrors, MissingFile) { EXPECT_EQ(errors_of(Files{}), "a.yaml: does not exist\n"); }

TEST(ScenarioYamlErrors, OpenBracket) {
  EXPECT_EQ(errors_of(R"(name: demo
parts: {xids: [79, 94
horizon: 3d
)"),
            R"(a.yaml:3:8: the `[` before it is not closed: `,` or `]` is missing
    horizon: 3d
           ^
)");
}

TEST(ScenarioYamlErrors, OpenQuote) {
  EXPECT_EQ(errors_of(R"(name: "demo
)"),
            R"(a.yaml:1:7: the closing quote is missing
    name: "demo
          ^~~~~
)");
}

TEST(ScenarioYamlErrors, ColonInText) {
  EXPECT_EQ(
      errors_of("name: demo: the small one\n"),
      R"(a.yaml:1:11: a `:` stands where no key can be: check the indentation, or put a text with `: ` in quotes
    name: demo: the small one
              ^
)");
}

TEST(ScenarioYamlErrors, BadIndentation) {
  EXPECT_EQ(
      errors_of(R"(name: demo
 horizon: 3d
)"),
      R"(a.yaml:2:9: a `:` stands where no key can be: check the indentation, or put a text with `: ` in quotes
     horizon: 3d
            ^
)");
}

TEST(ScenarioYamlErrors, BadListIndentation) {
  EXPECT_EQ(errors_of(R"(fleet:
  pools:
    - {name: a, nodes: 1}
   - {name: b, nodes: 1}
)"),
            R"(a.yaml:4:4: does not continue the map above: check the indentation
       - {name: b, nodes: 1}
       ^
)");
}

TEST(ScenarioYamlErrors, StrayAt) {
  EXPECT_EQ(errors_of("name: @demo\n"),
            R"(a.yaml:1:7: this character needs quotes around the text
    name: @demo
          ^
)");
}

TEST(ScenarioYamlErrors, KeyThatIsAList) {
  EXPECT_EQ(errors_of(R"(? [a, b]
: 1
)"),
            R"(a.yaml:1:3: a key must be plain text (expected `key: value`)
    ? [a, b]
      ^
)");
}

TEST(ScenarioYamlErrors, TopIsAList) {
  EXPECT_EQ(errors_of("- name: demo\n"),
            R"(a.yaml:1:1: has the wrong type (got a list, expected a map of fields)
    - name: demo
    ^
)");
}

TEST(ScenarioYamlErrors, TopIsText) {
  EXPECT_EQ(errors_of("just some words\n"),
            R"(a.yaml:1:1: has the wrong type (got just some words, expected a map of fields)
    just some words
    ^~~~~~~~~~~~~~~
)");
}

TEST(ScenarioYamlErrors, ColumnsCountCharacters) {
  EXPECT_EQ(errors_of("name: d\303\251mo\n"
                      "parts: {\303\274nits: 1, latching: yes}\n"),
            "a.yaml:2:9: parts.\303\274nits: unknown key (expected latching, factor, coverage, "
            "memory, link, spares, rate, effect, xids or launch)\n"
            "    parts: {\303\274nits: 1, latching: yes}\n"
            "            ^~~~~\n"
            "a.yaml:2:29: parts.latching: is not a boolean (got yes, expected true or false); did "
            "you mean true?\n"
            "    parts: {\303\274nits: 1, latching: yes}\n"
            "                                ^~~\n");
}

TEST(ScenarioYamlErrors, LongLine) {
  EXPECT_EQ(errors_of(R"(name: demo
parts: {xids: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, x, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59]}
)"),
            R"(a.yaml:2:243: parts.xids[59]: `x` is not a count: write digits only, as in 1000
    ...48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, x, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14
                                                       ^
)");
}

}  // namespace
}  // namespace faultline::demo
