// The timeline's slices, by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "sim/engine/plan.h"
#include "sim/report/timeline.h"
#include "test/support/micro_world.h"
#include "test/support/trace.h"

namespace faultline {
namespace {

using namespace trace;  // NOLINT(google-build-using-namespace)

// The node is struck at 25:00 and seen after 3 s; window 600 s, drain 5 s, replacement 91 s later:
// 11:39. The job stops at once, waits for all of this, and restarts in 95 s.
TEST(Timeline, ACrashFromTheFaultToTheFirstStep) {
  MicroWorld world(2, 2);
  world.push().delay = fixed(3_s);
  world.fault("lost", FaultEffect::kCrash, 25_min, 1).signals = {signal("GpuLost")};
  const Json trace = timeline_of(world.scenario);
  EXPECT_EQ(slices_on(trace, "train-1"), (std::vector<Slice>{{"detect", 1500, 3},
                                                             {"tolerate", 1503, 600},
                                                             {"drain", 2103, 5},
                                                             {"provision", 2108, 91}}));
  EXPECT_EQ(slices_on(trace, "job"), (std::vector<Slice>{{"running", 0, 1500},
                                                         {"down: detect", 1500, 3},
                                                         {"down: tolerate", 1503, 600},
                                                         {"down: drain", 2103, 5},
                                                         {"down: provision", 2108, 91},
                                                         {"restarting", 2199, 95},
                                                         {"running", 2294, 4906}}));
  EXPECT_EQ(row(trace, "train-0"), (Row{-1, -1}));  // nothing happened to it
  EXPECT_EQ(row(trace, "train-1").first, process(trace, "pool train"));

  const std::vector<Json> begins = events_of(trace, "s");
  const std::vector<Json> ends = events_of(trace, "f");
  ASSERT_EQ(begins.size(), 1U);
  ASSERT_EQ(ends.size(), 1U);
  EXPECT_EQ(row_of(begins[0]), row(trace, "train-1"));
  EXPECT_EQ(row_of(ends[0]), row(trace, "job"));
  EXPECT_EQ(begins[0]["ts"], 1500e6);

  const auto tolerate = [](const Json& event) { return event["name"] == "tolerate"; };
  const std::vector<Json> slices = events_of(trace, "X");
  const Json args = std::find_if(slices.begin(), slices.end(), tolerate)->at("args");
  EXPECT_EQ(args, Json({{"node", "train-1"}, {"class", "lost"}, {"reason", "GpuLost"}}));

  // Unhealthy from the condition to the replacement; missing from the drain on.
  std::vector<std::tuple<std::string, double, int>> counters;
  for (const Json& event : events_of(trace, "C")) {
    counters.emplace_back(event["name"], event["ts"].get<double>() / 1e6, event["args"]["nodes"]);
  }
  EXPECT_EQ(counters,
            (std::vector<std::tuple<std::string, double, int>>{{"unhealthy nodes", 0, 0},
                                                               {"spares in use", 0, 0},
                                                               {"nodes missing", 0, 0},
                                                               {"unhealthy nodes", 1503, 1},
                                                               {"nodes missing", 2108, 1},
                                                               {"unhealthy nodes", 2199, 0},
                                                               {"nodes missing", 2199, 0}}));
}

TEST(Timeline, AFaultThatNobodyReports) {
  MicroWorld world(2, 1);
  world.fault("spark", FaultEffect::kNone, 10_min, 1).clears = fixed(2_min);
  EXPECT_EQ(slices_on(timeline_of(world.scenario), "train-1"),
            (std::vector<Slice>{{"fault", 600, 120}}));
}

TEST(Timeline, AStallThatEndsByItself) {
  MicroWorld world;
  world.fault("flap", FaultEffect::kHang, 25_min, 0).clears = fixed(3_min);
  EXPECT_EQ(
      slices_on(timeline_of(world.scenario), "job"),
      (std::vector<Slice>{{"running", 0, 1500}, {"stalled", 1500, 180}, {"running", 1680, 5520}}));
}

// No policy acts on the condition: what is open is closed at the horizon.
TEST(Timeline, WhatIsOpenAtTheEnd) {
  MicroWorld world(1, 1, 1_h);
  world.karpenter().tolerations = {};
  world.fault("lost", FaultEffect::kCrash, 25_min, 0).signals = {signal("GpuLost")};
  const Json trace = timeline_of(world.scenario);
  EXPECT_EQ(slices_on(trace, "train-0"), (std::vector<Slice>{{"tolerate", 1500, 2100}}));
  EXPECT_EQ(slices_on(trace, "job"),
            (std::vector<Slice>{{"running", 0, 1500}, {"down: tolerate", 1500, 2100}}));
}

TEST(Timeline, RefusalsOfTheGateAreInstants) {
  MicroWorld world(2, 1, 1_h);
  world.karpenter().gate = Gate{Gate::Kind::kCount, 0};
  world.fault("lost", FaultEffect::kCrash, 25_min, 1).signals = {signal("GpuLost")};
  const Json trace = timeline_of(world.scenario);
  const std::vector<Json> refusals = events_of(trace, "i");
  ASSERT_EQ(refusals.size(), 1U);  // from 35:00 on; a gate that stays shut is told once
  EXPECT_EQ(refusals[0]["ts"], 2100e6);
  EXPECT_EQ(refusals[0]["args"], Json({{"unhealthy", "1"}, {"allowed", "0"}, {"total", "2"}}));
  EXPECT_EQ(slices_on(trace, "train-1"),
            (std::vector<Slice>{{"tolerate", 1500, 600}, {"gate", 2100, 1500}}));
}

// A fault that is over at once (a restart mends it) is a slice without length, and the arrow begins
// there.
TEST(Timeline, AFaultThatIsOverAtOnce) {
  MicroWorld world;
  world.fault("bug", FaultEffect::kCrash, 25_min, 0);
  const SimulationPlan plan(world.scenario);
  std::ostringstream out;
  TimelineWriter writer(plan, out);
  const NodeId node{NodeSlot(0)};
  const FaultClassId bug(0);
  const SimTime struck = at(25_min);
  std::uint32_t id = 0;
  const auto write = [&](SimTime time, const Happening::What& what) {
    writer.on({.time = time, .id = HappeningId(id++), .cause = {}, .what = what});
  };
  write(struck,
        FaultStruck{.fault = FaultId(0), .fault_class = bug, .node = node, .job = JobId(0)});
  write(struck,
        JobInterrupted{.job = JobId(0), .node = node, .fault_class = bug, .work_lost = 0_s});
  write(struck,
        FaultCleared{.fault = FaultId(0), .fault_class = bug, .node = node, .job = JobId(0)});
  write(struck + 25_s, JobRestarting{.job = JobId(0)});
  write(struck + 2_min, JobResumed{.job = JobId(0)});
  write(at(2_h), RunEnded{});
  ASSERT_TRUE(writer.finish());
  const Json trace = Json::parse(out.str());
  EXPECT_EQ(slices_on(trace, "train-0"), (std::vector<Slice>{{"fault", 1500, 0}}));
  EXPECT_EQ(slices_on(trace, "job"), (std::vector<Slice>{{"running", 0, 1500},
                                                         {"down: restart", 1500, 25},
                                                         {"restarting", 1525, 95},
                                                         {"running", 1620, 5580}}));
  ASSERT_EQ(events_of(trace, "s").size(), 1U);
  EXPECT_EQ(row_of(events_of(trace, "s")[0]), row(trace, "train-0"));
}

TEST(Timeline, TellsThatTheStreamFailed) {
  const MicroWorld world;
  const SimulationPlan plan(world.scenario);
  std::ostringstream out;
  TimelineWriter writer(plan, out);
  out.setstate(std::ios::badbit);
  EXPECT_FALSE(writer.finish());
}

}  // namespace
}  // namespace faultline
