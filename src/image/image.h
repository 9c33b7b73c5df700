// A decoded image: interleaved samples in the file's own type, and everything else the file said.
#pragma once

#include "base/bytes.h"
#include "base/image_view.h"

#include <memory>
#include <optional>
#include <string>

namespace clconv {

/// What a file says beside its samples (EXIF, ICC, XMP, windows, channel names, ...). Opaque: only the reader
/// and the writer look inside.
class Metadata;

struct Image {
    Extent extent;
    int channels = 0;
    int alpha_channel = -1;                 ///< -1 if there is none
    SampleType type = SampleType::float32;  ///< of `samples`
    SampleType stored_type =
        SampleType::float32;      ///< of the file; differs from `type` where straight alpha was associated
    bool straight_alpha = false;  ///< the file's colours are not multiplied by alpha; `samples` are, as floats
    int subimages = 1;            ///< in the file; only the first is read
    Bytes samples;
    std::shared_ptr<const Metadata> metadata;

    [[nodiscard]] ImageView view() const { return {extent, channels, type, samples.data()}; }
};

}  // namespace clconv
