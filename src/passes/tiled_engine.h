// SPDX-License-Identifier: Apache-2.0
// Overlap-save in one launch: each pair of tiles is convolved by one work-group, or by one work-item with eight or
// sixteen lanes.
#pragma once

#include "passes/engine.h"

namespace clconv {

/// The engine of Method::tiled. Throws BuildError, DeviceError.
[[nodiscard]] std::unique_ptr<Engine> make_tiled_engine(const PassContext& context);

}  // namespace clconv
