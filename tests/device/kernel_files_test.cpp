// Every file of kernels/ by itself, as somebody reads or tries it who has no plan.

#include "opencl/handles.h"
#include "opencl/kernel_source.h"
#include "support/test_device.h"

#include <gtest/gtest.h>

namespace clconv::test {
namespace {

/// The compiler's log; empty if it takes the text.
std::string complaint(const std::string& text)
{
    const Device::Handles& handles = test_device()->handles();
    cl::Program program(handles.context, text);
    try {
        program.compile("-w -cl-std=CL1.2");
        return {};
    } catch (const cl::Error& error) {
        return error_name(error.err()) + std::string(": ") + program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(handles.device);
    }
}

TEST(KernelFiles, CompileAlone)
{
    const KernelSource kernels = KernelSource::embedded();
    for (const std::string& file : kernels.files()) EXPECT_EQ(complaint(kernels.expanded(file)), "") << file;
}

/// Where work-items own lines, and for eight lanes.
TEST(KernelFiles, CompileAloneForVectors)
{
    const KernelSource kernels = KernelSource::embedded();
    for (const char* file : {"lane_line.cl", "lane_rows.cl", "lane_columns.cl"})
        EXPECT_EQ(complaint("#define GENERAL 1\n" + kernels.expanded(file)), "") << file;
    EXPECT_EQ(complaint("#define LANES 8\n#define STRIP 16\n" + kernels.expanded("coarse.cl")), "");
}

TEST(KernelFiles, ThatAreWrongAreSeen)
{
    const KernelSource kernels = KernelSource::embedded().with("wrong.cl", "#include \"image.cl\"\nno_such_type x;\n");
    EXPECT_NE(complaint(kernels.expanded("wrong.cl")), "");
}

}  // namespace
}  // namespace clconv::test
