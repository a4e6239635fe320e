// Runs the real executable (FAULTLINE_BINARY) as a user would: arguments in, exit code and texts out.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace faultline::test {

// A folder that goes away with the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "faultline-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  std::string file(const std::string& name) const { return path_ + "/" + name; }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(file(name), std::ios::binary) << text;
    return file(name);
  }

 private:
  std::string path_;
};

inline std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

struct ProgramResult {
  int code = -1;  // exit code; negative: the signal that killed it
  std::string out;
  std::string err;
};

// A program that was started and not yet waited for.
class Program {
 public:
  // `out`: where stdout goes, in place of a file that is read afterwards.
  explicit Program(const std::vector<std::string>& arguments, const std::string& out = "") {
    const char* binary = std::getenv("FAULTLINE_BINARY");
    if (binary == nullptr) throw std::runtime_error("FAULTLINE_BINARY is not set");
    std::vector<std::string> words{binary};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const std::string out_path = out.empty() ? folder_.file("out") : out;
    const std::string err_path = folder_.file("err");
    pid_ = fork();
    if (pid_ == 0) {
      redirect(out_path, STDOUT_FILENO);
      redirect(err_path, STDERR_FILENO);
      execv(argv[0], argv.data());
      _exit(127);
    }
  }

  void send(int signal) const { kill(pid_, signal); }

  ProgramResult wait() {
    int status = 0;
    waitpid(pid_, &status, 0);
    return {.code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status),
            .out = read_file(folder_.file("out")),
            .err = read_file(folder_.file("err"))};
  }

 private:
  static void redirect(const std::string& path, int descriptor) {
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(file, descriptor);
    close(file);
  }

  TemporaryFolder folder_;
  pid_t pid_ = -1;
};

// Until a running program has written so many bytes to its result store.
inline void await_stored(const std::string& store, std::uintmax_t bytes) {
  std::error_code none;
  const auto written = [&] {
    const std::uintmax_t size = std::filesystem::file_size(store + "-wal", none);
    return none ? 0 : size;
  };
  while (written() < bytes) std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

inline ProgramResult faultline(const std::vector<std::string>& arguments,
                               const std::string& out = "") {
  return Program(arguments, out).wait();
}

}  // namespace faultline::test
