// SPDX-License-Identifier: Apache-2.0
// OpenCL's C++ bindings, configured once: nothing includes them but through this.
//
// Only OpenCL 1.2 calls are used, unless a device reports more. NVIDIA and old CPUs have little beyond 1.2.
#pragma once

#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_TARGET_OPENCL_VERSION 300
#define CL_HPP_MINIMUM_OPENCL_VERSION 200

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wignored-attributes"
#include <CL/opencl.hpp>
#pragma GCC diagnostic pop

#include <string>

namespace clconv {

/// "CL_OUT_OF_RESOURCES (-5)"
[[nodiscard]] std::string error_name(cl_int code);

/// Throws DeviceError with `doing`, the action that failed, and OpenCL's reason.
[[noreturn]] void rethrow(const cl::Error& error, const std::string& doing);

}  // namespace clconv
