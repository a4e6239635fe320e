// Costs of collectives on disk, so that SimGrid is asked once and not once a day.
//
// A file holds the costs of one fabric by one back end. Its name is a hash of both and of the
// version of the cost model, so what was computed under other assumptions is never found. It is
// text, a line per cost; written beside its place and renamed, so a reader never sees half of it.
//
// Errors: sentences. A file that is missing is an empty memo; one that is broken is an error.
// Thread rule: pure functions of their arguments and the files.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "models/collectives/memo.h"

namespace faultline {

// "collectives-0123456789abcdef.txt"
std::string cost_file_name(const Fabric& fabric, std::string_view back_end);

tl::expected<CostMemo, std::string> read_cost_file(const std::string& path);
tl::expected<void, std::string> write_cost_file(const std::string& path, const CostMemo& memo);

}  // namespace faultline
