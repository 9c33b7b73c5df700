// SPDX-License-Identifier: Apache-2.0
#include "base/sample_type.h"

#include <gtest/gtest.h>

namespace clconv::test {
namespace {

TEST(SampleType, EveryNameLeadsBackToItsType)
{
    for (const SampleType type : kSampleTypes) EXPECT_EQ(value_named<SampleType>(name_of(type)), type);
}

TEST(SampleType, AnUnknownNameIsNone)
{
    for (const char* name : {"", "U8", "float64", "float32", "u16 "})
        EXPECT_FALSE(value_named<SampleType>(name)) << name;
}

TEST(SampleType, SizesAreThoseOfFilesAndDevices)
{
    EXPECT_EQ(bytes_of(SampleType::u8), 1u);
    EXPECT_EQ(bytes_of(SampleType::u16), 2u);
    EXPECT_EQ(bytes_of(SampleType::half), 2u);
    EXPECT_EQ(bytes_of(SampleType::float32), 4u);
}

TEST(SampleType, HalvesAreNoIntegers)
{
    EXPECT_TRUE(is_integer(SampleType::u8));
    EXPECT_TRUE(is_integer(SampleType::u16));
    EXPECT_FALSE(is_integer(SampleType::half));
    EXPECT_FALSE(is_integer(SampleType::float32));
}

}  // namespace
}  // namespace clconv::test
