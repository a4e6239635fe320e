#include "sim/scenario/json_text.h"

#include <fmt/format.h>

namespace faultline {
namespace {

std::string escaped(std::string_view value) {
  std::string result = "\"";
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (byte < 0x20) {
      result += fmt::format("\\u{:04x}", byte);
    } else {
      result += c;
    }
  }
  return result + '"';
}

}  // namespace

void JsonText::new_line() { out_.append("\n").append(2 * depth_, ' '); }

void JsonText::begin_value() {
  if (!after_key_) {
    if (!first_) out_ += ",";
    if (depth_ > 0) new_line();
  }
  after_key_ = false;
  first_ = false;
}

JsonText& JsonText::open(char bracket) {
  begin_value();
  out_ += bracket;
  ++depth_;
  first_ = true;
  return *this;
}

JsonText& JsonText::close(char bracket) {
  --depth_;
  if (!first_) new_line();
  out_ += bracket;
  first_ = false;
  return *this;
}

JsonText& JsonText::key(std::string_view name) {
  begin_value();
  out_ += escaped(name) + ": ";
  after_key_ = true;
  return *this;
}

JsonText& JsonText::text(std::string_view value) {
  begin_value();
  out_ += escaped(value);
  return *this;
}

JsonText& JsonText::plain(std::string_view value) {
  begin_value();
  out_ += value;
  return *this;
}

}  // namespace faultline
