// SPDX-License-Identifier: Apache-2.0
#include "opencl/first_launches.h"

#include <gtest/gtest.h>

namespace clconv::test {
namespace {

TEST(FirstLaunches, AKernelOfAProgramIsLaunchedForTheFirstTimeOnce)
{
    FirstLaunches launches;
    EXPECT_TRUE(launches.is_first("rows", "rows"));
    EXPECT_FALSE(launches.is_first("rows", "rows"));
    EXPECT_TRUE(launches.is_first("rows", "rows_back"));
    EXPECT_TRUE(launches.is_first("columns", "rows"));
}

TEST(FirstLaunches, ACommandIsHeldUpFromWhenItWasReadyUntilItStarts)
{
    FirstLaunches launches;
    EXPECT_EQ(launches.idle_before({100, 700, 800}), 600);
    EXPECT_EQ(launches.idle_before({750, 900, 950}), 100) << "until 800, the command before it ran";
    EXPECT_EQ(launches.idle_before({960, 960, 990}), 0);
}

TEST(FirstLaunches, NoTimeIsNegative)
{
    FirstLaunches launches;
    EXPECT_EQ(launches.idle_before({500, 400, 600}), 0) << "a driver that sets the times in another order";
    EXPECT_EQ(launches.idle_before({100, 150, 200}), 50)
        << "reported late: the command that ended at 600 came after it";
    EXPECT_EQ(launches.idle_before({0, 650, 700}), 50) << "a driver that does not know when a command was ready";
}

}  // namespace
}  // namespace clconv::test
