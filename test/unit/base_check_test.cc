#include "models/base/check.h"

#include <gtest/gtest.h>

namespace faultline {
namespace {

std::string message_of(void (*fails)()) {
  try {
    fails();
  } catch (const InternalError& error) {
    return error.what();
  }
  return "";
}

TEST(BaseCheck, AFailedCheckNamesTheExpressionAndTheValues) {
  const std::string message = message_of([] {
    const int spares = -1;
    FAULTLINE_CHECK(spares >= 0, "spares went negative: {}", spares);
  });
  EXPECT_NE(message.find("check `spares >= 0` failed: spares went negative: -1"), message.npos)
      << message;
  EXPECT_NE(message.find("base_check_test.cc:"), message.npos) << message;
}

TEST(BaseCheck, AFailedCheckPrintsTheSimulatedTime) {
  const std::string message =
      message_of([] { FAULTLINE_CHECK_AT(SimTime::at(90_s), false, "event in the past"); });
  EXPECT_NE(message.find("at simulated time 0d 00:01:30.000: event in the past"), message.npos)
      << message;
}

TEST(BaseCheck, ACheckThatHoldsDoesNothing) {
  EXPECT_NO_THROW([] { FAULTLINE_CHECK(true, "never shown"); }());
}

}  // namespace
}  // namespace faultline
