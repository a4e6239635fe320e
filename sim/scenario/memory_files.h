// A file system in memory, for tests, the fuzzer, and programs that make their scenarios.
//
// Folders exist by the files in them. `root` plays the project root.
//
// Thread rule: const calls may run concurrently.
#pragma once

#include <map>
#include <set>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "sim/scenario/files.h"

namespace faultline {

class MemoryFiles final : public FileSystem {
 public:
  explicit MemoryFiles(std::map<std::string, std::string> files, std::string root = "")
      : files_(std::move(files)), root_(std::move(root)) {}

  tl::expected<std::string, std::string> read(const std::string& path) const override {
    const auto file = files_.find(path);
    if (file == files_.end()) return tl::unexpected<std::string>("does not exist");
    return file->second;
  }
  bool exists(const std::string& path) const override { return files_.count(path) > 0; }
  std::vector<std::string> list(const std::string& folder) const override {
    std::set<std::string> names;
    const std::string start = folder.empty() || folder == "." ? "" : folder + "/";
    for (const auto& [path, content] : files_) {
      if (path.compare(0, start.size(), start) != 0) continue;
      names.insert(path.substr(start.size(), path.find('/', start.size()) - start.size()));
    }
    return {names.begin(), names.end()};
  }
  std::string project_root() const override { return root_; }

 private:
  std::map<std::string, std::string> files_;
  std::string root_;
};

}  // namespace faultline
