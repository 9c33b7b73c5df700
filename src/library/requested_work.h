// SPDX-License-Identifier: Apache-2.0
// The work requested of a Convolver of the library, as values of the engine.
#pragma once

#include "base/transfer.h"
#include "engine/convolver.h"
#include "image/nonfinite.h"
#include "library/inside.h"
#include "settings/requested_blending.h"

#include <memory>
#include <string>

namespace clconv {

struct RequestedWork {
    ConvolveSettings convolve;
    NonFiniteRule nonfinite = NonFiniteRule::error;
    bool is_inverse = false;  ///< of a PSF, so that results may be much larger than samples
    bool is_linear = false;   ///< u8 and u16 are sRGB codes, which become light and are encoded again
    std::shared_ptr<const Transfer> light = linear_transfer();  ///< of samples that are light
    PsfFit fit = {};  ///< of the PSF to the image's shorter side; none: it stays
};

/// Throws InvalidProblem.
[[nodiscard]] RequestedWork requested_work(v0::Operation operation, const v0::Options& options,
                                           const v0::Device::Inside& device);

/// The type in which the engine takes samples of `type`, or makes them.
[[nodiscard]] SampleType engine_type(v0::SampleType type, Precision precision);

/// The engine's view of samples at `samples` that are as engine_type() says. `result`: the type of the results. Throws
/// InvalidProblem for codes with alpha, which would have to be decoded before they are multiplied by it.
[[nodiscard]] ImageView engine_view(const RequestedWork& requested, const v0::ConstView& image, v0::SampleType result,
                                    const std::byte* samples);

/// The PSF for images of this extent.
[[nodiscard]] std::shared_ptr<const Psf> fitted(const RequestedWork& requested, std::shared_ptr<const Psf> psf,
                                                Extent image);

/// Throws InvalidProblem if there is none.
[[nodiscard]] Extent result_extent(const RequestedWork& requested, Extent image, const Psf& psf);

/// The plan in words. Samples are not read.
[[nodiscard]] std::string planned(const RequestedWork& requested, const v0::ConstView& image, v0::SampleType result,
                                  const Psf& psf, const DeviceInfo& device);

}  // namespace clconv
