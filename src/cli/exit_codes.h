// What the process says to its caller.
#pragma once

#include <exception>

namespace clconv {

enum ExitCode : int {
    kAllDone = 0,
    kSomeFailed = 1,
    kUsageError = 2,
    kNoInput = 3,
    kOutputExists = 4,
    kNoDevice = 5,  ///< no usable OpenCL device, or a program failed to build
    kInternalError = 6,
    kSignalBase = 128,  ///< plus the signal's number: 130, 143
};

/// The exit code of an error that ends the process.
[[nodiscard]] ExitCode exit_code_of(const std::exception& error);

}  // namespace clconv
