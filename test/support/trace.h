// Reads a timeline back, for tests.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/engine/plan.h"
#include "sim/engine/simulation.h"
#include "sim/report/timeline.h"

namespace faultline::trace {

using Json = nlohmann::json;
using Row = std::pair<std::int64_t, std::int64_t>;  // pid, tid

inline Json timeline_of(const Scenario& scenario, std::uint32_t replication = 0) {
  const SimulationPlan plan(scenario);
  std::ostringstream out;
  TimelineWriter writer(plan, out);
  Simulation(plan).run(RandomSource(7, replication), writer);
  EXPECT_TRUE(writer.finish());
  return Json::parse(out.str());
}

inline std::vector<Json> events_of(const Json& trace, const std::string& phase) {
  std::vector<Json> events;
  for (const Json& event : trace["traceEvents"]) {
    if (event["ph"] == phase) events.push_back(event);
  }
  return events;
}

inline Row row_of(const Json& event) {
  return {event["pid"].get<std::int64_t>(), event["tid"].get<std::int64_t>()};
}

// Microseconds with three decimals, as whole nanoseconds.
inline std::int64_t ns(const Json& microseconds) {
  return std::llround(microseconds.get<double>() * 1000);
}

// The number of the process or row with that name.
inline std::int64_t process(const Json& trace, const std::string& name) {
  for (const Json& event : events_of(trace, "M")) {
    if (event["name"] == "process_name" && event["args"]["name"] == name) return event["pid"];
  }
  return -1;
}
inline Row row(const Json& trace, const std::string& name) {
  for (const Json& event : events_of(trace, "M")) {
    if (event["name"] == "thread_name" && event["args"]["name"] == name) return row_of(event);
  }
  return {-1, -1};
}

// (name, from s, length s) of the slices on a row, in order of time.
using Slice = std::tuple<std::string, double, double>;
inline std::vector<Slice> slices_on(const Json& trace, const std::string& name) {
  const Row wanted = row(trace, name);
  std::vector<Slice> slices;
  for (const Json& event : events_of(trace, "X")) {
    if (row_of(event) != wanted) continue;
    slices.emplace_back(event["name"], event["ts"].get<double>() / 1e6,
                        event["dur"].get<double>() / 1e6);
  }
  std::stable_sort(slices.begin(), slices.end(),
                   [](const Slice& a, const Slice& b) { return std::get<1>(a) < std::get<1>(b); });
  return slices;
}

}  // namespace faultline::trace
