// Where a value in YAML's notation may be split: at characters that stand in no bracket and no quote.
//
//   OuterText outer;
//   for (const char c : "!law {a: 1, b: 2}, 5m") if (outer.holds(c) && c == ',') ...   // the second comma
//
// Thread rule: value.
#pragma once

namespace faultline {

class OuterText {
 public:
  // The next character: whether it stands outside. Brackets and quotes themselves do not.
  bool holds(char c) {
    if (quote_ != 0) {
      if (c == quote_) quote_ = 0;
      return false;
    }
    switch (c) {
      case '"':
      case '\'': quote_ = c; return false;
      case '{':
      case '[': ++depth_; return false;
      case '}':
      case ']': --depth_; return false;
      default: return depth_ <= 0;
    }
  }

 private:
  int depth_ = 0;
  char quote_ = 0;
};

}  // namespace faultline
