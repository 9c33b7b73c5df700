// SPDX-License-Identifier: Apache-2.0
// Plans as JSON, for `clconv plan --json`.
#pragma once

#include "engine/convolver.h"
#include "opencl/device.h"

#include <nlohmann/json_fwd.hpp>

namespace clconv {

/// What `settings` plan for a plain convolution on `device`: "problem" (its token), extents as "WxH" ("image", "psf",
/// "output", and "padded", null without lines), "method", "decisions" (key -> value), "programs" (names), bytes,
/// "reasons", and "chosen_by". If the device has too little memory, all of it is of one piece, and "pieces" has their
/// numbers; else that is null. Throws as planned_in_words().
[[nodiscard]] nlohmann::ordered_json plan_json(const Problem& problem, const DeviceInfo& device,
                                               const ConvolveSettings& settings);

}  // namespace clconv
