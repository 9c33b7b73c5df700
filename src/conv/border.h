// The value of an image outside its data: what `--border` asks for.
#pragma once

#include <optional>
#include <string_view>

namespace clconv {

enum class Border {
    zero,
    constant,
    clamp,        ///< a a a | a b c d | d d d
    wrap,         ///< b c d | a b c d | a b c
    mirror,       ///< c b a | a b c d | d c b
    reflect,      ///< d c b | a b c d | c b a
    renormalize,  ///< zero, then divided by the convolution of the coverage with the same PSF
};

/// The border of that name or alias (black, edge, nearest, replicate, periodic, symmetric, reflect101).
/// "constant" alone; its value is parsed elsewhere.
[[nodiscard]] std::optional<Border> border_named(std::string_view name);

[[nodiscard]] std::string_view name_of(Border border);

/// True where samples outside the data count as zero (zero, renormalize, and constant, whose value is subtracted
/// from the data first and added again, times the PSF's sum, at the end).
[[nodiscard]] bool is_empty_outside(Border border);

/// The index in [0, count) of the sample that stands at `position` of a line of `count` samples, any position;
/// none where the border is empty there.
[[nodiscard]] std::optional<int> source_index(Border border, int position, int count);

}  // namespace clconv
