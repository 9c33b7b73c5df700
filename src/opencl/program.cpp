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

ProgramText program_text(const KernelSource& kernels, const Recipe& recipe)
{
    return {recipe.defines + kernels.expanded(recipe.file), kOptions + recipe.options};
}

BuiltProgram build(Device& device, const KernelSource& kernels, const Recipe& recipe)
{
    Device::Handles& handles = device.handles();
    ProgramText program = program_text(kernels, recipe);
    cl::Program built =
        handles.programs.get({handles.context, handles.device}, name_of(recipe), program.text, program.options);
    return {std::move(built), std::move(program.text), recipe.name, handles.programs.cache().slow};
}

bool is_kept(Device& device, const KernelSource& kernels, const Recipe& recipe)
{
    const ProgramText program = program_text(kernels, recipe);
    return device.handles().programs.is_kept(name_of(recipe), program.text, program.options);
}

}  // namespace clconv
