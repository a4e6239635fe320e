// The seam to the file system: all that the scenario layer asks of the world.
//
// Tests and the fuzzer put files in memory instead (test/unit/scenario_memory_files.h).
//
// Thread rule: const calls may run concurrently.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace faultline {

class FileSystem {
 public:
  static constexpr std::size_t kLargestFile = 16U << 20U;  // bytes

  virtual ~FileSystem() = default;

  // The whole file, or why not: a text that continues "FILE ..." ("does not exist").
  virtual tl::expected<std::string, std::string> read(const std::string& path) const = 0;
  virtual bool exists(const std::string& path) const = 0;
  // Names of the files and folders in a folder, sorted; none when there is no such folder.
  virtual std::vector<std::string> list(const std::string& folder) const = 0;
  // The folder that holds models/, policies/ and traces/; empty: the working directory.
  virtual std::string project_root() const = 0;
};

class DiskFiles final : public FileSystem {
 public:
  // `root`: FAULTLINE_HOME. When it is the working directory itself, file names in errors are
  // short.
  explicit DiskFiles(const std::string& root);

  tl::expected<std::string, std::string> read(const std::string& path) const override;
  bool exists(const std::string& path) const override;
  std::vector<std::string> list(const std::string& folder) const override;
  std::string project_root() const override { return root_; }

 private:
  std::string root_;
};

// "a/b" and "../c.yaml" -> "a/c.yaml"; an absolute path stays as it is.
std::string join_path(const std::string& folder, const std::string& path);
// A path written in a file of `folder`: it starts there, or at the project root; nothing: in
// neither.
std::optional<std::string> find_file(const FileSystem& files, const std::string& folder,
                                     const std::string& written);
// "a/b/c.yaml" -> "a/b" and "c.yaml"; "c.yaml" -> "" and "c.yaml".
std::string folder_of(const std::string& path);
std::string file_name_of(const std::string& path);

}  // namespace faultline
