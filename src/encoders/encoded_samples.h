// SPDX-License-Identifier: Apache-2.0
// Makes the samples of a file from those of an image. Private to src/encoders.
#pragma once

#include "encoders/output_header.h"

#include <cstddef>

namespace clconv::oiio {

/// The image's own samples if nothing has to change. Otherwise other channels, colours not multiplied by alpha, or
/// another type, or the value of missing samples where they are NaN.
class EncodedSamples {
public:
    /// `samples`: the rows of `image` from `first_row` on; the image itself may have none. Its colours are encoded only
    /// if they are light.
    EncodedSamples(const Image& image, const ImageView& samples, const FileEncoding& encoding, int first_row = 0);

    [[nodiscard]] const std::byte* data() const { return samples_; }

private:
    /// The samples of `view`, which has the channels of the file.
    void encode(const Image& image, const ImageView& view, const FileEncoding& encoding, int first_row);
    void own(Bytes samples);

    Bytes owned_;
    const std::byte* samples_;
};

}  // namespace clconv::oiio
