// What becomes of samples that are not finite: `--nonfinite`.
#pragma once

#include "base/names.h"
#include "image/image_file.h"

namespace clconv {

enum class NonFiniteRule {
    error,        ///< the image fails
    zero,         ///< they count as 0
    interpolate,  ///< they are missing: samples/missing_samples.h
    propagate,    ///< they are convolved as they are
};
template <>
inline constexpr auto kNames<NonFiniteRule> =
    std::to_array<Named<NonFiniteRule>>({{"error", NonFiniteRule::error},
                                         {"zero", NonFiniteRule::zero},
                                         {"interpolate", NonFiniteRule::interpolate},
                                         {"propagate", NonFiniteRule::propagate}});

/// Whether what is convolved is finite under a rule, so that results must be, too.
[[nodiscard]] constexpr bool judges_results(NonFiniteRule rule)
{
    return rule == NonFiniteRule::error || rule == NonFiniteRule::zero;
}

/// "FILE: 3 samples are not finite (NaN or infinite), the first at x 1, y 2, channel 0".
[[nodiscard]] std::string describe(const std::filesystem::path& path, const NonFinite& bad);

/// Throws InputError saying how many samples of the file at `path` are not finite and where the first is, if any are.
void require_finite(const std::filesystem::path& path, const NonFinite& bad);

/// Does to the decoded `image` of the file at `path` what the rule says before it is convolved; interpolate and
/// propagate leave it as it is. Looks for facts of its samples, too. Returns what was found. Throws InputError under
/// `error`.
[[nodiscard]] NonFinite treat_nonfinite(const std::filesystem::path& path, Image& image, NonFiniteRule rule);

}  // namespace clconv
