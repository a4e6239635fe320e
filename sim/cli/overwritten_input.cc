#include "sim/cli/overwritten_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "sim/scenario/diagnostics.h"
#include "sim/scenario/files.h"
#include "sim/scenario/load_scenario.h"

namespace faultline {
namespace {

// Remembers what was read.
class RememberingFiles final : public FileSystem {
 public:
  explicit RememberingFiles(const FileSystem& files) : files_(files) {}

  tl::expected<std::string, std::string> read(const std::string& path) const override {
    paths_.push_back(path);
    return files_.read(path);
  }
  bool exists(const std::string& path) const override { return files_.exists(path); }
  std::vector<std::string> list(const std::string& folder) const override {
    return files_.list(folder);
  }
  std::string project_root() const override { return files_.project_root(); }

  const std::vector<std::string>& paths() const { return paths_; }

 private:
  const FileSystem& files_;
  mutable std::vector<std::string> paths_;
};

// Under whatever names: a link, an absolute path.
bool same_file(const std::string& a, const std::string& b) {
  std::error_code neither_exists;
  return std::filesystem::equivalent(a, b, neither_exists);
}

}  // namespace

std::optional<std::string> overwritten_input(
    const std::string& scenario, const std::vector<Override>& overrides,
    const std::vector<std::pair<std::string, std::string>>& outputs, const World& world) {
  const auto is_new = [](const auto& output) {
    std::error_code ignored;
    return !std::filesystem::exists(output.second, ignored);
  };
  if (std::all_of(outputs.begin(), outputs.end(), is_new)) return std::nullopt;
  const RememberingFiles inputs(world.files);
  static_cast<void>(load_scenario(scenario, overrides, inputs));
  for (const auto& [option, path] : outputs) {
    for (const std::string& input : inputs.paths()) {
      if (!same_file(path, input)) continue;
      return fmt::format("{} would overwrite `{}`, which the scenario is read from", option,
                         printable(path));
    }
  }
  return std::nullopt;
}

}  // namespace faultline
