// What README.md tells people to write is right: each YAML example runs.
#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "test/support/run_program.h"

namespace faultline::test {
namespace {

TEST(ReadmeTest, ScenarioExamplesRun) {
  const TemporaryFolder folder;
  const std::string readme = read_file(std::string(std::getenv("FAULTLINE_HOME")) + "/README.md");
  const std::string begin = "```yaml\n";
  int examples = 0;
  for (std::size_t at = readme.find(begin); at != std::string::npos; at = readme.find(begin, at)) {
    at += begin.size();
    const std::string yaml = readme.substr(at, readme.find("```", at) - at);
    const std::string file = folder.write("example.yaml", yaml);
    const ProgramResult result = faultline({"run", file, "--reps", "2", "--quiet"});
    EXPECT_EQ(result.code, 0) << yaml << result.err;
    ++examples;
  }
  EXPECT_GE(examples, 2);
}

// The excerpt that stands under a command is what it prints; `...` stands for what was left out.
void expect_excerpt(const std::string& command, const std::vector<std::string>& arguments) {
  const std::string readme = read_file(std::string(std::getenv("FAULTLINE_HOME")) + "/README.md");
  const std::size_t shown = readme.find("./faultline " + command);
  ASSERT_NE(shown, std::string::npos) << command;
  const std::string begin = "```\n";
  const std::size_t from = readme.find(begin, shown) + begin.size();
  std::istringstream excerpt(readme.substr(from, readme.find("```", from) - from));
  const std::string report = faultline(arguments).out;
  std::size_t at = 0;
  for (std::string line; std::getline(excerpt, line);) {
    if (line == "...") continue;
    at = report.find(line + "\n", at);
    ASSERT_NE(at, std::string::npos)
        << "not in the report of `" << command << "`, or not in this order:\n"
        << line;
  }
}

TEST(ReadmeTest, ExcerptOfRunIsReal) { expect_excerpt("run llama3", {"run", "llama3"}); }

TEST(ReadmeTest, ExcerptOfTuneIsReal) {
  const std::string window = "policy.tolerations.AcceleratedHardwareReady=0s..30m/1m";
  expect_excerpt("tune llama3 --vary " + window, {"tune", "llama3", "--vary", window});
}

// The commands that it shows exist.
TEST(ReadmeTest, CommandsExist) {
  const std::string readme = read_file(std::string(std::getenv("FAULTLINE_HOME")) + "/README.md");
  const std::regex command("\\./faultline ([a-z]+)");
  for (std::sregex_iterator at(readme.begin(), readme.end(), command), end; at != end; ++at) {
    const std::string name = (*at)[1];
    if (name == "test") continue;  // the launcher's
    EXPECT_EQ(faultline({name, "--help"}).code, 0) << name;
  }
}

}  // namespace
}  // namespace faultline::test
