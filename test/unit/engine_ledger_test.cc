// The ledger alone, on hand-made happenings: phases of a node, blame along the critical path.
#include <gtest/gtest.h>

#include "sim/engine/ledger.h"
#include "test/support/micro_world.h"

namespace faultline {
namespace {

class LedgerStory : public testing::Test {
 protected:
  LedgerStory() { ledger.begin(); }

  void say(Duration time, Happening::What what) {
    const HappeningId id(next++);
    ledger.on({.time = at(time), .id = id, .cause = {}, .what = std::move(what)});
  }
  static NodeId node(int slot, std::uint32_t generation = 0) {
    return {NodeSlot(slot), generation};
  }
  static JobProgressed progress(Duration work) {
    return {.job = JobId(0), .work = work, .straggler = {}, .noise = {}, .checkpoint = {}};
  }
  void crash(Duration time, int slot, bool down) {
    say(time, FaultStruck{.fault = FaultId(next),
                          .fault_class = FaultClassId(0),
                          .node = node(slot),
                          .job = JobId(0)});
    say(time, JobInterrupted{.job = JobId(0), .node = node(slot), .already_down = down});
    say(time, JobHeld{.job = JobId(0), .node = node(slot)});
  }
  void condition(Duration time, int slot, ConditionStatus status) {
    say(time, ConditionChanged{.node = node(slot), .condition = ConditionId(1), .status = status});
  }
  void replaced(Duration decided, Duration drained, Duration ready, int slot) {
    say(decided, RepairDecided{.node = node(slot)});
    say(drained, NodeDrained{node(slot)});
    say(ready, NodeJoined{node(slot, 1)});
    say(ready, JobReleased{.job = JobId(0), .node = node(slot, 1)});
  }
  Charged accounts() { return charged(ledger.accounts(JobId(0))); }

  Ledger ledger{1, 4};
  std::uint32_t next = 0;
};

// The worked example of ledger.h, in order of time: A (0 to 12 min) and B (5 to 17 min).
TEST_F(LedgerStory, WorkedExample) {
  crash(0_s, 0, false);
  condition(1_min, 0, ConditionStatus::kFalse);
  crash(5_min, 1, true);
  condition(7_min, 1, ConditionStatus::kFalse);
  replaced(10_min, 10_min, 12_min, 0);
  replaced(15_min, 16_min, 17_min, 1);
  say(17_min, JobRestarting{.job = JobId(0)});
  say(19_min, JobResumed{.job = JobId(0)});
  say(20_min, progress(1_min));
  say(20_min, RunEnded{});
  // A: [0, 5] = detect 1, tolerate 4. B: detect 2, tolerate 8, drain 1, provision 1.
  EXPECT_EQ(accounts(), charged({{Account::kDetect, 3_min},
                                 {Account::kTolerate, 12_min},
                                 {Account::kDrain, 1_min},
                                 {Account::kProvision, 1_min},
                                 {Account::kRestart, 2_min},
                                 {Account::kProductive, 1_min}}));
}

// Three holds in a row: of the holds that cover an instant, the one that ends last answers, also if
// it began first.
TEST_F(LedgerStory, LongHoldCoversShortOnes) {
  crash(0_s, 0, false);
  crash(2_min, 1, true);
  say(3_min, FaultCleared{.fault = FaultId(3), .node = node(1), .job = JobId(0)});
  say(3_min, JobReleased{.job = JobId(0), .node = node(1)});
  crash(4_min, 2, true);
  condition(4_min, 2, ConditionStatus::kFalse);
  replaced(5_min, 6_min, 7_min, 2);
  condition(8_min, 0, ConditionStatus::kFalse);
  replaced(9_min, 9_min, 10_min, 0);
  say(10_min, JobRestarting{.job = JobId(0)});
  say(10_min, RunEnded{});
  EXPECT_EQ(accounts(), charged({{Account::kDetect, 8_min},
                                 {Account::kTolerate, 1_min},
                                 {Account::kProvision, 1_min}}));
}

TEST_F(LedgerStory, GateAndRecoveryOfACondition) {
  crash(0_s, 0, false);
  condition(1_min, 0, ConditionStatus::kFalse);
  say(2_min, RepairBlocked{.node = node(0)});
  say(3_min, RepairBlocked{.node = node(0)});
  condition(4_min, 0, ConditionStatus::kTrue);  // the alarm is over, the fault is not
  condition(6_min, 0, ConditionStatus::kFalse);
  replaced(7_min, 8_min, 9_min, 0);
  say(9_min, JobRestarting{.job = JobId(0)});
  say(9_min, RunEnded{});
  // Unseen again from 4 to 6.
  EXPECT_EQ(accounts(), charged({{Account::kDetect, 3_min},
                                 {Account::kTolerate, 2_min},
                                 {Account::kGate, 2_min},
                                 {Account::kDrain, 1_min},
                                 {Account::kProvision, 1_min}}));
}

// What was lost moves from productive to redo; a stall is charged when it ends.
TEST_F(LedgerStory, LostWorkAndStalls) {
  say(10_min, progress(10_min));
  say(10_min, JobStalled{.job = JobId(0)});
  say(13_min, JobUnstalled{.job = JobId(0)});
  say(14_min, progress(1_min));
  say(14_min, JobStalled{.job = JobId(0)});
  say(15_min, JobInterrupted{.job = JobId(0), .kind = StopKind::kWatchdog, .work_lost = 4_min});
  say(16_min, JobRestarting{.job = JobId(0)});
  say(18_min, RunEnded{});
  EXPECT_EQ(accounts(), charged({{Account::kProductive, 7_min},
                                 {Account::kRedo, 4_min},
                                 {Account::kHang, 4_min},
                                 {Account::kRestart, 3_min}}));
}

// A second run starts from nothing, also for the nodes of the first.
TEST_F(LedgerStory, BeginsAnew) {
  crash(0_s, 0, false);
  condition(0_s, 0, ConditionStatus::kFalse);
  say(1_min, RunEnded{});
  ledger.begin();
  crash(0_s, 0, false);
  say(1_min, RunEnded{});
  EXPECT_EQ(accounts(), charged({{Account::kDetect, 1_min}}));
}

// Time that is in no account, or in two, is our bug and not a number.
TEST_F(LedgerStory, AccountsThatDoNotSumAreRefused) {
  say(10_min, progress(9_min));
  EXPECT_THROW(say(10_min, RunEnded{}), std::logic_error);
}

}  // namespace
}  // namespace faultline
