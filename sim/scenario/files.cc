#include "sim/scenario/files.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace faultline {

namespace fs = std::filesystem;

DiskFiles::DiskFiles(const std::string& root) : root_(root) {
  std::error_code ignored;
  if (root.empty() || fs::equivalent(root, fs::current_path(ignored), ignored)) root_ = "";
}

tl::expected<std::string, std::string> DiskFiles::read(const std::string& path) const {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) return tl::unexpected<std::string>("does not exist");
  if (fs::is_directory(status)) return tl::unexpected<std::string>("is a folder, not a file");
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    return tl::unexpected("cannot be read: " + std::string(std::strerror(errno)));
  }
  std::string content;
  std::array<char, 1U << 16U> piece{};
  while (content.size() <= kLargestFile) {
    in.read(piece.data(), piece.size());
    if (in.gcount() == 0) break;
    content.append(piece.data(), static_cast<std::size_t>(in.gcount()));
  }
  if (in.bad()) return tl::unexpected<std::string>("cannot be read: input error");
  if (content.size() > kLargestFile) {
    return tl::unexpected<std::string>("is larger than 16 MiB, the most that a file may have");
  }
  return content;
}

bool DiskFiles::exists(const std::string& path) const {
  std::error_code error;
  return fs::exists(path, error);
}

std::vector<std::string> DiskFiles::list(const std::string& folder) const {
  std::vector<std::string> names;
  std::error_code error;
  fs::directory_iterator entry(folder.empty() ? "." : folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    names.push_back(entry->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string join_path(const std::string& folder, const std::string& path) {
  std::string joined = (fs::path(folder) / path).lexically_normal().string();
  if (joined.size() > 1 && joined.back() == '/') joined.pop_back();
  return joined;
}

std::optional<std::string> find_file(const FileSystem& files, const std::string& folder,
                                     const std::string& written) {
  if (written.empty()) return std::nullopt;
  for (const std::string& start : {folder, files.project_root()}) {
    std::string path = join_path(start, written);
    if (files.exists(path)) return path;
  }
  return std::nullopt;
}

std::string folder_of(const std::string& path) { return fs::path(path).parent_path().string(); }

std::string file_name_of(const std::string& path) { return fs::path(path).filename().string(); }

}  // namespace faultline
