// SPDX-License-Identifier: Apache-2.0
// One convolution, independent of the device, of the content and of how it is computed.
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

/// The positions that the output covers: `--mode`.
enum class Mode {
    same,   ///< the image's own
    full,   ///< every position the PSF touches
    valid,  ///< positions that need no border
};
template <>
inline constexpr auto kNames<Mode> =
    std::to_array<Named<Mode>>({{"same", Mode::same}, {"full", Mode::full}, {"valid", Mode::valid}});

/// The order of the samples of an image in memory.
enum class Layout {
    interleaved,  ///< [y][x][channel], as in files
    planar,       ///< [channel][y][x], for comparisons with other libraries
};
template <>
inline constexpr auto kNames<Layout> = std::to_array<Named<Layout>>({{"interleaved", Layout::interleaved},
                                                                     {"planar", Layout::planar}});

/// How far a kernel reaches.
enum class KernelSupport {
    finite,    ///< as far as its PSF
    infinite,  ///< everywhere, as the inverse of a PSF does: each result depends on the whole image
};

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
    bool decode_srgb = false;                       ///< samples are sRGB codes, which are decoded when they are loaded
    bool encode_srgb = false;                       ///< results become sRGB codes when they are stored
    bool counts_clamped = false;                    ///< results that integers clamp by more than a code are counted
    BlendShape blend = {};                          ///< only with outputs within the image: modes same and valid
    KernelSupport support = KernelSupport::finite;  ///< of the kernel that is made of the PSF
    bool alternates = false;                        ///< with its adjoint, and steps between them change every sample
    std::uint64_t extra_bytes = 0;  ///< device memory of an image besides its convolution's; no part of token()
    friend auto operator<=>(const Problem&, const Problem&) = default;
};

/// One line: "3840x2160x3 u8>u8 * 511x511x1@255,255 clamp same", then "planar", "in half", "in linear light", "of
/// highlights", "mixed", "screened" and the other tokens of kBlendFlags, "everywhere" and "in turns" if they apply. Two
/// problems with the same token have the same plan.
[[nodiscard]] std::string token(const Problem& problem);

/// The same for the plan's programs, which may also count clamped results. Two problems with the same key have both in
/// common.
[[nodiscard]] std::string program_key(const Problem& problem);

/// The blend as kernels compute it. For 8 bits they read from tables how much more clipped highlights count.
[[nodiscard]] BlendShape computed_blend(const Problem& problem);

/// Extent of the output. Throws InvalidProblem with both sizes if `valid` has no position.
[[nodiscard]] Extent output_extent(const Problem& problem);

/// Throws InvalidProblem if the numbers make no sense: an empty image or PSF, an origin outside the PSF, a number of
/// PSF channels that is neither 1 nor the image's, no output, a blend with mode full, a kernel of infinite support with
/// another mode than same, border renormalize or precision half; TooLarge for a side longer than
/// kMaxSide, more than kMaxChannels or kMaxSamples. Problems that pass are planned without overflow.
void check(const Problem& problem);

}  // namespace clconv
