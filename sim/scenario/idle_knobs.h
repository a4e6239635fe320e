// Knobs that are turned and cannot matter: each earns a warning, with its place in the files.
//
//   mine.yaml:9:7: warning: fleet.pools[train].zone: has no effect: no fault class is counted per zone, and no
//   strike names one
//
// A knob is turned when its value is not the default, so a scenario, what `show` prints of it and what `show
// --full` prints of it earn the same warnings (`kubernetes` apart: the last one gives all that follows it). It
// is idle when no other value of it could change a result of any command, as long as the rest stays as it is. One rule looks at one knob, or at several for one reason;
// the table of rules is in idle_knobs.cc, the rules are in idle_rules_*.cc.
//
// No knob is idle because nothing happened to need it: a reason that no fault raises, a class whose rate is 0,
// a setting for hangs in a catalogue that has some. Nor is what describes the fault itself (`fails_restart` of
// a slow one).
//
// Thread rule: pure functions.
#pragma once

#include "sim/scenario/diagnostics.h"
#include "sim/scenario/scenario.h"
#include "sim/scenario/tree.h"

namespace faultline {

// `tree`: what the scenario was read from (load_scenario.h), for the places.
Diagnostics idle_knobs(const Scenario& scenario, const Tree& tree);

}  // namespace faultline
