// The SimGrid process: reads requests from its input, writes answers to its output (simgrid_request.h), and
// ends with its input. It is started by sim/lab/collectives/simgrid_oracle.h, and can be talked to by hand.
#include <cstdio>
#include <exception>
#include <iostream>
#include <string>

#include "models/collectives/simgrid/network.h"

namespace faultline {
namespace {

std::vector<double> answer(SimGridNetwork& network, const SimGridRequest& request) {
  switch (request.kind) {
    case SimGridRequest::Kind::kRing:
      return {network.ring_seconds(request.state, request.flows, request.ring, request.steps,
                                   request.latency)};
    case SimGridRequest::Kind::kFlows: return {network.flow_seconds(request.state, request.flows)};
    case SimGridRequest::Kind::kStall: break;
  }
  std::vector<double> numbers;
  for (const SimGridNetwork::RankEnd& end :
       network.stalled_ring(request.flows, request.steps, request.latency, request.enqueued,
                            request.cable, request.stops_at, request.goes_on_at, request.timeout)) {
    numbers.push_back(end.seconds);
    numbers.push_back(end.timed_out ? 1 : 0);
  }
  return numbers;
}

}  // namespace
}  // namespace faultline

int main() {
  using namespace faultline;
  std::ios::sync_with_stdio(false);
  std::string line;
  if (!std::getline(std::cin, line)) return 0;
  const auto fabric = parse_fabric_line(line);
  if (!fabric) {
    std::cerr << "faultline-simgrid: " << fabric.error() << "\n";
    return 2;
  }
  try {
    SimGridNetwork network(*fabric);
    while (std::getline(std::cin, line)) {
      const auto request = parse_request_line(line);
      if (!request) {
        std::cerr << "faultline-simgrid: " << request.error() << "\n";
        return 2;
      }
      std::cout << answer_line(answer(network, *request)) << std::endl;
    }
  } catch (const std::exception& error) {
    std::cerr << "faultline-simgrid: " << error.what() << "\n";
    return 70;
  }
  return 0;
}
