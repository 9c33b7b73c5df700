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
    std::string_view aliases;  ///< separated by blanks
    std::string_view picture;  ///< for help: the samples around a b c d, or words
    bool is_empty;             ///< samples outside count as 0
    BorderBias bias;
    bool has_adjoint;  ///< results are linear in the image
    bool needs_value;  ///< "constant:V"
};

inline constexpr auto kBorders = std::to_array<BorderMode>({
    {"zero", Border::zero, "black", "0 0 0 | a b c d | 0 0 0", true, BorderBias::none, true, false},
    // The value is subtracted from the data first, and added back, times the PSF's sum, at the end.
    {"constant", Border::constant, "", "V; V,V,V is one a channel; 0..1 for integers", true, BorderBias::value, false,
     true},
    {"clamp", Border::clamp, "edge nearest replicate", "a a a | a b c d | d d d", false, BorderBias::mean, true, false},
    {"wrap", Border::wrap, "periodic", "b c d | a b c d | a b c", false, BorderBias::mean, true, false},
    {"mirror", Border::mirror, "symmetric", "c b a | a b c d | d c b   (scipy: reflect)", false, BorderBias::mean, true,
     false},
    {"reflect", Border::reflect, "reflect101", "d c b | a b c d | c b a   (scipy: mirror)", false, BorderBias::mean,
     true, false},
    // Divided by the convolution of the coverage, 1 inside and 0 outside, with the same PSF.
    {"renormalize", Border::renormalize, "", "zero, then divided by the PSF's weight inside", true, BorderBias::mean,
     true, false},
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
