// SPDX-License-Identifier: Apache-2.0
// What a Convolver of the library does: from samples of a caller to results of a caller.
#pragma once

#include "engine/convolver.h"
#include "engine/missing_samples.h"
#include "library/inside.h"
#include "library/look.h"
#include "library/requested_work.h"

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clconv {

class WorkDone {
public:
    /// All must outlive it.
    WorkDone(v0::Device::Inside& device, const std::shared_ptr<const Psf>& psf, const RequestedWork& requested);

    /// Images that may be started before the first is finished.
    [[nodiscard]] std::size_t capacity() const { return engine_.capacity(); }
    [[nodiscard]] bool has_started() const { return !started_.empty(); }

    /// Both throw InvalidProblem, InputError, DeviceError. After an exception the image is neither started nor done.
    void start(const v0::ConstView& image, const v0::View& result);
    v0::Report finish();

private:
    /// For an image with missing samples.
    struct Gaps {
        MissingSamples samples;
        KnownWeights known;
        Extent extent;  ///< of the image
        int alpha = -1;
    };
    struct Started {
        v0::View result;
        SampleType type = SampleType::float32;  ///< of what the engine makes
        Bytes samples = {};                     ///< of the image, if they are not the caller's own
        std::optional<Gaps> gaps = {};
        std::shared_ptr<const Psf> psf = {};
        bool may_overflow = false;
        std::vector<std::string> warnings = {};
    };
    /// The samples as the engine takes them. `next` has a copy, if they had to be copied. Throws InputError.
    [[nodiscard]] const std::byte* taken(const v0::ConstView& image, SampleType type, Started& next) const;
    /// Treats samples that are not finite.
    void treat(const NonFinite& bad, ImageView& view, Started& next);
    void divide_by_known(const Started& done, ConvolvedImage& made);
    [[nodiscard]] Bytes memory_for(std::size_t size);
    void fit_psf(Extent image);
    /// Whether results may not be finite although all samples are.
    [[nodiscard]] bool may_overflow(const Look& look) const;

    v0::Device::Inside& device_;
    const std::shared_ptr<const Psf>& given_psf_;
    std::shared_ptr<const Psf> psf_;  ///< for images of shorter_side_
    int shorter_side_ = 0;
    double psf_magnitude_ = 0;
    const RequestedWork& requested_;
    std::byte* place_ = nullptr;  ///< where the next result of place_bytes_ may be made at once
    std::size_t place_bytes_ = 0;
    std::deque<Started> started_;  ///< before the engine: its end waits for what uses the images
    Convolver engine_;
    std::unique_ptr<Convolver> masks_;  ///< of samples that are missing; made when the first image has some
};

}  // namespace clconv
