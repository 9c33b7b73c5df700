// The samples that a file gets, made from an image's. Private to src/image.
#pragma once

#include "image/output_header.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace clconv::oiio {

/// The image's own samples where nothing has to change; else with other channels, not multiplied by alpha, or of
/// another type.
class EncodedSamples {
public:
    /// `samples`: some rows of `image`, which may itself have none. `straight`: as writes_straight() says. The result
    /// is of `type`, with as many channels as `channels` says; with a `seed`, integers are dithered. `first_row`: of
    /// the rows, in the image. `transfer`: that colours get if the image's are light.
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
