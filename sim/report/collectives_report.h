// What collectives cost on a scenario's fabric, as a document for a person and as JSON.
//
//   {"schema_version": 2, "tool": "faultline", "experiment": "collectives", "scenario": ..., "back_end": "analytic",
//    "fabric": {"topology", "nodes", "gpus_per_node", "efficiency"},
//    "faults": [{"part", "bandwidth", "extra_latency_seconds"}, ...],
//    "job": {"nodes", "reach": "untouched" | "slowed" | "cut", "bisection_bytes_per_second",
//            "healthy_bisection_bytes_per_second"},
//    "single_points_of_failure": [...],
//    "costs": [{"op", "bytes", "ranks", "algorithm", "protocol", "seconds", "latency_seconds",
//               "bus_bytes_per_second", "bottleneck", "healthy_seconds", "slowdown"}, ...]}
//
// Of a job that is cut, costs are null. A pure function of its argument.
//
// Thread rule: pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/collectives/collective.h"
#include "models/fleet/fabric_graph.h"
#include "sim/report/document.h"

namespace faultline {

struct CollectivesResults {
  struct Row {
    CollectiveOp op = CollectiveOp::kAllReduce;
    double bytes = 0;
    std::uint32_t ranks = 0;
    CollectiveCost healthy;
    std::optional<CollectiveCost> now;  // none: two ranks have no path
  };

  std::string scenario;
  std::string back_end;
  const Fabric& fabric;
  FabricState state;
  std::uint32_t nodes = 0;  // of the job
  JobVerdict verdict;
  double efficiency = 1;
  std::vector<std::string> single_points;
  std::vector<Row> rows;
};

Document collectives_report(const CollectivesResults& results);
std::string collectives_json(const CollectivesResults& results);

// "7.2ms", "155us", "1.25s": three digits.
std::string fine_duration(double seconds);

}  // namespace faultline
