// Reads a journal (journal.h) back into happenings: what was written is what is read, to the
// nanosecond.
//
// The names are resolved by the journal's own first line, so no scenario is needed. To fold a
// journal with a plan (RunMetrics, Ledger), first check that `journal.names ==
// HappeningNames(plan)`.
//
// Errors: a text that starts with the line ("line 812: ..."), for a file that is empty, foreign, of
// another schema version, cut off, edited so that lines are missing or out of order, or that names
// what its first line does not know. Unknown keys are skipped: a newer faultline may write more.
//
// Thread rule: a pure function of the stream.
#pragma once

#include <istream>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/happenings.h"
#include "sim/report/happening_names.h"
#include "sim/report/journal.h"

namespace faultline {

struct RecordedRun {
  JournalHeader header;
  HappeningNames names;
  std::vector<Happening> happenings;  // in order; happenings[i].id == i; the last one is RunEnded
};

tl::expected<RecordedRun, std::string> read_journal(std::istream& in);

}  // namespace faultline
