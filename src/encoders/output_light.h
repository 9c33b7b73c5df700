// SPDX-License-Identifier: Apache-2.0
// The light in which an image is convolved and written: how --linear uses the input's transfer function.
#pragma once

#include "image/image.h"

#include <filesystem>
#include <memory>

namespace clconv {

/// The transfer function of the file at `output` with samples of `type`. Floats are light, and so is everything in
/// FITS. Other integers have the input's function if the file can name it as the input did, or by a profile that is
/// made for its colours. Otherwise they have sRGB's, which readers assume by default. None if the image has none.
/// Throws InputError if no format has this extension.
[[nodiscard]] std::shared_ptr<const Transfer> output_transfer(const Image& image, const std::filesystem::path& output,
                                                              FileType type, bool strips_metadata);

/// The work of the engine for such a file: it decodes and encodes sRGB. The reader and the writer do the rest.
[[nodiscard]] Light engine_light(const Image& image, const Transfer* output);

/// Whether write_image() has yet to encode the results of such a convolution.
[[nodiscard]] inline bool is_encoded_by_writer(Light light, const Transfer* output)
{
    return light == Light::linear && output != nullptr && output->shape != Transfer::Shape::linear;
}

}  // namespace clconv
