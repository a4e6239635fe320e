// The person who is paged when a job does not come back.
#pragma once

#include "models/base/distribution.h"
#include "models/base/fields.h"

namespace faultline {

struct OnCallConfig {
  Distribution answers;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("answers", &OnCallConfig::answers,
          {.help =
               "Time from the first failed restart on a node until somebody has found the node and "
               "acts.",
           .required = true});
  }
};

}  // namespace faultline
