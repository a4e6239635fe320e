#include "sim/cli/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "models/base/check.h"

namespace faultline {
namespace {

using testing::HasSubstr;

// A file system in which one of our own checks fails.
class BrokenFiles final : public FileSystem {
 public:
  tl::expected<std::string, std::string> read(const std::string&) const override { fail(); }
  bool exists(const std::string&) const override { fail(); }
  std::vector<std::string> list(const std::string&) const override { fail(); }
  std::string project_root() const override { return ""; }

 private:
  [[noreturn]] static void fail() { throw InternalError("spares went negative: -1"); }
};

TEST(CliCommandLineTest, AFailedCheckOfOursAsksForAReport) {
  const BrokenFiles files;
  std::ostringstream out;
  std::ostringstream err;
  const ExitCode code =
      run_command_line({"run", "llama3", "--seed", "7"}, {.files = files, .out = out, .err = err});
  EXPECT_EQ(code, ExitCode::kOurBug);
  EXPECT_EQ(out.str(), "");
  EXPECT_THAT(err.str(), HasSubstr("internal error: spares went negative: -1"));
  EXPECT_THAT(err.str(), HasSubstr("Please report it"));
  EXPECT_THAT(err.str(), HasSubstr("faultline run llama3 --seed 7"));
}

TEST(CliCommandLineTest, TalksOnTheStreamsOfItsWorld) {
  const BrokenFiles files;
  std::ostringstream out;
  std::ostringstream err;
  EXPECT_EQ(run_command_line({"list", "policies"}, {.files = files, .out = out, .err = err}),
            ExitCode::kDone);
  EXPECT_THAT(out.str(), HasSubstr("!karpenter"));
  EXPECT_EQ(err.str(), "");
}

}  // namespace
}  // namespace faultline
