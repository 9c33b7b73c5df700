// SPDX-License-Identifier: Apache-2.0
#include "codecs/white_zero.h"

#include "base/errors.h"
#include "codecs/decoding.h"
#include "image/image.h"

#include <cstdint>
#include <limits>

namespace clconv::oiio {
namespace {

template <class T, class Invert>
void for_each_gray(std::byte* samples, std::size_t pixels, const GrayLayout& layout, T one, const Invert& invert)
{
    T* pixel = reinterpret_cast<T*>(samples);
    for (std::size_t i = 0; i < pixels; ++i, pixel += layout.channels) {
        const T white = layout.alpha < 0 ? one : pixel[layout.alpha];
        pixel[layout.gray] = invert(white, pixel[layout.gray]);
    }
}

template <class T>
void invert_integers(std::byte* samples, std::size_t pixels, const GrayLayout& layout)
{
    for_each_gray<T>(samples, pixels, layout, std::numeric_limits<T>::max(),
                     [](T white, T x) { return x < white ? static_cast<T>(white - x) : T{0}; });
}

}  // namespace

bool is_white_zero(const Metadata& metadata)
{
    return metadata.tiff && metadata.tiff->photometric == Photometric::white_is_zero;
}

bool is_inverted(const Metadata& metadata)
{
    if (!is_white_zero(metadata)) return false;
    switch (file_type_of(metadata.spec.format)) {
        case FileType::u8:
        case FileType::u16:
        case FileType::i8:
        case FileType::i16:
        case FileType::half:
        case FileType::float32: return true;
        case FileType::i32:
        case FileType::u32:
        case FileType::float64: return false;
    }
    return false;
}

GrayLayout gray_layout(const Image& image)
{
    GrayLayout layout{.channels = image.channels, .gray = image.split ? image.split->image_channel(0) : 0};
    if (layout.gray == image.alpha_channel) layout.gray = -1;
    if (!image.straight_alpha && layout.gray >= 0) layout.alpha = image.alpha_channel;
    return layout;
}

void invert_gray(std::byte* samples, SampleType type, std::size_t pixels, const GrayLayout& layout)
{
    if (layout.gray < 0) return;
    switch (type) {
        case SampleType::u8: return invert_integers<std::uint8_t>(samples, pixels, layout);
        case SampleType::u16: return invert_integers<std::uint16_t>(samples, pixels, layout);
        case SampleType::float32:
            return for_each_gray<float>(samples, pixels, layout, 1, [](float white, float x) { return white - x; });
        case SampleType::half:
        case SampleType::float64: throw InternalError("only floats and integers are inverted");
    }
}

}  // namespace clconv::oiio
