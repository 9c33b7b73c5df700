// SPDX-License-Identifier: Apache-2.0
#include "library/errors.h"

namespace clconv::v0 {

Error::Error(const std::string& message) : std::runtime_error(message) {}

// Here, so that the types' descriptions are in the library and not in each program.
Error::~Error() = default;
InvalidProblem::~InvalidProblem() = default;
InputError::~InputError() = default;
DeviceError::~DeviceError() = default;
BuildError::~BuildError() = default;
InternalError::~InternalError() = default;

}  // namespace clconv::v0
