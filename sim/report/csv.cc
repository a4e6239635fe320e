#include "sim/report/csv.h"

#include <fmt/format.h>

#include <cmath>

namespace faultline {

std::string csv_text(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string csv_number(double value) {
  return std::isnan(value) ? std::string() : fmt::format("{}", value);
}

std::string csv_row(const std::vector<std::string>& fields) {
  std::string row;
  for (const std::string& field : fields) row += csv_text(field) + ",";
  if (!row.empty()) row.pop_back();
  return row + "\n";
}

std::string csv_summary_columns() { return "metric,mean,ci95_low,ci95_high,p5,p50,p95,n\n"; }

std::string csv_summary(std::string_view metric, const Summary& summary) {
  std::string row = csv_text(metric);
  for (const double value :
       {summary.mean, summary.ci95_low, summary.ci95_high, summary.p5, summary.p50, summary.p95}) {
    row += "," + csv_number(value);
  }
  return row + fmt::format(",{}\n", summary.n);
}

}  // namespace faultline
