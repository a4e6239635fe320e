// Incidents that a job tells: a hang without a sign (marin#7344), a gang that lost a node and does
// not restart (jobset#574, trainer#2000), a node failure under Slurm (awsome-distributed-ai#195).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "test/support/incident.h"

namespace faultline {
namespace {

// What a time of the whole job comes to on so many GPUs.
double gpu_hours(Duration time, int gpus) { return time.seconds() / 3600 * gpus; }

Duration spent(const MicroRun& run, Account account) {
  return run.accounts[0][static_cast<std::size_t>(account)];
}

// --- A hang without a sign ---------------------------------------------------------------------
// Reality: 128 GPUs stop after step 90 (03:11:20); no Xid, no message; the watchdog of 600 s does
// not fire, an operator ends the job at 03:25:59. Question: which detector would have seen it and
// when, what was lost?
// Answer: no condition ever. A watchdog that works: 03:21:20. No step for three step times of 17 s:
// 03:12:11. Lost from the last progress to the kill: 879 s x 128 = 31.25 GPU-hours. What must be
// redone since the last checkpoint is unknown, and left out.
// Differs: an operator is no part of the model; a `progress_timeout` of 879 s stands for one here.

constexpr WallClock kLaunch{2, 45, 50};

Incident wedge(const std::vector<std::string>& settings) {
  return Incident("silent-wedge", settings);
}

TEST(IncidentSilentWedge, NoDetectorSeesIt) {
  const MicroRun run = wedge({"workloads[work].nccl_timeout=30d"}).run();
  EXPECT_EQ(run.journal.times<JobStalled>(), std::vector{kLaunch(3, 11, 20)});
  EXPECT_TRUE(run.journal.all<SignalRaised>().empty());
  EXPECT_TRUE(run.journal.all<ConditionChanged>().empty());
  EXPECT_TRUE(run.journal.all<JobInterrupted>().empty());
}

TEST(IncidentSilentWedge, TheWatchdogShouldHaveEndedIt) {
  const MicroRun run = wedge({}).run();
  const auto stops = run.journal.all<JobInterrupted>();
  ASSERT_EQ(stops.size(), 1U);
  EXPECT_EQ(stops[0].time, at(kLaunch(3, 21, 20)));
  EXPECT_EQ(stops[0].what.kind, StopKind::kWatchdog);
}

TEST(IncidentSilentWedge, MissingProgressShowsItWithinAMinute) {
  const MicroRun run = wedge({"workloads[work].progress_timeout=51s"}).run();
  EXPECT_EQ(run.journal.times<JobInterrupted>(), std::vector{kLaunch(3, 12, 11)});
}

TEST(IncidentSilentWedge, TheOperatorEndsItAfter31GpuHours) {
  const MicroRun run =
      wedge({"workloads[work].nccl_timeout=30d", "workloads[work].progress_timeout=879s"}).run();
  EXPECT_EQ(run.journal.times<JobInterrupted>(), std::vector{kLaunch(3, 25, 59)});
  EXPECT_EQ(spent(run, Account::kHang), 879_s);
  EXPECT_NEAR(gpu_hours(spent(run, Account::kHang), 128), 31.25, 0.005);
}

// --- A gang that lost a node -------------------------------------------------------------------
// Reality: a node is shut down at 10:30:00 and Unknown at 10:30:50; its pod is deleted at 10:35:50
// and stays Terminating. The JobSet counts no failure, the 15 others hang in a collective.
// Question: how many restarts at 10:40, what do the others do, when can the gang restart?
// Answer: none; nothing since 10:30:00 (120 of 128 GPUs idle); not before the survivors time out,
// 600 s after their last collective at 10:40:00, or before the node is removed with its pod;
// without either, never.
// Differs: where Karpenter repairs, the node is removed 30 min and 5 s after Unknown: 11:00:55. In
// our model the survivors time out together; in the report each at its own time.

constexpr WallClock kTen{10, 0};

TEST(IncidentJobSet, NoRestartBeforeTheSurvivorsTimeOut) {
  const MicroRun run = Incident("jobset-node-loss").run();
  EXPECT_EQ(run.journal.times<JobStalled>(), std::vector{kTen(10, 30)});
  EXPECT_EQ(run.journal.times<ConditionChanged>().at(0), kTen(10, 30, 50));
  const auto stops = run.journal.all<JobInterrupted>();
  ASSERT_EQ(stops.size(), 1U);
  EXPECT_EQ(stops[0].time, at(kTen(10, 40)));
  EXPECT_EQ(stops[0].what.kind, StopKind::kWatchdog);
  EXPECT_EQ(spent(run, Account::kHang), 600_s);
  EXPECT_NEAR(gpu_hours(600_s, 15 * 8), 20, 1e-9);
  // The node is gone at 11:00:55, its successor asked for at 11:00:51 and there 95 s later.
  EXPECT_EQ(run.journal.times<NodeRemoved>(), std::vector{kTen(11, 0, 55)});
  EXPECT_EQ(run.journal.times<JobRestarting>(), std::vector{kTen(11, 2, 26)});
}

// The node's removal alone: the survivors would wait for a day.
TEST(IncidentJobSet, TheNodesRemovalEndsItToo) {
  const MicroRun run = Incident("jobset-node-loss", {"workloads[work].nccl_timeout=30d"}).run();
  const auto stops = run.journal.all<JobInterrupted>();
  ASSERT_EQ(stops.size(), 1U);
  EXPECT_EQ(stops[0].time, at(kTen(11, 0, 50)));
  EXPECT_EQ(stops[0].what.kind, StopKind::kDrain);
}

TEST(IncidentJobSet, WithoutEitherItNeverRestarts) {
  const MicroRun run =
      Incident("jobset-node-loss", {"workloads[work].nccl_timeout=30d", "policy.unknown_counts=[]"})
          .run();
  EXPECT_TRUE(run.journal.all<JobInterrupted>().empty());
  EXPECT_TRUE(run.journal.all<JobRestarting>().empty());
  EXPECT_EQ(spent(run, Account::kHang), 24_h - 30_min);
}

// --- A node failure under Slurm ----------------------------------------------------------------
// Reality: a job of 128 GPUs, started at 02:00:00, ends as NODE_FAIL at 05:42:10; its next attempt
// starts at 05:58:40. Question: what did that cost, with a checkpoint every hour from the start?
// Answer: redone since 05:00:00: 42 min 10 s; down: 16 min 30 s; 58 min 40 s x 128 GPUs = 125.2
// GPU-hours.

TEST(IncidentSlurm, TheNodeFailureCosts125GpuHours) {
  const MicroRun run = Incident("slurm-node-fail").run();
  EXPECT_EQ(run.journal.times<JobInterrupted>(), std::vector{WallClock(2, 0)(5, 42, 10)});
  EXPECT_EQ(run.journal.times<JobResumed>(), std::vector{WallClock(2, 0)(5, 58, 40)});
  const Duration redo = spent(run, Account::kRedo);
  const Duration down = spent(run, Account::kRestart);
  EXPECT_EQ(redo, 2530_s);
  EXPECT_EQ(down, 990_s);
  EXPECT_NEAR(gpu_hours(redo + down, 128), 125.2, 0.05);
  EXPECT_EQ(run.charged(), charged({{Account::kProductive, 9_h + 30_min - redo - down},
                                    {Account::kRedo, redo},
                                    {Account::kRestart, down}}));
}

}  // namespace
}  // namespace faultline
