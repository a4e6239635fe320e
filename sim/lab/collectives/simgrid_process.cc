#include "sim/lab/collectives/simgrid_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

namespace faultline {
namespace {

tl::unexpected<std::string> cannot_start(const std::string& program, int error) {
  return tl::unexpected(fmt::format("cannot start `{}`: {}", program, std::strerror(error)));
}

}  // namespace

std::string SimGridProcess::program_beside_this() {
  std::error_code ignored;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", ignored);
  return (self.parent_path() / "faultline-simgrid").string();
}

tl::expected<SimGridProcess, std::string> SimGridProcess::start(const std::string& program,
                                                                const Fabric& fabric) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return cannot_start(program, errno);
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  std::string name = program;
  std::array<char*, 2> arguments{name.data(), nullptr};
  pid_t process = -1;
  const int error =
      posix_spawn(&process, program.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (error != 0) {
    close(ends[0]);
    return cannot_start(program, error);
  }
  SimGridProcess started(process, ends[0]);
  // (whether it is there to read this, the first question tells)
  static_cast<void>(started.send(fabric_line(fabric)));
  return started;
}

SimGridProcess::SimGridProcess(SimGridProcess&& other) noexcept
    : process_(std::exchange(other.process_, -1)),
      socket_(std::exchange(other.socket_, -1)),
      received_(std::move(other.received_)) {}

SimGridProcess::~SimGridProcess() {
  if (socket_ >= 0) close(socket_);
  if (process_ >= 0) waitpid(process_, nullptr, 0);
}

bool SimGridProcess::send(std::string_view line) {
  const std::string text = std::string(line) + "\n";
  std::string_view rest = text;
  while (!rest.empty()) {
    const ssize_t sent = ::send(socket_, rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    rest.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

tl::expected<std::vector<double>, std::string> SimGridProcess::ask(const SimGridRequest& request) {
  bool alive = send(request_line(request));
  std::array<char, 65536> buffer{};
  std::size_t end = received_.find('\n');
  while (alive && end == std::string::npos) {
    const ssize_t got = read(socket_, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    alive = got > 0;
    if (alive) received_.append(buffer.data(), static_cast<std::size_t>(got));
    end = received_.find('\n');
  }
  if (!alive) return tl::unexpected(std::string("the SimGrid process ended before it answered"));
  const std::string line = received_.substr(0, end);
  received_.erase(0, end + 1);
  return parse_answer_line(line);
}

}  // namespace faultline
