// SPDX-License-Identifier: Apache-2.0
#include "base/byte_count.h"

#include "base/errors.h"

#include <gtest/gtest.h>

namespace clconv::test {
namespace {

TEST(ByteCount, ReadsPlainNumbersAndPowersOf1024)
{
    EXPECT_EQ(parse_byte_count("--x", "123"), 123U);
    EXPECT_EQ(parse_byte_count("--x", "7B"), 7U);
    EXPECT_EQ(parse_byte_count("--x", "64K"), 65536U);
    EXPECT_EQ(parse_byte_count("--x", "512M"), 512U << 20);
    EXPECT_EQ(parse_byte_count("--x", "1.5G"), 3U << 29);
    EXPECT_EQ(parse_byte_count("--x", "2GiB"), 2ULL << 30);
    EXPECT_EQ(parse_byte_count("--x", "1TB"), 1ULL << 40);
}

TEST(ByteCount, UnitsAreReadInAnyCase)
{
    EXPECT_EQ(parse_byte_count("--x", "2g"), 2ULL << 30);
    EXPECT_EQ(parse_byte_count("--x", "512mb"), 512U << 20);
    EXPECT_EQ(parse_byte_count("--x", "64Kib"), 65536U);
}

TEST(ByteCount, RefusesWhatIsNoAmountOfMemory)
{
    for (const char* text : {"", "0", "-1", "G", "1X", "1GiBs", "nan", "inf", "1e30", "0x10", "1 G"})
        EXPECT_THROW((void)parse_byte_count("--x", text), InvalidProblem) << text;
}

}  // namespace
}  // namespace clconv::test
