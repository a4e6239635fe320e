// One outage of a job, or one trouble of a node, told from a journal: `faultline why` in full
// length.
//
// What belongs to a story: everything that the walk along the causes meets, starting from what
// began and what ended it; all that happened meanwhile to the nodes on the critical path; and what
// became of the job. The times are relative to the first line, as a rule the fault. Nodes that held
// the job off the critical path are listed below.
//
// Thread rule: pure functions.
#pragma once

#include <string>

#include "sim/report/journal_reader.h"
#include "sim/report/outages.h"

namespace faultline {

// "gpu-hbm on train-17", "repair of train-17", "eviction from train-17", "planned maintenance".
std::string cause_text(const Outage& outage, const HappeningNames& names);

// "detect 12.1s, tolerate 10m 00s, drain 5s": the pieces, added up per phase, in the order of the
// phases.
std::string phases_text(const Outage& outage);

// The lines of the story, each with a newline. `outage` is one of the journal's; of a node if its
// job is invalid.
std::string tell(const RecordedRun& journal, const Outage& outage);

}  // namespace faultline
