// In which light an image is convolved and written: what --linear makes of the input's transfer function.
#pragma once

#include "image/image.h"

#include <filesystem>
#include <memory>

namespace clconv {

/// The transfer function of the file at `output` with samples of `type`. Floats are light, and so is all that FITS
/// holds. Other integers have the input's function if the file says so as the input did, else sRGB's, for which readers
/// take what says nothing. None where the image has none. Throws InputError if no format has this extension.
[[nodiscard]] std::shared_ptr<const Transfer> output_transfer(const Image& image, const std::filesystem::path& output,
                                                              FileType type, bool strips_metadata);

/// What the engine does for such a file: it decodes and encodes sRGB. What is left to do the reader has done, and the
/// writer does it.
[[nodiscard]] Light engine_light(const Image& image, const Transfer* output);

/// Whether write_image() has yet to encode the results of such a convolution.
[[nodiscard]] inline bool is_encoded_by_writer(Light light, const Transfer* output)
{
    return light == Light::linear && output != nullptr && output->shape != Transfer::Shape::linear;
}

}  // namespace clconv
