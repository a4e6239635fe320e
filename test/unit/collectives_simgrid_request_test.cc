// The lines between faultline and its SimGrid process: they read back to the same, and what is
// malformed is refused.
#include "models/collectives/simgrid_request.h"

#include <gtest/gtest.h>

#include <limits>

namespace faultline {
namespace {

TEST(SimGridRequest, FabricsReadBack) {
  const FabricConfig config{.topology = FabricTopology::kThreeLayer,
                            .nodes_per_leaf = 2,
                            .spines = 16,
                            .oversubscription = 1.0 / 3,
                            .nic = {{12.5e9}, 1234_ns}};
  const Fabric fabric(config, 100, 8, 4);
  const auto again = parse_fabric_line(fabric_line(fabric));
  ASSERT_TRUE(again) << again.error();
  EXPECT_EQ(fabric_line(*again), fabric_line(fabric));
  EXPECT_EQ(again->bandwidth(ElementKind::kSpineUplink),
            fabric.bandwidth(ElementKind::kSpineUplink));
  EXPECT_EQ(again->latency(ElementKind::kNic), 1234e-9);
  EXPECT_EQ(again->elements(), fabric.elements());
}

SimGridRequest request_of(SimGridRequest::Kind kind) {
  SimGridRequest request{.kind = kind,
                         .state = FabricState({{ElementId(7), 0.1, 20_us}}),
                         .flows = {{1, 2, 300, 1.0 / 3}, {2, 1, 400, 0}}};
  if (kind == SimGridRequest::Kind::kFlows) return request;
  request.ring = 2;
  request.steps = 5;
  request.latency = {1e-6, 2e-6};
  if (kind == SimGridRequest::Kind::kRing) return request;
  request.enqueued = {0.5, 0.25};
  request.cable = ElementId(9);
  request.stops_at = 1;
  request.goes_on_at = std::numeric_limits<double>::infinity();
  request.timeout = 600;
  return request;
}

TEST(SimGridRequest, RequestsReadBack) {
  for (const auto kind :
       {SimGridRequest::Kind::kRing, SimGridRequest::Kind::kFlows, SimGridRequest::Kind::kStall}) {
    const std::string line = request_line(request_of(kind));
    const auto again = parse_request_line(line);
    ASSERT_TRUE(again) << again.error();
    EXPECT_EQ(request_line(*again), line);
    EXPECT_EQ(again->state, request_of(kind).state);
    EXPECT_EQ(again->flows[0].start, 1.0 / 3);
    EXPECT_EQ(again->goes_on_at, request_of(kind).goes_on_at);
    // Cut short, or with more at the end, it is none.
    EXPECT_FALSE(parse_request_line(line.substr(0, line.rfind(' '))));
    EXPECT_FALSE(parse_request_line(line + " 1"));
  }
}

TEST(SimGridRequest, MalformedLinesAreRefused) {
  for (const char* line : {"", "fly 0 0", "flows", "flows 0", "flows x 0", "flows 1000000 0",
                           "flows 0 18446744073709551615", "flows 0 1 1 2 -3 0", "ring 0 0 1"}) {
    EXPECT_FALSE(parse_request_line(line)) << line;
  }
  EXPECT_FALSE(parse_fabric_line(""));
  EXPECT_FALSE(parse_fabric_line("fabric 0 1 2"));
  EXPECT_FALSE(parse_answer_line(""));
  EXPECT_FALSE(parse_answer_line("seconds"));
  EXPECT_FALSE(parse_answer_line("seconds 1 x"));
  EXPECT_EQ(parse_answer_line(answer_line({0.1, 2}))->at(0), 0.1);
}

}  // namespace
}  // namespace faultline
