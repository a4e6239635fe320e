#include "sim/lab/parallel_replications.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "models/base/check.h"
#include "test/support/eventful_world.h"

namespace faultline {
namespace {

class LabParallelTest : public testing::Test {
 protected:
  LabParallelTest() {
    for (std::uint32_t r = 0; r < 20; ++r) tasks_.push_back({r < 12 ? &plan_ : &other_, r});
  }

  const EventfulWorld world_{1_d};
  const EventfulWorld other_world_{2_d};
  const SimulationPlan plan_{world_.scenario};
  const SimulationPlan other_{other_world_.scenario};
  std::vector<ReplicationTask> tasks_;
};

TEST_F(LabParallelTest, EveryTaskIsFinishedOnceAndEveryWorkerRetires) {
  std::multiset<std::size_t> finished;
  std::uint64_t events = 0;
  std::size_t workers = 0;
  run_in_parallel(tasks_, {.threads = 2,
                           .finished = [&](std::size_t task, const std::vector<double>&,
                                           const std::string&) { finished.insert(task); },
                           .failed = nullptr,
                           .retired =
                               [&](const ReplicationWorker& worker) {
                                 events += worker.events();
                                 ++workers;
                               }});
  EXPECT_EQ(finished.size(), 20U);
  EXPECT_EQ(std::set<std::size_t>(finished.begin(), finished.end()).size(), 20U);
  EXPECT_GE(workers, 2U) << "one per plan and thread that had it";
  ReplicationWorker first(plan_);
  ReplicationWorker second(other_);
  for (const ReplicationTask& task : tasks_) {
    (task.plan == &plan_ ? first : second).run(1, task.replication);
  }
  EXPECT_EQ(events, first.events() + second.events());
}

// A check of ours that fails in replication 3 (and 15): the callback stands for the simulation.
TEST_F(LabParallelTest, AFailureIsNotedAndTheOthersGoOn) {
  std::size_t finished = 0;
  std::vector<std::size_t> failed;
  const auto run = [&] {
    run_in_parallel(tasks_,
                    {.threads = 1,
                     .finished =
                         [&](std::size_t task, const std::vector<double>&, const std::string&) {
                           if (task % 12 == 3) throw InternalError("spares went negative");
                           ++finished;
                         },
                     .failed =
                         [&](std::size_t task, const std::string& what) {
                           EXPECT_EQ(what, "spares went negative");
                           failed.push_back(task);
                         },
                     .retired = nullptr});
  };
  try {
    run();
    FAIL() << "nothing was thrown";
  } catch (const InternalError& error) {
    EXPECT_STREQ(error.what(), "spares went negative\nreplication 3");
  }
  EXPECT_EQ(finished, 18U);
  EXPECT_THAT(failed, testing::UnorderedElementsAre(3, 15));
}

TEST_F(LabParallelTest, WithoutSomebodyToNoteItAFailureEndsTheLoop) {
  std::size_t calls = 0;
  const ParallelOptions options{
      .threads = 1,
      .finished =
          [&](std::size_t, const std::vector<double>&, const std::string&) {
            ++calls;
            throw InternalError("no");
          },
      .failed = nullptr,
      .retired = nullptr};
  EXPECT_THROW(run_in_parallel(tasks_, options), InternalError);
  EXPECT_EQ(calls, 1U);
}

TEST_F(LabParallelTest, ZeroThreadsIsOnePerCore) {
  EXPECT_EQ(threads_used(3), 3);
  EXPECT_GE(threads_used(0), 1);
}

}  // namespace
}  // namespace faultline
