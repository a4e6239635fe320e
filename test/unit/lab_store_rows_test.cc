#include "sim/lab/store/store_rows.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace faultline {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(LabStoreRowsTest, IsAJsonArray) {
  EXPECT_EQ(row_to_text({0.1, kNan, 3}), "[0.1,null,3]");
  EXPECT_EQ(row_to_text({}), "[]");
  EXPECT_EQ(row_to_text({kInfinity, -kInfinity}), "[1e999,-1e999]");
}

TEST(LabStoreRowsTest, ReadsBackToTheLastBit) {
  const std::vector<double> row{0.0,  -0.0,     1.0 / 3, 1e300, 5e-324,    4665600.000000001,
                                kNan, 1e21 / 7, -2.5e-7, 1e16,  kInfinity, -kInfinity};
  const auto again = row_from_text(row_to_text(row));
  ASSERT_TRUE(again);
  ASSERT_EQ(again->size(), row.size());
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (std::isnan(row[i])) {
      EXPECT_TRUE(std::isnan((*again)[i]));
    } else {
      EXPECT_EQ(std::bit_cast<std::uint64_t>((*again)[i]), std::bit_cast<std::uint64_t>(row[i]))
          << row[i];
    }
  }
  EXPECT_EQ(row_from_text("[]")->size(), 0U);
}

TEST(LabStoreRowsTest, DamageIsSeen) {
  for (const char* text : {"", "[", "]", "1,2", "[1,2", "[1,,2]", "[,1]", "[1,]", "[nul]", "[1 2]",
                           "[1,x]", "[\"1\"]", "[1]x"}) {
    EXPECT_FALSE(row_from_text(text)) << text;
  }
}

}  // namespace
}  // namespace faultline
