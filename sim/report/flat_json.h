// One line of a journal as JSON sees it: an object of plain values, with numbers kept as they were
// written, so that no digit is lost in a double.
//
// Thread rule: values.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline {

class FlatJson {
 public:
  enum class Kind { kText, kNumber, kBool };
  struct Value {
    Kind kind = Kind::kText;
    std::string text;  // without quotes; the digits; "true" or "false"
  };

  // Nothing if the line is not one JSON object of texts, numbers and booleans.
  static std::optional<FlatJson> parse(std::string_view line);

  // The value of a key; null if there is none. Of equal keys, the first.
  const Value* find(std::string_view key) const;

 private:
  friend class FlatJsonBuilder;
  struct Member {
    std::string key;
    Value value;
  };
  std::vector<Member> members_;
};

}  // namespace faultline
