// Who holds a file that is locked, as far as the kernel tells.
//
// Thread rule: pure function of the system's state.
#pragma once

#include <string>

namespace faultline {

// "process 1234 (faultline sweep llama3 -o x.db)", or "another process" where that is all that can be known
// (a file system of another machine).
std::string lock_holder(const std::string& path);

}  // namespace faultline
