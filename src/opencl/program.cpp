#include "opencl/program.h"

#include "base/errors.h"
#include "opencl/handles.h"

#include <fmt/format.h>

namespace clconv {
namespace {

// Fused multiply-adds are asked for by name in the kernels; this allows them elsewhere. Nothing that would let a
// compiler reorder sums or drop NaNs. No warnings: PoCL would print their number; tests/kernels looks at them.
constexpr const char* kOptions = "-w -cl-std=CL1.2 -cl-mad-enable ";

}  // namespace

cl::Program build(Device& device, const KernelSource& kernels, const Recipe& recipe)
{
    Device::Handles& handles = device.handles();
    cl::Program program(handles.context, recipe.defines + kernels.expanded(recipe.file));
    try {
        program.build(handles.device, (kOptions + recipe.options).c_str());
    } catch (const cl::Error& error) {
        const std::string log = program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(handles.device);
        throw BuildError(fmt::format("{} does not build for {} ({}); compiler's log:\n{}", recipe.file,
                                     device.info().name, error_name(error.err()), log));
    }
    return program;
}

}  // namespace clconv
