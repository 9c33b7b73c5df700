// SPDX-License-Identifier: Apache-2.0
// The exit codes of the process.
#pragma once

#include <exception>

namespace clconv {

enum ExitCode : int {
    all_done = 0,
    some_failed = 1,
    usage_error = 2,
    no_input = 3,
    output_exists = 4,
    no_device = 5,  ///< no usable OpenCL device, one that computes wrongly, or a program failed to build
    internal_error = 6,
    signal_base = 128,  ///< plus the signal's number: SIGHUP, SIGINT, SIGPIPE or SIGTERM
};

/// The exit code of an error that ends the process.
[[nodiscard]] ExitCode exit_code_of(const std::exception& error);

}  // namespace clconv
