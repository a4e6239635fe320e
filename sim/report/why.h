// Why did this job stop, why was this node away: answered by walking the causes in a journal.
//
// `why(journal, subject, nothing)` lists the outages of a job, or the troubles of a node, longest
// first:
//
//   llama3: 3 outages, 1h 02m 11s of 54d in all; the longest first
//     12d 03:04:05.678       14m 02s  gpu-hbm on train-17: detect 12.1s, tolerate 10m 00s, ...
//
// `why(journal, subject, t)` tells the last one that began at or before t, from the fault to the
// first step, in the order of time, and what else held the job meanwhile:
//
//   12d 03:04:05.678  fault      gpu-hbm strikes train-17 (GPU 3)
//                +0s  job        llama3 stops: crash, 4m 50s of work lost
//             +12.1s  condition  AcceleratedHardwareReady=False on train-17, NvidiaXID48Error
//         +10m 12.1s  decision   replace train-17
//                                ...
//          +14m 02s   job        llama3 makes progress again
//
// A job's outage ends with progress: a restart that fails makes it longer. Its phases are charged
// by the ledger's blame rule (sim/engine/ledger.h). A node's trouble lasts from the fault (or the
// first bad condition) until nothing is wrong with the place any more. "train-17" is the place with
// all its machines, "train-17.g1" only the troubles that began with the first replacement.
//
// Errors: a text without a newline at its end: an unknown subject with the closest name, a journal
// that is empty, foreign or cut off (journal_reader.h).
//
// Thread rule: a pure function of the stream.
#pragma once

#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "models/base/time.h"

namespace faultline {

tl::expected<std::string, std::string> why(std::istream& journal, std::string_view subject,
                                           std::optional<SimTime> at);

}  // namespace faultline
