// SPDX-License-Identifier: Apache-2.0
// The driver's binaries of programs.
#pragma once

#include "opencl/api.h"

#include <string>

namespace clconv {

/// The binary of a built program; empty if the driver has none. Throws cl::Error.
[[nodiscard]] std::string binary_of(const cl::Program& program);

/// The program of `binary`, ready for use. `options`: the options of its build, because the binaries of some drivers
/// are an intermediate language that is compiled here. Throws cl::Error if the driver rejects the binary.
[[nodiscard]] cl::Program program_of(const std::string& binary, const cl::Context& context, const cl::Device& device,
                                     const std::string& options);

}  // namespace clconv
