// A warning for windows that end with a poll.
//
// What an agent polls every P, it raises and takes back at polls: the condition lasts k P, and a toleration of
// exactly k P is a cliff (models/detectors/MODEL.md). lastTransitionTime is rounded down to whole seconds, so what
// clears at the very end of the window is repaired all the same.
//
// Worked example: a GPU count that differs for 7 min, polled every 5 min, is False for 10 min. A toleration of 10 min
// replaces the node, 10 min 1 s does not.
//
// Thread rule: pure function.
#pragma once

#include <string>

#include "sim/engine/plan.h"
#include "sim/lab/knob.h"

namespace faultline {

// A sentence, if the knob is a toleration that takes a multiple of the period of a poll which raises its
// condition for alarms that clear; otherwise empty.
std::string poll_steps_text(const SimulationPlan& plan, const Knob& knob);

}  // namespace faultline
