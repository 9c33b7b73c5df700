// SPDX-License-Identifier: Apache-2.0
// How samples that are not finite are treated: `--nonfinite`.
#pragma once

#include "image/image.h"
#include "image/nonfinite.h"
#include "image/nonfinite_rule.h"

#include <filesystem>

namespace clconv {

/// "FILE: 3 samples are not finite (NaN or infinite), the first at x 1, y 2, channel 0".
[[nodiscard]] std::string describe(const std::filesystem::path& path, const NonFinite& bad);

/// The same, and what becomes of them: "...; they count as 0". Not for the rule error. `have_weights`: false if the
/// work leaves them out (Work::leaves_out_nonfinite()).
[[nodiscard]] std::string note_of(const std::filesystem::path& path, const NonFinite& bad, NonFiniteRule rule,
                                  bool have_weights);

/// Adds the samples of the next rows of an image, which begin at row `first`, to those of all rows before.
void add_rows(NonFinite& all, NonFinite some, int first);

/// If samples of the file at `path` are not finite, throws InputError with their number and the position of the first.
void require_finite(const std::filesystem::path& path, const NonFinite& bad);

/// Applies the rule to the decoded `image` of the file at `path`. Interpolate and propagate do not change its samples.
/// Also finds facts about these. Returns the samples that are not finite. With `error`, throws InputError if there are
/// any.
[[nodiscard]] NonFinite treat_nonfinite(const std::filesystem::path& path, Image& image, NonFiniteRule rule);

}  // namespace clconv
