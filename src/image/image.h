// SPDX-License-Identifier: Apache-2.0
// A decoded image: interleaved samples in the file's own type, and everything else in the file.
#pragma once

#include "base/bytes.h"
#include "base/image_view.h"
#include "base/sample_facts.h"
#include "image/image_header.h"

#include <memory>
#include <string>
#include <vector>

namespace clconv {

struct Image : ImageHeader {
    Bytes samples;  ///< empty in an image that is too large to be held and is read by rows
    /// The copied channels, pixel by pixel, in the size of the input, which may differ from that of a result.
    std::shared_ptr<const Bytes> kept = {};
    std::shared_ptr<const SampleFacts> facts = {};  ///< of `samples`, if they were looked for

    [[nodiscard]] bool is_decoded() const { return samples.size() > 0 || kept; }
    /// Bytes of samples and copied channels, even if they are not held.
    [[nodiscard]] std::size_t bytes() const { return view().bytes() + (split ? split->kept_bytes() : 0); }
    [[nodiscard]] ImageView view() const
    {
        ImageView view{extent, channels, type, samples.data(), light, transfer.get(), has_codes()};
        view.facts = facts.get();
        view.alpha_channel = alpha_channel;
        view.layers = layers;
        return view;
    }
};

/// An image of this header, without samples.
[[nodiscard]] inline Image without_samples(const ImageHeader& header)
{
    Image image;
    static_cast<ImageHeader&>(image) = header;
    return image;
}

}  // namespace clconv
