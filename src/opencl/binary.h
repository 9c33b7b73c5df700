// The driver's binaries of programs.
#pragma once

#include "opencl/api.h"

#include <string>

namespace clconv {

/// Of a built program; empty if the driver has none. Throws cl::Error.
[[nodiscard]] std::string binary_of(const cl::Program& program);

/// The program of `binary`, ready for use. `options`: those that it was built with, because some drivers keep an
/// intermediate language, and compile that to its end here. Throws cl::Error where the driver does not take it.
[[nodiscard]] cl::Program program_of(const std::string& binary, const cl::Context& context, const cl::Device& device,
                                     const std::string& options);

}  // namespace clconv
