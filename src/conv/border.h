// SPDX-License-Identifier: Apache-2.0
// The values of an image outside of its data: `--border`.
//
// To add a mode, add its row to kBorders, and its case to source_index().
#pragma once

#include "base/names.h"

#include <optional>
#include <string>
#include <string_view>

namespace clconv {

enum class Border { zero, constant, clamp, wrap, mirror, reflect, renormalize };

/// The bias that is subtracted from an image before it is transformed, and added back at the end (passes/bias.h).
enum class BorderBias {
    none,   ///< no bias: outside is 0, and a bias would create an edge there
    value,  ///< the border's own value
    mean,   ///< roughly the mean of the image
};

struct BorderMode {
    std::string_view name;
    Border value;
    std::string_view aliases = {};  ///< separated by blanks
    std::string_view picture;       ///< for help: the samples around a b c d, or words
    bool is_empty = false;          ///< no sample of the image lies outside: source_index() finds none there
    bool is_nearest = false;        ///< outside, the image's nearest sample counts
    bool is_periodic = false;       ///< the image repeats, with a period of its own length
    /// Each result is divided by the part of the PSF's sum that met samples, so what is outside does not count.
    bool divides_by_coverage = false;
    BorderBias bias = BorderBias::mean;
    bool needs_value = false;  ///< users give it, as in "constant:V"

    /// Whether everything outside counts, as one value a channel: the bias.
    [[nodiscard]] constexpr bool has_one_value() const { return is_empty && !divides_by_coverage; }
    /// Whether that value may be another than 0.
    [[nodiscard]] constexpr bool has_own_value() const { return has_one_value() && bias != BorderBias::none; }
    /// Whether some positions hold the bias instead of a sample, and the bias may be another value than 0.
    [[nodiscard]] constexpr bool has_gaps() const
    {
        return (is_empty || divides_by_coverage) && bias != BorderBias::none;
    }
};

inline constexpr auto kBorders = std::to_array<BorderMode>({
    {.name = "zero",
     .value = Border::zero,
     .aliases = "black",
     .picture = "0 0 0 | a b c d | 0 0 0",
     .is_empty = true,
     .bias = BorderBias::none},
    // The value is subtracted from the data first, and added back, times the PSF's sum, at the end.
    {.name = "constant",
     .value = Border::constant,
     .picture = "V; V,V,V is one a channel; 0..1 for integers",
     .is_empty = true,
     .bias = BorderBias::value,
     .needs_value = true},
    {.name = "clamp",
     .value = Border::clamp,
     .aliases = "edge nearest replicate",
     .picture = "a a a | a b c d | d d d",
     .is_nearest = true},
    {.name = "wrap",
     .value = Border::wrap,
     .aliases = "periodic",
     .picture = "b c d | a b c d | a b c",
     .is_periodic = true},
    {.name = "mirror",
     .value = Border::mirror,
     .aliases = "symmetric",
     .picture = "c b a | a b c d | d c b   (scipy: reflect)"},
    {.name = "reflect",
     .value = Border::reflect,
     .aliases = "reflect101",
     .picture = "d c b | a b c d | c b a   (scipy: mirror)"},
    // The divisor is the coverage, 1 inside and 0 outside, convolved with the same PSF.
    {.name = "renormalize",
     .value = Border::renormalize,
     .picture = "zero, then divided by the PSF's weight inside",
     .is_empty = true,
     .divides_by_coverage = true},
});
static_assert(is_complete(kBorders), "a border without a row, or one out of order");

template <>
inline constexpr auto kNames<Border> = names_of(kBorders);

[[nodiscard]] constexpr const BorderMode& mode_of(Border border) { return kBorders[static_cast<std::size_t>(border)]; }

/// The border of that name or alias. "constant" comes without its value, which is parsed elsewhere.
[[nodiscard]] std::optional<Border> border_named(std::string_view name);

/// "zero (black), constant:V, clamp (edge, nearest, replicate), ... or renormalize", for messages.
[[nodiscard]] std::string borders_text();
/// One line for each mode, with its aliases and its picture, for help.
[[nodiscard]] std::string borders_help();

/// The index in [0, count) of the sample at any `position` of a line of `count` samples; none if the border is empty
/// there.
[[nodiscard]] std::optional<int> source_index(Border border, int position, int count);

}  // namespace clconv
