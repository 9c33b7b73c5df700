// SPDX-License-Identifier: Apache-2.0
// The samples of overlapping parts (plan/overlapping_parts.h): cut out of an image, and put together as its result.
#pragma once

#include "base/block_pool.h"
#include "base/image_view.h"
#include "engine/convolved_image.h"
#include "plan/overlapping_parts.h"

#include <string>
#include <vector>

namespace clconv {

/// A part, with memory of its own.
struct CutPart {
    Bytes samples;
    Position first;  ///< in the image
    ImageView view;
};

class JoinedParts {
public:
    /// Results have the image's extent, and samples of type `output` from `memory`. The image must outlive this.
    JoinedParts(const ImageView& image, const OverlappingParts& parts, SampleType output, const Allocate& memory);

    [[nodiscard]] CutPart cut(int number) const;
    /// Puts the new samples of a part's result into their place, and adds its numbers. Of the samples that it clamped,
    /// the share of the new ones counts.
    void place(int number, const ConvolvedImage& result);
    void warn(std::vector<std::string> warnings) { whole_.warnings = std::move(warnings); }
    /// After the last part. Residuals are the mean of those of the parts.
    [[nodiscard]] ConvolvedImage take();

private:
    const ImageView& image_;
    const OverlappingParts parts_;
    std::size_t pixel_bytes_;  ///< of results
    ConvolvedImage whole_;
};

}  // namespace clconv
