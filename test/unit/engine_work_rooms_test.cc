// The rooms of work: places, jobs, hangs, effects, placement. The control plane is a stand-in.
#include <gtest/gtest.h>

#include "models/base/check.h"
#include "sim/engine/effects.h"
#include "sim/engine/milestones.h"
#include "sim/engine/placement.h"
#include "test/support/room.h"

namespace faultline {
namespace {

struct AllHealthy final : NodeHealth {
  bool healthy(NodeId node) const override { return node.slot != sick; }
  NodeSlot sick;
};

struct WorkWorld : RoomWorld {
  explicit WorkWorld(const MicroWorld& world)
      : RoomWorld(world),
        holds(plan, kernel, standing, places, jobs),
        hangs(plan, kernel, active, draws, places, holds, jobs),
        speeds(plan, active, standing, places, parts, jobs),
        gangs(plan, kernel, standing, health, places, jobs, holds, speeds),
        effects(plan, kernel, active, draws, parts, jobs, holds, hangs, speeds),
        placement(plan, kernel, standing, health, places, jobs, holds, hangs, speeds, gangs),
        milestones(plan, kernel, places, jobs, hangs, gangs) {
    gangs.begin();
    milestones.begin();
    heard();
  }
  std::uint32_t begin(std::size_t fault_class, NodeSlot slot, SimTime clears = SimTime::never()) {
    const std::uint32_t fault = strike(fault_class, slot, clears);
    effects.begin(fault);
    return fault;
  }
  // The job's next milestone.
  void milestone() {
    while (kernel.next()->slot != kernel.layout().job(JobId(0))) {
    }
    milestones.fulfil(JobId(0));
  }
  TrainingJob::State state() const { return jobs.model(JobId(0)).state(); }

