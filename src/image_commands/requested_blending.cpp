// SPDX-License-Identifier: Apache-2.0
#include "image_commands/requested_blending.h"

#include "base/errors.h"
#include "batch/isolated_reading.h"
#include "settings/requested_blending.h"

#include <fmt/format.h>

#include <memory>

namespace clconv {

Blending blending_of(const RunOptions& options)
{
    Blending blending = options.bloom ? bloom_blending(*options.bloom) : mix_blending(options.blend);
    check_blend(blending, options.bloom ? "bloom" : "run", options.problem, options.nonfinite);
    if (options.blend.mask.empty()) return blending;
    try {
        blending.mask = std::make_shared<const Mask>(isolated_mask(options.blend.mask));
    } catch (const InputError& error) {
        throw InvalidProblem(fmt::format("--mask {}", error.what()));
    }
    return blending;
}

}  // namespace clconv
