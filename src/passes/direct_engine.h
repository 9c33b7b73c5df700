// SPDX-License-Identifier: Apache-2.0
// The sum by its definition, in one launch.
#pragma once

#include "passes/engine.h"

namespace clconv {

/// The engine of Method::direct. Throws BuildError, DeviceError.
[[nodiscard]] std::unique_ptr<Engine> make_direct_engine(const PassContext& context);

}  // namespace clconv
