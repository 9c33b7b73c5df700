// SPDX-License-Identifier: Apache-2.0
#include "base/timings.h"

#include <gtest/gtest.h>

namespace clconv::test {
namespace {

TEST(Timings, OneNameIsOneEntryInTheOrderOfFirstUse)
{
    std::vector<StageTime> times;
    add_time(times, "rows", Seconds(1));
    add_time(times, "columns", Seconds(2));
    add_time(times, "rows", Seconds(4));
    ASSERT_EQ(times.size(), 2u);
    EXPECT_EQ(times[0].stage, "rows");
    EXPECT_EQ(times[0].time, Seconds(5));
    EXPECT_EQ(times[1].stage, "columns");
}

}  // namespace
}  // namespace clconv::test
