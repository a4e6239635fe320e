#include "sim/lab/shard.h"

#include <gtest/gtest.h>

namespace faultline {
namespace {

TEST(LabShardTest, ReadsTheSecondOfSeven) {
  const auto shard = parse_shard("2/7");
  ASSERT_TRUE(shard);
  EXPECT_EQ(shard->number, 2U);
  EXPECT_EQ(shard->count, 7U);
  EXPECT_FALSE(shard->whole());
  EXPECT_TRUE(parse_shard("1/1")->whole());
}

TEST(LabShardTest, EveryReplicationHasOneOwner) {
  for (std::uint32_t r = 0; r < 30; ++r) {
    int owners = 0;
    for (std::uint32_t number = 1; number <= 7; ++number)
      owners += Shard{number, 7}.owns(r) ? 1 : 0;
    EXPECT_EQ(owners, 1) << r;
  }
  EXPECT_TRUE((Shard{2, 7}.owns(8)));  // 8 mod 7 + 1
}

TEST(LabShardTest, AnythingElseIsAnError) {
  for (const char* text :
       {"", "2", "0/7", "8/7", "2/0", "-1/7", "2/7/9", "a/b", "2 / 7", "1/9999999"}) {
    const auto shard = parse_shard(text);
    ASSERT_FALSE(shard) << text;
    EXPECT_EQ(shard.error(),
              "`" + std::string(text) + "` is no share: write `2/7` for the second of seven");
  }
}

}  // namespace
}  // namespace faultline
