// What is asked of the SimGrid process, as text: one request is one line of words.
//
//   fabric TOPOLOGY NODES GPUS NICS ...            the first line; no answer
//   ring   STATE FLOWS ring steps nvlink net       -> seconds
//   flows  STATE FLOWS                             -> seconds
//   stall  STATE FLOWS ring steps nvlink net ...   -> for each rank: seconds, 1 if it gave up
//
// STATE: count, then element, bandwidth and nanoseconds of each fault. FLOWS: count, then from, to,
// bytes and start of each. Numbers are written so that they read back to the same double.
//
// Thread rule: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/fleet/fabric_state.h"

namespace faultline {

struct SimFlow {
  GpuIndex from = 0;
  GpuIndex to = 0;
  std::uint64_t bytes = 0;
  double start = 0;  // seconds (flows only)
};

// What a step waits for besides its route.
struct SimLatency {
  double nvlink = 0;
  double net = 0;
};

struct SimGridRequest {
  enum class Kind { kRing, kFlows, kStall };
  Kind kind = Kind::kFlows;
  FabricState state;
  std::vector<SimFlow> flows;
  // kRing, kStall
  std::uint32_t ring = 0;
  std::int64_t steps = 0;
  SimLatency latency;
  // kStall
  std::vector<double> enqueued;
  ElementId cable;
  double stops_at = 0;
  double goes_on_at = 0;
  double timeout = 0;
};

std::string fabric_line(const Fabric& fabric);
Parsed<Fabric> parse_fabric_line(std::string_view line);

std::string request_line(const SimGridRequest& request);
// None of its numbers is checked against the fabric.
Parsed<SimGridRequest> parse_request_line(std::string_view line);

std::string answer_line(const std::vector<double>& numbers);
Parsed<std::vector<double>> parse_answer_line(std::string_view line);

}  // namespace faultline
