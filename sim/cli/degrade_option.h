// The values of `--degrade`: parts of a fabric and what is left of them.
//
//   rail3@node17=10%        a tenth of the bandwidth; also rail3@train-17, by the node's name
//   leaf12=dead
//   uplink5@leaf3=50%+20us  half, and 20 us more for each message
//
// Errors are sentences without a full stop: "--degrade `rail9@node17=10%`: there is no rail9 (there
// are rails 0 to 7)".
//
// Thread rule: pure function.
#pragma once

#include <string>
#include <tl/expected.hpp>

#include "models/fleet/fabric_state.h"
#include "models/fleet/fleet.h"

namespace faultline {

tl::expected<FabricFault, std::string> degraded_part(const std::string& text, const Fabric& fabric,
                                                     const Fleet& fleet);

}  // namespace faultline
