// Makes the samples of a file from those of an image. Private to src/image.
#pragma once

#include "image/output_header.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace clconv::oiio {

/// The image's own samples if nothing has to change. Otherwise other channels, colours not multiplied by alpha, or
/// another type.
class EncodedSamples {
public:
    /// `samples`: some rows of `image`, which may itself have none. `straight`: from writes_straight(). The result has
    /// `type` and `channels`. With a `seed`, integers are dithered. `first_row`: position of the rows in the image.
    /// `transfer`: for colours, if the image's are light.
    EncodedSamples(const Image& image, const ImageView& samples, const ChannelChoice& channels, bool straight,
                   FileType type, const std::shared_ptr<const Transfer>& transfer,
                   std::optional<std::uint64_t> seed = {}, int first_row = 0);

    [[nodiscard]] const std::byte* data() const { return samples_; }

private:
    void own(Bytes samples);

    Bytes owned_;
    const std::byte* samples_;
};

}  // namespace clconv::oiio