  AllHealthy health;
  Holds holds;
  Hangs hangs;
  Speeds speeds;
  Gangs gangs;
  Effects effects;
  Placement placement;
  Milestones milestones;
};

using State = TrainingJob::State;

TEST(Places, APlaceMovesAndTheSlotThatItLeavesStandsBy) {
  RoomWorld world(MicroWorld(3, 2));
  const auto any = [](NodeSlot) { return true; };
  EXPECT_EQ(world.places.last_idle(PoolId(0), any), NodeSlot(2));
  world.places.move(NodeSlot(1), NodeSlot(2));
  EXPECT_EQ(world.places.of(JobId(0)), (std::vector{NodeSlot(0), NodeSlot(2)}));
  EXPECT_EQ(world.places.share(NodeSlot(2)).rank, 1U);
  EXPECT_FALSE(world.places.job_on(NodeSlot(1)).valid());
  EXPECT_EQ(world.places.last_idle(PoolId(0), any), NodeSlot(1));
  world.places.begin();
  EXPECT_EQ(world.places.of(JobId(0)), (std::vector{NodeSlot(0), NodeSlot(1)}));
}

// A stop is told, the restart is expected (tear-down 15 s, back-off 10 s), and the faults of running jobs
// learn that its processes are gone.
TEST(Jobs, TheCalendarHoldsWhatTheJobExpects) {
  RoomWorld world(MicroWorld(1, 1));
  EXPECT_EQ(world.heard().size(), 0U);
  world.wait_until(10_min);
  world.jobs.stop(JobId(0), StopKind::kCrash, {.node = {}, .fault_class = {}}, 0_s, {});
  EXPECT_EQ(world.kernel.expected(world.kernel.layout().job(JobId(0))), at(clock(10, 25)));
  EXPECT_EQ(world.told<JobProgressed>().size(), 1U);
  const Heard heard = world.heard();
  ASSERT_EQ(heard.of<JobTurns>().size(), 1U);
  EXPECT_FALSE(heard.of<JobTurns>()[0].busy);
  EXPECT_EQ(world.jobs.newest(JobId(0)), world.journal.happenings.back().id);
}

TEST(Effects, ACrashThatStaysHoldsTheJobUntilItIsGone) {
  MicroWorld micro(2, 2);
  micro.fault("lost", FaultEffect::kCrash).fails_restart = true;
  WorkWorld world(micro);
  const std::uint32_t fault = world.begin(0, NodeSlot(1));
  EXPECT_EQ(world.state(), State::kDown);
  EXPECT_TRUE(world.holds.is_holding(NodeSlot(1)));
  world.effects.end({.fault = fault, .cleared = {}});
  EXPECT_FALSE(world.holds.is_holding(NodeSlot(1)));
}

// With its machine: what becomes of the hold is known when another one is ready.
TEST(Effects, AFaultThatGoesWithItsMachineReleasesNothing) {
  MicroWorld micro(2, 2);
  micro.fault("lost", FaultEffect::kCrash).fails_restart = true;
  WorkWorld world(micro);
  const std::uint32_t fault = world.begin(0, NodeSlot(1));
  world.effects.end({.fault = fault, .cleared = {}, .with_machine = true});
  EXPECT_TRUE(world.holds.is_holding(NodeSlot(1)));
  world.placement.node_ready({.node = world.standing.node(NodeSlot(1))});
  EXPECT_FALSE(world.holds.is_holding(NodeSlot(1)));
}

// Two hangs: the job waits for both, and goes on when the second is gone.
TEST(Hangs, AJobWaitsForEveryFaultThatHangsIt) {
  MicroWorld micro(2, 2);
  micro.fault("hang", FaultEffect::kHang);
  WorkWorld world(micro);
  const std::uint32_t first = world.begin(0, NodeSlot(0), at(5_min));
  const std::uint32_t second = world.begin(0, NodeSlot(1), at(5_min));
  EXPECT_EQ(world.state(), State::kStalled);
  EXPECT_EQ(world.kernel.expected(world.kernel.layout().job(JobId(0))), at(10_min));
  world.effects.end({.fault = first, .cleared = {}});
  EXPECT_EQ(world.state(), State::kStalled);
  world.effects.end({.fault = second, .cleared = {}});
  EXPECT_EQ(world.state(), State::kRunning);
  EXPECT_EQ(world.told<JobUnstalled>().size(), 1U);
}

// The worked example of hangs.h: the repair only ends the hang, which is the interruption.
TEST(Hangs, ARepairThatTakesANodeFromAHungJobOnlyEndsTheHang) {
  MicroWorld micro(2, 2);
  micro.fault("hang", FaultEffect::kHang);
  WorkWorld world(micro);
  world.wait_until(100_s);
  const std::uint32_t fault = world.begin(0, NodeSlot(0));
  world.wait_until(400_s);
  world.standing.touch(NodeSlot(1)).leaving = true;
  world.placement.node_emptied({.node = world.standing.node(NodeSlot(1)), .leaves = true});
  const auto stopped = world.told<JobInterrupted>();
  ASSERT_EQ(stopped.size(), 1U);
  EXPECT_EQ(stopped[0].what.kind, StopKind::kDrain);
  EXPECT_EQ(stopped[0].what.fault_class, FaultClassId(0));
  EXPECT_FALSE(world.hangs.hangs(fault));
}

TEST(Hangs, AJobOwnHangIsOverWithTheRestart) {
  MicroWorld micro(1, 1);
  micro.job_fault("hang", FaultEffect::kHang, 1_h);
  WorkWorld world(micro);
  const std::uint32_t fault = world.active.add({.id = FaultId(0),
                                                .fault_class = FaultClassId(0),
                                                .node = {},
                                                .job = JobId(0),
                                                .clears = SimTime::never()});
  world.effects.begin(fault);
  EXPECT_EQ(world.heard().size(), 0U);  // it lasts
  world.milestone();                    // the watchdog, after 600 s
  EXPECT_EQ(world.kernel.now(), at(10_min));
  EXPECT_EQ(world.state(), State::kDown);
  ASSERT_EQ(world.heard().of<FaultDropped>().size(), 1U);
}

// The worked example of placement.h.
TEST(Placement, APlaceMovesToASpareThatIsFitAndHealthy) {
  WorkWorld world(MicroWorld(4, 2));
  world.health.sick = NodeSlot(2);
  world.standing.touch(NodeSlot(1)).leaving = true;
  world.placement.node_emptied({.node = world.standing.node(NodeSlot(1)), .leaves = true});
  EXPECT_EQ(world.places.of(JobId(0)), (std::vector{NodeSlot(0), NodeSlot(3)}));
  EXPECT_FALSE(world.jobs.model(JobId(0)).held());
  EXPECT_EQ(world.told<PlaceTaken>().size(), 1U);
}

// No spare is healthy: the job waits, and moves to the one that is healthy first.
TEST(Placement, ASpareThatIsHealthyAgainServesAJobThatWaits) {
  WorkWorld world(MicroWorld(3, 2));
  world.health.sick = NodeSlot(2);
  world.standing.touch(NodeSlot(1)).leaving = true;
  world.placement.node_emptied({.node = world.standing.node(NodeSlot(1)), .leaves = true});
  EXPECT_TRUE(world.jobs.model(JobId(0)).held());
  world.placement.conditions_changed(world.standing.node(NodeSlot(2)));
  EXPECT_TRUE(world.told<PlaceTaken>().empty());
  world.health.sick = {};
  world.placement.conditions_changed(world.standing.node(NodeSlot(2)));
  EXPECT_EQ(world.told<PlaceTaken>().size(), 1U);
  EXPECT_FALSE(world.jobs.model(JobId(0)).held());
}

// A pod that is evicted from a node that stays stops its job, once.
TEST(Placement, AnEvictedPodStopsItsJob) {
  WorkWorld world(MicroWorld(1, 1));
  const NodeId node = world.standing.node(NodeSlot(0));
  world.placement.evicted(node);
  EXPECT_EQ(world.state(), State::kDown);
  world.placement.evicted(node);
  ASSERT_EQ(world.told<JobInterrupted>().size(), 1U);
  EXPECT_EQ(world.told<JobInterrupted>()[0].what.kind, StopKind::kEvicted);
}

TEST(Milestones, TheRunIsOverWhenEveryJobIsDone) {
  MicroWorld micro(1, 1);
  micro.job().work = 1200_s;
  WorkWorld world(micro);
  world.milestone();
  EXPECT_EQ(world.state(), State::kDone);
  EXPECT_FALSE(world.places.job_on(NodeSlot(0)).valid());
  EXPECT_TRUE(world.places.is_done(JobId(0)));
  EXPECT_FALSE(world.kernel.next());
}

}  // namespace
}  // namespace faultline
