// SPDX-License-Identifier: Apache-2.0
// From a kernel file and defines to a built program.
#pragma once

#include "opencl/api.h"
#include "opencl/device.h"
#include "opencl/kernel_source.h"
#include "opencl/recipe.h"

#include <string>

namespace clconv {

/// A program and its text, which names its kernels' parameters.
struct BuiltProgram {
    cl::Program program;
    std::string text;
    std::string name;      ///< for logs: the recipe's
    SlowDriver slow = {};  ///< called for kernels that are compiled on creation, as in Mesa
};

/// The input of a compiler.
struct ProgramText {
    std::string text;     ///< OpenCL C without includes: the recipe's defines, then its file
    std::string options;  ///< all of them
};
/// Throws InputError if a kernel file is missing.
[[nodiscard]] ProgramText program_text(const KernelSource& kernels, const Recipe& recipe);

/// Builds the program, or reuses one that was built from the same text (opencl/program_store.h). Throws BuildError with
/// the compiler's log, InputError if a kernel file is missing.
[[nodiscard]] BuiltProgram build(Device& device, const KernelSource& kernels, const Recipe& recipe);

/// Whether an earlier run kept that program, so that build() only loads it.
[[nodiscard]] bool is_kept(Device& device, const KernelSource& kernels, const Recipe& recipe);

}  // namespace clconv
