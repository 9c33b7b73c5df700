#include "opencl/program.h"

#include "opencl/handles.h"

namespace clconv {
namespace {

// Fused multiply-adds are asked for by name in the kernels; this allows them elsewhere. Nothing that would let a
// compiler reorder sums or drop NaNs. No warnings: PoCL would print their number; tests/kernels looks at them.
constexpr const char* kOptions = "-w -cl-std=CL1.2 -cl-mad-enable ";

}  // namespace

cl::Program build(Device& device, const KernelSource& kernels, const Recipe& recipe)
{
    Device::Handles& handles = device.handles();
    return handles.programs.get({handles.context, handles.device}, recipe.file,
                                recipe.defines + kernels.expanded(recipe.file), kOptions + recipe.options);
}

}  // namespace clconv
