// SPDX-License-Identifier: Apache-2.0
#include "cli/exit_codes.h"

#include "base/errors.h"

#include <filesystem>

namespace clconv {

ExitCode exit_code_of(const std::exception& error)
{
    // Special errors come before general ones: NoInput and OutputExists are InputErrors.
    if (dynamic_cast<const InvalidProblem*>(&error)) return usage_error;
    if (dynamic_cast<const NoInput*>(&error)) return no_input;
    if (dynamic_cast<const OutputExists*>(&error)) return output_exists;
    if (dynamic_cast<const InputError*>(&error)) return some_failed;
    if (dynamic_cast<const DeviceError*>(&error)) return no_device;
    // Such as a name that is too long, or a folder that may not be looked into.
    if (dynamic_cast<const std::filesystem::filesystem_error*>(&error)) return some_failed;
    return internal_error;
}

}  // namespace clconv
