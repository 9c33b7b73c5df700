// SPDX-License-Identifier: Apache-2.0
#include "base/errors.h"
#include "opencl/api.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clconv::test {
namespace {

TEST(OpenClErrors, KnownCodesHaveTheirNames)
{
    EXPECT_EQ(error_name(CL_OUT_OF_RESOURCES), "CL_OUT_OF_RESOURCES (-5)");
    EXPECT_EQ(error_name(CL_MEM_OBJECT_ALLOCATION_FAILURE), "CL_MEM_OBJECT_ALLOCATION_FAILURE (-4)");
}

TEST(OpenClErrors, AnUnknownCodeIsGivenAsItIs) { EXPECT_EQ(error_name(-9999), "OpenCL error -9999"); }

TEST(OpenClErrors, AMessageSaysWhatWasBeingDone)
{
    try {
        rethrow(cl::Error(CL_OUT_OF_RESOURCES, "clFinish"), "waiting for the device");
    } catch (const DeviceError& error) {
        EXPECT_THAT(error.what(), testing::StartsWith("waiting for the device: CL_OUT_OF_RESOURCES (-5)"));
        EXPECT_THAT(error.what(), testing::HasSubstr("clFinish"));
    }
}

}  // namespace
}  // namespace clconv::test
