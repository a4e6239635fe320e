// The `expect:` block of a scenario file.
#include <gtest/gtest.h>

#include <cstdlib>

#include "sim/lab/point.h"
#include "sim/scenario/field_path.h"
#include "sim/scenario/load_scenario.h"
#include "sim/scenario/memory_files.h"

namespace faultline {
namespace {

// A scenario of the project, with more lines at its end.
class ProjectWith final : public FileSystem {
 public:
  explicit ProjectWith(std::string lines) : lines_(std::move(lines)) {
    const char* const home = std::getenv("FAULTLINE_HOME");
    disk_ = std::make_unique<DiskFiles>(home == nullptr ? "." : home);
  }
  tl::expected<std::string, std::string> read(const std::string& path) const override {
    if (path == "a.yaml") return "extends: rsc1\nscenario: a\n" + lines_;
    return disk_->read(path);
  }
  bool exists(const std::string& path) const override {
    return path == "a.yaml" || disk_->exists(path);
  }
  std::vector<std::string> list(const std::string& folder) const override {
    return disk_->list(folder);
  }
  std::string project_root() const override { return disk_->project_root(); }

 private:
  std::string lines_;
  std::unique_ptr<DiskFiles> disk_;
};

std::vector<Expectation> expected(const std::string& lines) {
  const auto scenario = load_scenario("a.yaml", {}, ProjectWith(lines));
  EXPECT_TRUE(scenario) << scenario.error().render();
  return scenario ? scenario->expect : std::vector<Expectation>{};
}

std::string error(const std::string& lines) {
  const auto scenario = load_scenario("a.yaml", {}, ProjectWith(lines));
  return scenario ? "" : scenario.error().render();
}

TEST(ScenarioExpectation, TextsAndMaps) {
  const auto all = expected(
      "expect:\n"
      "  - ettr >= 85%\n"
      "  - replacements / interruptions < 2\n"
      "  - {that: gate_blocked_total == 0, confidence: 99%}\n"
      "  - that: lost{redo} <= 5%\n");
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[0].that, "ettr >= 85%");
  EXPECT_EQ(all[0].confidence, 0.95);
  EXPECT_EQ(all[1].that, "replacements / interruptions < 2");  // no path of a file
  EXPECT_EQ(all[2].confidence, 0.99);
  EXPECT_EQ(all[3].that, "lost{redo} <= 5%");
}

TEST(ScenarioExpectation, WritesAndLoadsBack) {
  const ProjectWith files(
      "expect: ['ettr >= 85%', {that: \"lost{redo} <= 5%\", confidence: 90%}]\n");
  const auto scenario = load_scenario("a.yaml", {}, files);
  ASSERT_TRUE(scenario);
  for (const bool every_field : {false, true}) {
    const std::string text = show_scenario(*scenario, every_field);
    const auto again = load_scenario("b.yaml", {}, MemoryFiles({{"b.yaml", text}}));
    ASSERT_TRUE(again) << text << again.error().render();
    ASSERT_EQ(again->expect.size(), 2U);
    EXPECT_EQ(again->expect[0].that, "ettr >= 85%");
    EXPECT_EQ(again->expect[1].that, "lost{redo} <= 5%");
    EXPECT_EQ(again->expect[1].confidence, 0.9);
  }
}

TEST(ScenarioExpectation, ErrorsHaveTheirPlace) {
  EXPECT_EQ(error("expect:\n  - {that: ettr >= 85%, confidnce: 99%}\n"),
            "a.yaml:4:25: expect[0].confidnce: unknown key; did you mean confidence?\n"
            "      - {that: ettr >= 85%, confidnce: 99%}\n"
            "                            ^~~~~~~~~\n");
  EXPECT_EQ(error("expect:\n  - {confidence: 99%}\n"),
            "a.yaml:4:5: expect[0].that: is required, but missing (expected a text)\n"
            "      - {confidence: 99%}\n"
            "        ^\n");
  EXPECT_EQ(error("expect:\n  - {that: ettr > 0, confidence: 100%}\n"),
            "a.yaml:4:34: expect[0].confidence: cannot be 100%: replications are a sample\n"
            "      - {that: ettr > 0, confidence: 100%}\n"
            "                                     ^~~~\n");
  EXPECT_EQ(
      error("expect: ettr > 0\n"),
      "a.yaml:3:9: expect: has the wrong type (got ettr > 0, expected a list such as [a, b])\n"
      "    expect: ettr > 0\n"
      "            ^~~~~~~~\n");
}

TEST(ScenarioExpectation, ChangesNeitherResultsNorTheirKey) {
  const auto with = Point::load("a", "a.yaml", {}, ProjectWith("expect: [ettr >= 85%]\n"));
  const auto without = Point::load("a", "a.yaml", {}, ProjectWith(""));
  ASSERT_TRUE(with && without);
  EXPECT_EQ(with->text(), without->text());
  EXPECT_EQ(with->hash(), without->hash());
  EXPECT_EQ(with->scenario().expect.size(), 1U);
}

TEST(ScenarioExpectation, TheTreeKnowsThePlace) {
  const auto tree = load_scenario_tree("a.yaml", {}, ProjectWith("expect:\n  - ettr >= 85%\n"));
  ASSERT_TRUE(tree);
  const Mark mark = nearest_node(*tree, "expect[0].that").mark;
  EXPECT_EQ(mark.source->name, "a.yaml");
  EXPECT_EQ(mark.line, 4);
  EXPECT_EQ(mark.column, 5);
}

}  // namespace
}  // namespace faultline
