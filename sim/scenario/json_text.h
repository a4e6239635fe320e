// Writes JSON text, indented, member by member. Just enough for the schema.
//
// Thread rule: one writer per text.
#pragma once

#include <string>
#include <string_view>

namespace faultline {

class JsonText {
 public:
  JsonText& open_object() { return open('{'); }
  JsonText& close_object() { return close('}'); }
  JsonText& open_array() { return open('['); }
  JsonText& close_array() { return close(']'); }
  JsonText& key(std::string_view name);
  JsonText& text(std::string_view value);   // quoted and escaped
  JsonText& plain(std::string_view value);  // a number, true, false
  const std::string& result() const { return out_; }

 private:
  JsonText& open(char bracket);
  JsonText& close(char bracket);
  void begin_value();
  void new_line();

  std::string out_;
  std::size_t depth_ = 0;
  bool first_ = true;  // nothing yet inside the open bracket
  bool after_key_ = false;
};

}  // namespace faultline
