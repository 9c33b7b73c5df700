// One convolution, independent of device, of content and of how it is computed.
#pragma once

#include "base/extent.h"
#include "base/names.h"
#include "base/sample_type.h"
#include "conv/blend.h"
#include "conv/border.h"
#include "conv/precision.h"

#include <optional>
#include <string>
#include <string_view>

namespace clconv {

/// Which positions the output covers: what `--mode` asks for.
enum class Mode {
    same,   ///< the image's own
    full,   ///< every position the PSF touches
    valid,  ///< positions that need no border
};
template <>
inline constexpr auto kNames<Mode> =
    std::to_array<Named<Mode>>({{"same", Mode::same}, {"full", Mode::full}, {"valid", Mode::valid}});

/// How the samples of an image lie in memory.
enum class Layout {
    interleaved,  ///< [y][x][channel], as files have them
    planar,       ///< [channel][y][x], as other libraries want them: for comparisons
};
template <>
inline constexpr auto kNames<Layout> = std::to_array<Named<Layout>>({{"interleaved", Layout::interleaved},
                                                                     {"planar", Layout::planar}});

struct Problem {
    Extent image;
    int channels = 1;
    SampleType input = SampleType::float32;
    SampleType output = SampleType::float32;
    Extent psf;
    Position origin;
    int psf_channels = 1;  ///< 1, or as many as the image has
    Border border = Border::clamp;
    Mode mode = Mode::same;
    Layout layout = Layout::interleaved;
    Precision precision = Precision::float32;
    bool decode_srgb = false;     ///< samples are sRGB codes, made linear when they are loaded
    bool encode_srgb = false;     ///< results become sRGB codes when they are stored
    bool counts_clamped = false;  ///< results that integers clamp by more than a code are counted
    BlendShape blend = {};        ///< only with outputs that lie within the image: modes same and valid
    friend auto operator<=>(const Problem&, const Problem&) = default;
};

/// One line: "3840x2160x3 u8>u8 * 511x511x1@255,255 clamp same", then "planar", "in half", "in linear light" and
/// "of highlights", "mixed", "screened", "masked" where they hold. Two problems with one token have one plan.
[[nodiscard]] std::string token(const Problem& problem);

/// Extent of the output. Throws InvalidProblem naming both sizes if `valid` has no position.
[[nodiscard]] Extent output_extent(const Problem& problem);

/// Throws InvalidProblem if the numbers make no sense: an empty image or PSF, an origin outside the PSF, a number of
/// PSF channels that is neither 1 nor the image's, no output, a blend with mode full; TooLarge for a side longer than
/// kLongestSide, more than kMostChannels or kMostSamples. What has passed is planned without overflow.
void check(const Problem& problem);

}  // namespace clconv
