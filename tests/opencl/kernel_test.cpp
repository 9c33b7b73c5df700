// SPDX-License-Identifier: Apache-2.0
#include "opencl/kernel.h"

#include "base/errors.h"
#include "opencl/kernel_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clconv::test {
namespace {

using testing::ElementsAre;

constexpr const char* kText = R"(
/// Not this one: copy(a, b) of the text.
void copy(int x);
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void copy_planes(
    __global const float *restrict from, __global float4 *to,
    const sizes given)
{
    copy(1);
}
__kernel GROUP_SIZE void copy(__local cplx *restrict x, uint count) {}
)";

TEST(ParameterNames, AreReadInTheirOrder)
{
    EXPECT_THAT(parameter_names(kText, "copy_planes"), ElementsAre("from", "to", "given"));
    EXPECT_THAT(parameter_names(kText, "copy"), ElementsAre("x", "count"));
}

TEST(ParameterNames, OfAKernelThatIsNotThereAreAnInternalError)
{
    EXPECT_THROW((void)parameter_names(kText, "planes"), InternalError);
    EXPECT_THROW((void)parameter_names(kText, "void"), InternalError);
}

TEST(ParameterNames, OfEveryKernelEndWithItsSizes)
{
    const KernelSource kernels = KernelSource::embedded();
    for (const auto& [file, kernel] : {std::pair{"rows.cl", "rows_inverse"},
                                       {"columns.cl", "psf_columns_forward"},
                                       {"lane_rows.cl", "lane_rows"},
                                       {"tiled.cl", "convolve_tiles"}})
        EXPECT_EQ(parameter_names(kernels.expanded(file), kernel).back(), "given") << kernel;
}

}  // namespace
}  // namespace clconv::test
