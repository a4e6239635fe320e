#include "models/base/check.h"

namespace faultline {

void check_failed(const char* expression, const char* file, int line, const std::string& message) {
  throw InternalError(fmt::format("{}:{}: check `{}` failed: {}", file, line, expression, message));
}

}  // namespace faultline
