// SPDX-License-Identifier: Apache-2.0
#include "encoders/write_psf.h"

#include "base/errors.h"
#include "codecs/file_formats.h"
#include "codecs/image_file.h"
#include "encoders/write_image.h"
#include "image/format_table.h"
#include "image/samples.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace clconv {

void write_psf(const std::filesystem::path& path, const Psf& psf, std::optional<SampleType> type)
{
    Image image;
    image.extent = psf.extent;
    image.channels = psf.channels;
    image.type = SampleType::float32;
    image.stored_type = FileType::float32;
    image.samples = allocate_samples(image);
    const std::span<float> samples = image.samples.as<float>();
    const std::size_t pixels = psf.extent.pixels();
    const auto channels = static_cast<std::size_t>(psf.channels);
    for (std::size_t i = 0; i < psf.weights.size(); ++i)
        samples[i % pixels * channels + i / pixels] = static_cast<float>(psf.weights[i]);
    WriteOptions options;
    if (type) options.type = file_type_of(*type);
    constexpr std::string_view lossless = "lossless";  // of WebP
    if (std::ranges::count(file_format_of(path).codecs, lossless, &Codec::name) > 0)
        options.compression = Compression{std::string(lossless), std::nullopt};
    write_image(path, image, options);
}

}  // namespace clconv
