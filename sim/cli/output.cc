#include "sim/cli/output.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace faultline {
namespace {

// The streams of the standard library keep no reason; errno has it right after the failure, or 0.
std::string cannot_write(const std::string& path) {
  const std::string reason = errno != 0 ? std::string(": ") + std::strerror(errno) : "";
  return path == "-" ? "cannot write to stdout" + reason
                     : fmt::format("cannot write to `{}`{}", path, reason);
}

constexpr auto kAnew = std::ios::binary | std::ios::trunc;

// A plain file, or none yet, can be closed and opened again; the reader of a pipe would see its end.
bool can_wait(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) ||
         fs::symlink_status(path, ignored).type() == fs::file_type::not_found;
}

}  // namespace

tl::expected<Output, std::string> Output::open(const std::string& path, const World& world) {
  if (path == "-") return Output(path, nullptr, world.out);
  errno = 0;
  std::error_code ignored;
  const bool waits = can_wait(path);
  const bool is_new = waits && !std::filesystem::exists(path, ignored);
  auto file = std::make_unique<std::ofstream>(path, waits ? std::ios::app : kAnew);
  if (!*file) return tl::unexpected(cannot_write(path));
  if (waits) file->close();
  if (is_new) std::filesystem::remove(path, ignored);
  std::ostream& stream = *file;
  return Output(path, std::move(file), stream);
}

std::ostream& Output::stream() {
  if (file_ != nullptr && !file_->is_open()) file_->open(path_, kAnew);
  return *stream_;
}

tl::expected<void, std::string> Output::close() {
  std::ostream& out = stream();
  if (out) errno = 0;
  out.flush();
  if (file_ != nullptr) file_->close();
  if (!out) return tl::unexpected(cannot_write(path_));
  return {};
}

ExitCode print(const World& world, std::string_view text) {
  auto output = Output::open("-", world);
  errno = 0;
  output->stream() << text;
  if (const auto closed = output->close(); !closed) {
    fmt::print(world.err, "faultline: {}\n", closed.error());
    return ExitCode::kInputOutput;
  }
  return ExitCode::kDone;
}

}  // namespace faultline
