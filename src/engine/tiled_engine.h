// Overlap-save in one launch: tiles that a work-group, or a work-item with eight lanes, convolves by itself.
#pragma once

#include "engine/engine.h"

namespace clconv {

/// The engine of Method::tiled. Throws BuildError, DeviceError.
[[nodiscard]] std::unique_ptr<Engine> make_tiled_engine(const PassContext& context);

}  // namespace clconv
