#include "sim/lab/durations_text.h"

#include <gtest/gtest.h>

#include "sim/lab/parallel_replications.h"
#include "test/support/eventful_world.h"

namespace faultline {
namespace {

class LabDurationsTextTest : public testing::Test {
 protected:
  const EventfulWorld world_{3_d};
  const SimulationPlan plan_{world_.scenario};
};

TEST_F(LabDurationsTextTest, TheExampleByHand) {
  PooledDurations durations(plan_);
  EXPECT_EQ(durations_to_text(durations), R"({"buckets":[],"stalls":[],"savings":[]})");
  Histogram& first = durations.detections.front().since_fault;
  first.add(1_s);
  first.add(Duration::nanoseconds(1'500'000));
  EXPECT_EQ(durations_to_text(durations),
            R"({"buckets":[0,1,1,1500000,0,0,190,1,1000000000,0],"stalls":[],"savings":[]})");
  durations.stalls.by_class[1].count = 2;
  durations.stalls.by_class[1].lost.add(Duration::nanoseconds(2'000'000'007));
  durations.stalls.savings[2].saved.add(3_s);
  durations.stalls.savings[2].cut = 4;
  const std::string text = durations_to_text(durations);
  EXPECT_TRUE(text.ends_with(R"(,"stalls":[1,2,2,7],"savings":[2,3,0,0,0,0,4]})")) << text;
  PooledDurations again(plan_);
  EXPECT_TRUE(add_durations(again, text));
  EXPECT_EQ(durations_to_text(again), text);
}

// What replications add one by one is what they add together.
TEST_F(LabDurationsTextTest, TextsAddUpToWhatIsPooled) {
  ReplicationWorker together(plan_);
  ReplicationWorker apart(plan_);
  PooledDurations sum(plan_);
  for (std::uint32_t r = 0; r < 20; ++r) {
    together.run(1, r);
    apart.run(1, r);
    EXPECT_TRUE(add_durations(sum, apart.take_durations()));
  }
  EXPECT_EQ(apart.take_durations(), R"({"buckets":[],"stalls":[],"savings":[]})");
  PooledDurations pooled(plan_);
  together.pool_into(pooled);
  PooledDurations taken(plan_);
  apart.pool_into(taken);
  const std::string expected = durations_to_text(pooled);
  EXPECT_GT(expected.size(), 200U);
  EXPECT_EQ(durations_to_text(sum), expected);
  EXPECT_EQ(durations_to_text(taken), expected);
  for (std::size_t p = 0; p < pooled.phases.size(); ++p) {
    EXPECT_EQ(sum.phases[p].count(), pooled.phases[p].count());
    EXPECT_EQ(sum.phases[p].quantile_seconds(0.99), pooled.phases[p].quantile_seconds(0.99));
  }
}

TEST_F(LabDurationsTextTest, DamageIsSeen) {
  for (const char* text :
       {"", "{}", R"({"buckets":[],"stalls":[],"savings":[])", R"({"buckets":[],"stalls":[]})",
        R"({"buckets":[1,2],"stalls":[],"savings":[]})",
        R"({"buckets":[0,1,x,5,0],"stalls":[],"savings":[]})",
        R"({"buckets":[0,1,0,5,0],"stalls":[],"savings":[]})",
        R"({"buckets":[0,1152,1,5,0],"stalls":[],"savings":[]})",
        R"({"buckets":[0,-1,1,5,0],"stalls":[],"savings":[]})",
        R"({"buckets":[99999,1,1,5,0],"stalls":[],"savings":[]})",
        R"({"buckets":[],"stalls":[99,1,1,1],"savings":[]})",
        R"({"buckets":[],"stalls":[],"savings":[3,0,0,0,0,1,1]})",
        R"({"buckets":[],"stalls":[],"savings":[]} )", R"({"buckets":[1)"}) {
    PooledDurations durations(plan_);
    EXPECT_FALSE(add_durations(durations, text)) << text;
  }
}

}  // namespace
}  // namespace faultline
