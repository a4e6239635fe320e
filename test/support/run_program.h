// Runs the real executable (FAULTLINE_BINARY) as a user would: arguments in, exit code and texts out.
//
// A test of a program at work waits for what it needs to see (`Program::await`), never for a time: how fast the
// machine is, and what else it does, must not decide.
#pragma once

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <regex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "test/support/temporary_folder.h"
#include "test/support/terminal.h"

namespace faultline::test {

struct ProgramResult {
  int code = -1;  // exit code; negative: the signal that killed it
  std::string out;
  std::string err;
};

// A program that was started. What was not waited for is killed, as it is when the test itself is.
class Program {
 public:
  enum class Err { kFile, kTerminal };

  // `out`: where stdout goes, in place of a file that is read afterwards. On a terminal, stderr has the progress.
  explicit Program(const std::vector<std::string>& arguments, const std::string& out = "",
                   Err err = Err::kFile) {
    const char* binary = std::getenv("FAULTLINE_BINARY");
    if (binary == nullptr) throw std::runtime_error("FAULTLINE_BINARY is not set");
    std::vector<std::string> words{binary};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const std::string out_path = out.empty() ? folder_.file("out") : out;
    if (err == Err::kTerminal) terminal_.emplace();
    const std::string err_path = terminal_ ? terminal_->path() : folder_.file("err");
    pid_ = fork();
    if (pid_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      redirect(out_path, STDOUT_FILENO);
      redirect(err_path, STDERR_FILENO);
      execv(argv[0], argv.data());
      _exit(127);
    }
    if (terminal_) terminal_->hand_over();
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() {
    if (pid_ < 0) return;
    send(SIGKILL);
    waitpid(pid_, nullptr, 0);
  }

  void send(int signal) const { kill(pid_, signal); }

  ProgramResult wait() {
    while (terminal_ && terminal_->read()) std::this_thread::sleep_for(kPause);
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = -1;
    return {.code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status),
            .out = read_file(folder_.file("out")),
            .err = err()};
  }

  // Of somebody who presses Ctrl-C (or sends another signal) again and again until it ends.
  ProgramResult wait_sending(int signal) {
    for (; !has_ended(); std::this_thread::sleep_for(std::chrono::milliseconds(100))) send(signal);
    return wait();
  }

  // Until `fact()`. A program that ends before, or a fact that never comes, fails the test.
  template <class Fact>
  void await(const std::string& what, Fact fact) {
    constexpr std::chrono::minutes kSafetyNet{15};
    const auto end = std::chrono::steady_clock::now() + kSafetyNet;
    // (In this order: what an ended program left behind counts.)
    for (bool over = false; !fact(); over = has_ended()) {
      if (over || std::chrono::steady_clock::now() > end) {
        throw std::runtime_error((over ? "ended before " : "waited in vain for: ") + what + "\n" +
                                 err());
      }
      std::this_thread::sleep_for(kPause);
    }
  }

  // Ctrl-C ends it early, from now on: SIGINT is blocked, and a thread waits for it.
  void await_interruptible() {
    await("it listens to Ctrl-C", [&] {
      const std::string status = read_file("/proc/" + std::to_string(pid_) + "/status");
      const std::size_t blocked = status.find("SigBlk:");
      return blocked != std::string::npos &&
             (std::stoull(status.substr(blocked + 7), nullptr, 16) >> (SIGINT - 1) & 1U) != 0;
    });
  }

  // Its progress says that so many replications are finished. Needs a terminal.
  void await_finished(int replications) {
    await("so many replications are finished: " + std::to_string(replications),
          [&] { return progress() >= replications; });
  }

  // It has worked so long, whatever else the machine did.
  void await_work(std::chrono::duration<double> cpu) {
    clockid_t clock{};
    clock_getcpuclockid(pid_, &clock);
    await("it has worked for " + std::to_string(cpu.count()) + " s", [&] {
      timespec spent{};
      clock_gettime(clock, &spent);
      return static_cast<double>(spent.tv_sec) + 1e-9 * static_cast<double>(spent.tv_nsec) >=
             cpu.count();
    });
  }

 private:
  static constexpr std::chrono::milliseconds kPause{5};

  static void redirect(const std::string& path, int descriptor) {
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOCTTY, 0600);
    dup2(file, descriptor);
    close(file);
  }

  std::string err() {
    if (!terminal_) return read_file(folder_.file("err"));
    terminal_->read();
    return terminal_->text();
  }

  // The last "12 of 100 replications" on the terminal; 0 before the first.
  int progress() {
    static const std::regex kLine("([0-9]+) of [0-9]+ replications, ");
    const std::string text = err();
    int finished = 0;
    for (std::sregex_iterator at(text.begin(), text.end(), kLine), end; at != end; ++at) {
      finished = std::stoi((*at)[1]);
    }
    return finished;
  }

  bool has_ended() const {
    siginfo_t ended{};
    waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT);
    return ended.si_pid == pid_;
  }

  TemporaryFolder folder_;
  pid_t pid_ = -1;
  std::optional<Terminal> terminal_;
};

inline ProgramResult faultline(const std::vector<std::string>& arguments,
                               const std::string& out = "") {
  return Program(arguments, out).wait();
}

}  // namespace faultline::test
