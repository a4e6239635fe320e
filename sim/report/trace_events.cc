#include "sim/report/trace_events.h"

#include <fmt/format.h>

#include <ostream>

#include "sim/report/exact_seconds.h"
#include "sim/report/json_quoted.h"

namespace faultline {
namespace {

std::string timestamp(SimTime at) { return exact_microseconds(at.since_start()); }

}  // namespace

TraceEvents::TraceEvents(std::ostream& out) : out_(out) {
  out_ << R"({"displayTimeUnit":"ms","traceEvents":[)";
}

void TraceEvents::write(std::string_view members, Details details) {
  std::string args;
  for (const Detail& detail : details) {
    if (detail.value.empty()) continue;
    args += fmt::format("{}{}:{}", args.empty() ? "" : ",", json_quoted(detail.key),
                        json_quoted(detail.value));
  }
  out_ << (first_ ? "\n{" : ",\n{") << members;
  if (!args.empty()) out_ << R"(,"args":{)" << args << '}';
  out_ << '}';
  first_ = false;
}

void TraceEvents::name_process(std::uint32_t process, std::string_view name) {
  write(fmt::format(R"("ph":"M","pid":{},"name":"process_name","args":{{"name":{}}})", process,
                    json_quoted(name)));
  write(fmt::format(R"("ph":"M","pid":{0},"name":"process_sort_index","args":{{"sort_index":{0}}})",
                    process));
}

void TraceEvents::name_row(Row row, std::string_view name) {
  write(fmt::format(R"("ph":"M","pid":{},"tid":{},"name":"thread_name","args":{{"name":{}}})",
                    row.process, row.thread, json_quoted(name)));
  write(fmt::format(
      R"("ph":"M","pid":{},"tid":{},"name":"thread_sort_index","args":{{"sort_index":{}}})",
      row.process, row.thread, row.thread));
}

void TraceEvents::slice(Row row, SimTime from, SimTime to, std::string_view name, Details details) {
  write(fmt::format(R"("ph":"X","pid":{},"tid":{},"ts":{},"dur":{},"name":{})", row.process,
                    row.thread, timestamp(from), exact_microseconds(to - from), json_quoted(name)),
        details);
}

void TraceEvents::instant(Row row, SimTime at, std::string_view name, Details details) {
  write(fmt::format(R"("ph":"i","s":"t","pid":{},"tid":{},"ts":{},"name":{})", row.process,
                    row.thread, timestamp(at), json_quoted(name)),
        details);
}

void TraceEvents::counter(std::uint32_t process, SimTime at, std::string_view name,
                          std::int64_t value) {
  write(fmt::format(R"("ph":"C","pid":{},"ts":{},"name":{},"args":{{"nodes":{}}})", process,
                    timestamp(at), json_quoted(name), value));
}

void TraceEvents::arrow_from(Row row, SimTime at, std::uint32_t number) {
  write(fmt::format(R"("ph":"s","cat":"blame","name":"stops","id":{},"pid":{},"tid":{},"ts":{})",
                    number, row.process, row.thread, timestamp(at)));
}

void TraceEvents::arrow_to(Row row, SimTime at, std::uint32_t number) {
  write(fmt::format(
      R"("ph":"f","bp":"e","cat":"blame","name":"stops","id":{},"pid":{},"tid":{},"ts":{})", number,
      row.process, row.thread, timestamp(at)));
}

bool TraceEvents::finish() {
  out_ << "\n]}\n";
  out_.flush();
  return out_.good();
}

}  // namespace faultline
