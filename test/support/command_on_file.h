// A command of faultline, asked about one scenario file in different ways.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "test/support/run_program.h"

namespace faultline::test {

class CommandOnFile : public testing::Test {
 protected:
  CommandOnFile(std::string command, const std::string& file, const std::string& text)
      : command_(std::move(command)), scenario_(folder_.write(file, text)) {}

  ProgramResult run(std::vector<std::string> more) {
    std::vector<std::string> words{command_, scenario_};
    words.insert(words.end(), more.begin(), more.end());
    return faultline(words);
  }
  // What is said of a usage error: nothing of it on stdout.
  std::string error(std::vector<std::string> more) {
    const ProgramResult result = run(std::move(more));
    EXPECT_EQ(result.code, 2);
    EXPECT_EQ(result.out, "");
    return result.err;
  }

  const TemporaryFolder folder_;
  const std::string command_;
  const std::string scenario_;
};

}  // namespace faultline::test
