// SPDX-License-Identifier: Apache-2.0
#include "opencl/program.h"

#include "opencl/handles.h"

namespace clconv {
namespace {

// The kernels request fused multiply-adds by name; this option allows them elsewhere. No option here lets a compiler
// reorder sums or drop NaNs. Warnings are off, because PoCL would print their number; tests/kernels checks them.
constexpr const char* kOptions = "-w -cl-std=CL1.2 -cl-mad-enable ";

/// The program's name for logs and errors: what is special about it, and its file.
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
