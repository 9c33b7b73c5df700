// SPDX-License-Identifier: Apache-2.0
#include "codecs/dpx_head.h"

#include "formats/file_head.h"

#include <cstdint>

namespace clconv::oiio {
namespace {

/// Where the heads end, which follow the general one.
constexpr std::uint64_t kEndOfPictures = 1920;
constexpr std::uint64_t kEndOfTelevision = 2048;

constexpr const char* kOfPictures[] = {"dpx:Format",    "dpx:FramePosition", "dpx:SequenceLength", "dpx:HeldCount",
                                       "dpx:FrameRate", "dpx:ShutterAngle",  "dpx:FrameId",        "dpx:SlateInfo",
                                       "smpte:KeyCode", "dpx:FilmEdgeCode"};
constexpr const char* kOfTelevision[] = {"smpte:TimeCode",
                                         "dpx:TimeCode",
                                         "dpx:UserBits",
                                         "dpx:Interlace",
                                         "dpx:FieldNumber",
                                         "dpx:Signal",
                                         "dpx:HorizontalSampleRate",
                                         "dpx:VerticalSampleRate",
                                         "dpx:TemporalFrameRate",
                                         "dpx:TimeOffset",
                                         "dpx:BlackLevel",
                                         "dpx:BlackGain",
                                         "dpx:BreakPoint",
                                         "dpx:WhiteLevel",
                                         "dpx:IntegrationTimes"};

}  // namespace

void drop_missing_heads(const std::filesystem::path& path, FileHeader& header)
{
    const FileHead head(path);
    const std::uint64_t pixels = head.number(4, 4, head.begins("SDPX") ? ByteOrder::big : ByteOrder::little);
    if (pixels < kEndOfPictures)
        for (const char* name : kOfPictures) header.erase_attribute(name);
    if (pixels >= kEndOfTelevision) return;
    for (const char* name : kOfTelevision) header.erase_attribute(name);
    if (header.find_attribute("oiio:Gamma") == nullptr) return;
    header.erase_attribute("oiio:Gamma");
    header.erase_attribute("oiio:ColorSpace");  // which is that gamma
}

}  // namespace clconv::oiio
