// SPDX-License-Identifier: Apache-2.0
#include "opencl/binary.h"

namespace clconv {

std::string binary_of(const cl::Program& program)
{
    const auto binaries = program.getInfo<CL_PROGRAM_BINARIES>();
    if (binaries.empty()) return {};
    return {binaries[0].begin(), binaries[0].end()};
}

cl::Program program_of(const std::string& binary, const cl::Context& context, const cl::Device& device,
                       const std::string& options)
{
    cl::Program program(context, {device}, {{binary.begin(), binary.end()}});
    program.build(device, options.c_str());
    return program;
}

}  // namespace clconv
