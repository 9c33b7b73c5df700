// SPDX-License-Identifier: Apache-2.0
// What a Convolver of the library does: from samples of a caller to results of a caller.
#pragma once

#include "engine/convolver.h"
#include "library/inside.h"
#include "library/look.h"
#include "library/work_asked.h"

#include <cstddef>
#include <memory>

namespace clconv {

class WorkDone {
public:
    /// All must outlive it.
    WorkDone(v0::Device::Inside& device, const std::shared_ptr<const Psf>& psf, const WorkAsked& asked);

    /// Throws InvalidProblem, InputError, DeviceError.
    v0::Report run(const v0::ConstView& image, const v0::View& result);

private:
    struct Made {
        ConvolvedImage image;
        SampleType type;  ///< of its samples
    };
    [[nodiscard]] Made convolved(ImageView view, const Look& look, SampleType output);
    /// Missing samples do not count. The result is floats.
    [[nodiscard]] ConvolvedImage without_gaps(ImageView view);
    [[nodiscard]] Bytes memory_for(std::size_t size);
    void fit_psf(Extent image);
    /// Whether results may not be finite although all samples are.
    [[nodiscard]] bool may_overflow(const Look& look) const;

    v0::Device::Inside& device_;
    const std::shared_ptr<const Psf>& given_psf_;
    std::shared_ptr<const Psf> psf_;  ///< for images of shorter_side_
    int shorter_side_ = 0;
    double psf_magnitude_ = 0;
    const WorkAsked& asked_;
    std::byte* place_ = nullptr;  ///< where the next result of place_bytes_ may be made at once
    std::size_t place_bytes_ = 0;
    Convolver engine_;
    std::unique_ptr<Convolver> masks_;  ///< of samples that are missing; made when the first image has some
};

}  // namespace clconv
