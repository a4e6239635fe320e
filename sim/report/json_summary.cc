#include "sim/report/json_summary.h"

namespace faultline {

using Json = nlohmann::ordered_json;

Json json_of(const Summary& summary) {
  return {{"mean", summary.mean}, {"ci95", {summary.ci95_low, summary.ci95_high}},
          {"p5", summary.p5},     {"p5_ci95", json_of(summary.p5_ci95)},
          {"p50", summary.p50},   {"p50_ci95", json_of(summary.p50_ci95)},
          {"p95", summary.p95},   {"p95_ci95", json_of(summary.p95_ci95)},
          {"n", summary.n}};
}

Json json_of(const Interval& interval) { return {interval.low, interval.high}; }

Json text_unless_empty(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

std::string json_text(const Json& json) {
  constexpr int kIndent = 2;
  return json.dump(kIndent, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace faultline
