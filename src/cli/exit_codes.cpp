#include "cli/exit_codes.h"

#include "base/errors.h"

namespace clconv {

ExitCode exit_code_of(const std::exception& error)
{
    // From the special to the general: NoInput and OutputExists are InputErrors.
    if (dynamic_cast<const InvalidProblem*>(&error)) return kUsageError;
    if (dynamic_cast<const NoInput*>(&error)) return kNoInput;
    if (dynamic_cast<const OutputExists*>(&error)) return kOutputExists;
    if (dynamic_cast<const InputError*>(&error)) return kSomeFailed;
    if (dynamic_cast<const DeviceError*>(&error)) return kNoDevice;
    return kInternalError;
}

}  // namespace clconv
