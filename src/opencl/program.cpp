#include "opencl/program.h"

#include "opencl/handles.h"

namespace clconv {
namespace {

// Fused multiply-adds are asked for by name in the kernels; this allows them elsewhere. Nothing that would let a
// compiler reorder sums or drop NaNs. No warnings: PoCL would print their number; tests/kernels looks at them.
constexpr const char* kOptions = "-w -cl-std=CL1.2 -cl-mad-enable ";

/// For logs and errors: what is special about it, and the file to look at.
std::string name_of(const Recipe& recipe)
{
    return recipe.name == recipe.file ? recipe.file : recipe.name + " (" + recipe.file + ")";
}

}  // namespace

BuiltProgram build(Device& device, const KernelSource& kernels, const Recipe& recipe)
{
    Device::Handles& handles = device.handles();
    std::string text = kernels.expanded(recipe.file);
    cl::Program program = handles.programs.get({handles.context, handles.device}, name_of(recipe),
                                               recipe.defines + text, kOptions + recipe.options);
    return {std::move(program), std::move(text), recipe.name, handles.programs.cache().slow};
}

bool is_kept(Device& device, const KernelSource& kernels, const Recipe& recipe)
{
    return device.handles().programs.is_kept(recipe.defines + kernels.expanded(recipe.file), kOptions + recipe.options);
}

}  // namespace clconv
