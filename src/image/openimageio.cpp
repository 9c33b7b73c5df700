#include "image/openimageio.h"

#include <algorithm>
#include <mutex>

namespace clconv::oiio {
namespace {

/// Whole strips of a TIFF and whole blocks of most EXR files, about a MiB: what the library holds of them besides stays
/// in a core's cache.
int rows_at_a_time(const OIIO::ImageSpec& header)
{
    constexpr std::size_t bytes = std::size_t{1} << 20U;
    constexpr int common_block = 64;
    const int unit = std::clamp(header.get_int_attribute("tiff:RowsPerStrip", common_block), 1, header.height);
    const std::size_t rows = bytes / std::max<std::size_t>(header.scanline_bytes(true), 1);
    return static_cast<int>(std::max<std::size_t>(rows / static_cast<std::size_t>(unit), 1)) * unit;
}

}  // namespace

void initialise()
{
    static std::once_flag once;
    std::call_once(once, [] {
        OIIO::attribute("debug", 0);  // else Debian's library prints what it cannot store
        OIIO::attribute("threads", 1);
        OIIO::attribute("exr_threads", -1);
        OIIO::attribute("tiff:half", 1);
    });
}

OIIO::TypeDesc type_desc(SampleType type)
{
    switch (type) {
        case SampleType::u8: return OIIO::TypeDesc::UINT8;
        case SampleType::u16: return OIIO::TypeDesc::UINT16;
        case SampleType::half: return OIIO::TypeDesc::HALF;
        case SampleType::float32: return OIIO::TypeDesc::FLOAT;
    }
    return OIIO::TypeDesc::UNKNOWN;
}

OIIO::TypeDesc type_to_ask_for(const OIIO::ImageSpec& header, const OIIO::TypeDesc& type)
{
    return header.channelformats.empty() && header.format == type ? OIIO::TypeDesc(OIIO::TypeDesc::UNKNOWN) : type;
}

bool read_rows(OIIO::ImageInput& input, int first, int count, const OIIO::TypeDesc& type, std::byte* samples)
{
    const OIIO::ImageSpec header = input.spec();
    const bool converts = header.channelformats.empty() && header.format != type;
    // OpenImageIO 2.4 reads part of a strip of them as zeros, without a word.
    const bool whole_strips = header.format == OIIO::TypeDesc::DOUBLE;
    const OIIO::TypeDesc asked = converts ? OIIO::TypeDesc(OIIO::TypeDesc::UNKNOWN) : type_to_ask_for(header, type);
    const int values = header.width * header.nchannels;
    const std::size_t row = static_cast<std::size_t>(values) * type.size();
    const std::size_t stored_row = header.scanline_bytes(true);
    const int step = rows_at_a_time(header);
    Bytes stored(converts ? static_cast<std::size_t>(std::min(step, header.height)) * stored_row : 0);
    for (int y = first; y < first + count;) {
        const int step_begin = y / step * step;
        const int begin = whole_strips ? step_begin : y;
        const int end = std::min(step_begin + step, whole_strips ? header.height : first + count);
        std::byte* const decoded = converts ? stored.data() : samples;
        if (!input.read_scanlines(0, 0, header.y + begin, header.y + end, header.z, 0, header.nchannels, asked,
                                  decoded))
            return false;
        for (const int last = std::min(end, first + count); y < last; ++y, samples += row)
            if (converts)
                OIIO::convert_pixel_values(header.format, decoded + static_cast<std::size_t>(y - begin) * stored_row,
                                           type, samples, values);
    }
    return true;
}

std::string reason(std::string message, const char* fallback)
{
    while (!message.empty() && (message.back() == '\n' || message.back() == ' ')) message.pop_back();
    if (message.empty()) return fallback;
    std::string line;
    for (const char letter : message) {
        if (letter == '\n')
            line += "; ";
        else
            line += letter;
    }
    return line;
}

AlphaLayout alpha_layout(const Image& image)
{
    AlphaLayout layout{image.channels, image.alpha_channel, {}};
    for (int channel = 0; channel < image.channels; ++channel)
        if (channel != image.alpha_channel && channel != image.metadata->spec.z_channel)
            layout.colours.push_back(channel);
    return layout;
}

}  // namespace clconv::oiio
