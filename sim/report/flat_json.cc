#include "sim/report/flat_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace faultline {

// Receives what the parser sees; `false` stops it.
class FlatJsonBuilder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit FlatJsonBuilder(FlatJson& built) : members_(built.members_) {}

  bool start_object(std::size_t) override { return depth_++ == 0; }
  bool end_object() override { return true; }
  bool key(string_t& name) override {
    members_.push_back({.key = std::move(name), .value = {}});
    return true;
  }
  bool boolean(bool value) override {
    return take(FlatJson::Kind::kBool, value ? "true" : "false");
  }
  bool number_integer(number_integer_t value) override {
    return take(FlatJson::Kind::kNumber, std::to_string(value));
  }
  bool number_unsigned(number_unsigned_t value) override {
    return take(FlatJson::Kind::kNumber, std::to_string(value));
  }
  bool number_float(number_float_t, const string_t& digits) override {
    return take(FlatJson::Kind::kNumber, digits);
  }
  bool string(string_t& value) override { return take(FlatJson::Kind::kText, std::move(value)); }
  bool null() override { return false; }
  bool binary(binary_t&) override { return false; }
  bool start_array(std::size_t) override { return false; }
  bool end_array() override { return false; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override {
    return false;
  }

 private:
  bool take(FlatJson::Kind kind, std::string text) {
    if (members_.empty()) return false;  // a bare value, not an object
    members_.back().value = {.kind = kind, .text = std::move(text)};
    return true;
  }

  std::vector<FlatJson::Member>& members_;
  int depth_ = 0;
};

std::optional<FlatJson> FlatJson::parse(std::string_view line) {
  FlatJson parsed;
  FlatJsonBuilder builder(parsed);
  if (!nlohmann::json::sax_parse(line.begin(), line.end(), &builder)) return std::nullopt;
  return parsed;
}

const FlatJson::Value* FlatJson::find(std::string_view key) const {
  const auto found = std::find_if(members_.begin(), members_.end(),
                                  [&](const Member& member) { return member.key == key; });
  return found == members_.end() ? nullptr : &found->value;
}

}  // namespace faultline
