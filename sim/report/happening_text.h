// Happenings in plain English, for `faultline why`.
//
//   {"condition", "AcceleratedHardwareReady=False on train-17, NvidiaXID48Error"}
//
// `stage` is the part of a fault's life: fault, signal, condition, event, decision, action,
// capacity, placement, job, run.
//
// Thread rule: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "models/happenings.h"
#include "sim/report/happening_names.h"

namespace faultline {

struct HappeningText {
  std::string_view stage;
  std::string text;
};

HappeningText describe(const Happening& happening, const HappeningNames& names);

// A length of time for people: two or three units, a tenth of a second at most from a second on.
// "0s"  "0.035s"  "12.1s"  "4m 50s"  "10m 12.1s"  "14m 02s"  "2h 05m 09s"  "3d 02h 05m"
std::string spoken(Duration d);

}  // namespace faultline
