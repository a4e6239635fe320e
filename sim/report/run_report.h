// The results of a run as a document for a person: goodput with its uncertainty, where the time went, what
// failed, how long repair took, what the safety gate did, NCCL stalls, replacements, what detection can
// promise, and hints.
//
// Like the JSON, it is a pure function of (scenario, seed, replications).
//
// Thread rule: pure functions.
#pragma once

#include <string>
#include <vector>

#include "sim/report/document.h"
#include "sim/report/run_results.h"

namespace faultline {

Document run_report(const RunResults& results);
// A line per metric.
std::string run_csv(const RunResults& results);

// What to try next, each only where the numbers give a reason for it (run_hints.cc holds the thresholds).
std::vector<std::string> run_hints(const RunResults& results);

}  // namespace faultline
