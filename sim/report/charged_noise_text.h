// By what a run charges agent noise (models/detectors/charged_noise.h), in words and as JSON, alike in
// `run` and in `noise`.
//
// JSON: {"by": "closed_form" | "replay", "closed_form": 0.1, "replay": null | {"slowdown", "error"}}
//
// Thread rule: pure functions.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "models/detectors/charged_noise.h"

namespace faultline {

nlohmann::ordered_json charged_noise_json(const noise::ChargedNoise& charged);

// "the closed form, 10%, does not hold here ...": if it was refuted, or if nothing could have.
std::optional<std::string> charged_noise_caveat(const noise::ChargedNoise& charged,
                                                AcrossNodes across);

// "7.85%", "0%", "<0.001%".
std::string slowdown_text(double slowdown);

}  // namespace faultline
