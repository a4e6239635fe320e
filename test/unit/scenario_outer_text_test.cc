// Splitting values where no bracket and no quote is open.
#include "sim/scenario/outer_text.h"

#include <gtest/gtest.h>

#include <string>

namespace faultline {
namespace {

// The text with every character that stands inside replaced.
std::string outside(const std::string& text) {
  OuterText outer;
  std::string seen;
  for (const char c : text) seen += outer.holds(c) ? c : '.';
  return seen;
}

TEST(OuterText, BracketsAndQuotes) {
  EXPECT_EQ(outside("a, b"), "a, b");
  EXPECT_EQ(outside("!law {a: 1, b: 2}, 5m"), "!law ............, 5m");
  EXPECT_EQ(outside("[[1, 2], 3], 4"), "..........., 4");
  EXPECT_EQ(outside("\"a, {b\", 'c]', d"), "......., ...., d");
  EXPECT_EQ(outside("}, a"), "., a");  // one bracket too many hides nothing
}

}  // namespace
}  // namespace faultline
