// A terminal for a program to write to, and what it wrote.
#pragma once

#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace faultline::test {

class Terminal {
 public:
  // It changes nothing of what is written to it: no carriage return before a line feed.
  Terminal() : reader_(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)) {
    if (reader_ < 0 || grantpt(reader_) != 0 || unlockpt(reader_) != 0) {
      throw std::runtime_error("no terminal");
    }
    path_ = ptsname(reader_);
    writer_ = open(path_.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
    termios mode{};
    tcgetattr(writer_, &mode);
    cfmakeraw(&mode);
    tcsetattr(writer_, TCSANOW, &mode);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal() {
    hand_over();
    close(reader_);
  }

  // What a program opens to write to it.
  const std::string& path() const { return path_; }

  // Only other processes write from now on; when the last one has ended, so has the text.
  void hand_over() {
    if (writer_ >= 0) close(writer_);
    writer_ = -1;
  }

  // Takes what is there now; whether there can be more.
  bool read() {
    std::array<char, 4096> buffer{};
    ssize_t got = 0;
    while ((got = ::read(reader_, buffer.data(), buffer.size())) > 0) {
      text_.append(buffer.data(), static_cast<std::size_t>(got));
    }
    return got < 0 && errno == EAGAIN;
  }

  const std::string& text() const { return text_; }

 private:
  int reader_ = -1;
  int writer_ = -1;
  std::string path_;
  std::string text_;
};

}  // namespace faultline::test
