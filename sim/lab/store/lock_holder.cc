#include "sim/lab/store/lock_holder.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "sim/scenario/diagnostics.h"

namespace faultline {
namespace {

// The words of a process, which /proc ends with NUL each.
std::string command_of(long process) {
  std::ifstream file(fmt::format("/proc/{}/cmdline", process), std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  std::string words = text.str();
  if (!words.empty()) words.pop_back();
  std::replace(words.begin(), words.end(), '\0', ' ');
  return words.substr(words.find_last_of('/', words.find(' ')) + 1);
}

}  // namespace

// Not by F_GETLK: closing its descriptor would drop the locks that this process has on the file.
// "1: POSIX  ADVISORY  WRITE 1234 fe:01:131073 1073741826 1073742335"
std::string lock_holder(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) == 0) {
    const std::string inode = fmt::format(":{}", status.st_ino);
    std::ifstream locks("/proc/locks");
    for (std::string line; std::getline(locks, line);) {
      std::istringstream words(line);
      std::string number, kind, advisory, mode, file;
      long process = 0;
      words >> number >> kind >> advisory >> mode >> process >> file;
      if (!words || process <= 0 || !file.ends_with(inode)) continue;
      const std::string command = command_of(process);
      return command.empty() ? fmt::format("process {}", process)
                             : fmt::format("process {} ({})", process, printable(command, 200));
    }
  }
  return "another process";
}

}  // namespace faultline
