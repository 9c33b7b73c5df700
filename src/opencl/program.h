// From a kernel file and defines to a built program.
#pragma once

#include "opencl/api.h"
#include "opencl/device.h"
#include "opencl/kernel_source.h"

#include <string>

namespace clconv {

/// What a program is made of; equal recipes give equal programs.
struct Recipe {
    std::string file;     ///< of the kernels
    std::string defines;  ///< "#define NAME VALUE" lines
    std::string options;  ///< for the compiler, beside the ones every program gets
};

/// Builds, or takes what was built of the same text before (opencl/program_store.h). Throws BuildError with the
/// compiler's log, InputError if a kernel file is missing.
[[nodiscard]] cl::Program build(Device& device, const KernelSource& kernels, const Recipe& recipe);

}  // namespace clconv
