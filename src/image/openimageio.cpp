#include "image/openimageio.h"

#include <mutex>

namespace clconv::oiio {

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
