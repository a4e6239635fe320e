// Writes a Chrome trace: the JSON that ui.perfetto.dev and chrome://tracing open.
//
//   {"displayTimeUnit":"ms","traceEvents":[
//   {"ph":"X","pid":3,"tid":18,"ts":12100000,"dur":600000000,"name":"tolerate","args":{...}}, ...]}
//
// One call writes one event, in any order of time: viewers sort. An arrow (`arrow_from`,
// `arrow_to`, joined by their number) sticks to the slice that is around it on its row; where both
// begin at the same time, the slice has to be written first. Times are microseconds with three
// decimals: exact.
//
// Source: "Trace Event Format", Google; Perfetto docs "Visualizing external trace formats".
// Errors: none; a failed stream shows in `finish`.
// Thread rule: one per stream.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <string>
#include <string_view>

#include "models/base/time.h"

namespace faultline {

class TraceEvents {
 public:
  struct Row {
    std::uint32_t process = 0;
    std::uint32_t thread = 0;
  };
  // Shown when the event is selected; left out when the value is empty.
  struct Detail {
    std::string_view key;
    std::string value;
  };
  using Details = std::initializer_list<Detail>;

  explicit TraceEvents(std::ostream& out);

  // Names; processes and rows are shown in the order of their numbers.
  void name_process(std::uint32_t process, std::string_view name);
  void name_row(Row row, std::string_view name);

  void slice(Row row, SimTime from, SimTime to, std::string_view name, Details details);
  void instant(Row row, SimTime at, std::string_view name, Details details);
  void counter(std::uint32_t process, SimTime at, std::string_view name, std::int64_t value);
  void arrow_from(Row row, SimTime at, std::uint32_t number);
  void arrow_to(Row row, SimTime at, std::uint32_t number);

  // The closing brackets. False if the stream failed at any time.
  [[nodiscard]] bool finish();

 private:
  void write(std::string_view members, Details details = {});

  std::ostream& out_;
  bool first_ = true;
};

}  // namespace faultline
