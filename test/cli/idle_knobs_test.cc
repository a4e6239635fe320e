// `validate` and `run` warn of knobs that cannot matter, on stderr, with their place; nothing else changes.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "test/support/run_program.h"

namespace faultline::test {
namespace {

const std::string kText =
    "extends: small\n"
    "scenario: mine\n"
    "fleet:\n"
    "  pools:\n"
    "    - {name: train, zone: b}\n"
    "capacity:\n"
    "  returns_after: 2h\n";

std::string warnings(const std::string& file) {
  return file +
         ":5:21: warning: fleet.pools[train].zone: has no effect: no fault class is counted per "
         "zone, and no strike names one\n"
         "        - {name: train, zone: b}\n"
         "                        ^~~~\n" +
         file +
         ":7:3: warning: capacity.returns_after: has no effect: `capacity.spares` is unlimited, so "
         "no launch waits for a machine\n"
         "      returns_after: 2h\n"
         "      ^~~~~~~~~~~~~\n";
}

TEST(IdleKnobsTest, ValidateWarnsAndIsContent) {
  const TemporaryFolder folder;
  const std::string file = folder.write("mine.yaml", kText);
  const ProgramResult result = faultline({"validate", file});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.out, file + ": ok\n");
  EXPECT_EQ(result.err, warnings(file));
  EXPECT_EQ(faultline({"validate", "small", "llama3", "rsc1-shop"}).err, "");
}

TEST(IdleKnobsTest, RunWarnsAndReportsTheSame) {
  const TemporaryFolder folder;
  const std::string file = folder.write("mine.yaml", kText);
  const ProgramResult result = faultline({"run", file, "--reps", "2", "--quiet"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.err, warnings(file));
  const ProgramResult by_option =
      faultline({"run", "small", "--reps", "2", "--quiet", "--set", "capacity.returns_after=2h"});
  EXPECT_EQ(by_option.err,
            "--set capacity.returns_after=2h: warning: capacity.returns_after: has no effect: "
            "`capacity.spares` is unlimited, so no launch waits for a machine\n"
            "    capacity.returns_after=2h\n"
            "             ^~~~~~~~~~~~~\n");
  EXPECT_EQ(by_option.out, faultline({"run", "small", "--reps", "2", "--quiet"}).out);
}

}  // namespace
}  // namespace faultline::test
