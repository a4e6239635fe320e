#include "sim/cli/output.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <cerrno>
#include <cstring>

namespace faultline {
namespace {

// The streams of the standard library keep no reason; errno has it right after the failure, or 0.
std::string cannot_write(const std::string& path) {
  const std::string reason = errno != 0 ? std::string(": ") + std::strerror(errno) : "";
  return path == "-" ? "cannot write to stdout" + reason
                     : fmt::format("cannot write to `{}`{}", path, reason);
}

}  // namespace

tl::expected<Output, std::string> Output::open(const std::string& path, const World& world) {
  if (path == "-") return Output(path, nullptr, world.out);
  errno = 0;
  auto file = std::make_unique<std::ofstream>(path, std::ios::binary | std::ios::trunc);
  if (!*file) return tl::unexpected(cannot_write(path));
  std::ostream& stream = *file;
  return Output(path, std::move(file), stream);
}

tl::expected<void, std::string> Output::close() {
  if (*stream_) errno = 0;
  stream_->flush();
  if (file_ != nullptr) file_->close();
  if (!*stream_) return tl::unexpected(cannot_write(path_));
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
