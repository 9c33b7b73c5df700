// SPDX-License-Identifier: Apache-2.0
#include "codecs/webp_input.h"

#include "codecs/open_image.h"
#include "formats/webp_chunks.h"

#include <webp/demux.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

// Declared in OpenImageIO/tiffutils.h, which cannot be included without the headers of libtiff.
OIIO_NAMESPACE_BEGIN
OIIO_API bool decode_xmp(string_view xml, ImageSpec& spec);
OIIO_NAMESPACE_END

namespace clconv::webp {
namespace {

constexpr std::size_t kDecodedChannels = 4;

struct DeleteDecoder {
    void operator()(WebPAnimDecoder* decoder) const { WebPAnimDecoderDelete(decoder); }
};

std::string contents_of(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

class WebpInput final : public OIIO::ImageInput {
public:
    explicit WebpInput(const std::filesystem::path& path) : file_(contents_of(path))
    {
        const WebPData data{reinterpret_cast<const std::uint8_t*>(file_.data()), file_.size()};
        WebPAnimDecoderOptions options;
        WebPAnimInfo info;
        if (WebPAnimDecoderOptionsInit(&options) != 0) {
            options.color_mode = MODE_RGBA;
            decoder_.reset(WebPAnimDecoderNew(&data, &options));
        }
        if (!decoder_ || WebPAnimDecoderGetInfo(decoder_.get(), &info) == 0 || info.frame_count == 0)
            oiio::fail(path, "cannot be decoded: it is no complete WebP");
        const bool has_alpha = oiio::webp_kind(path).value_or(oiio::WebpKind{}).has_alpha;
        frames_ = static_cast<int>(info.frame_count);
        m_spec = OIIO::ImageSpec(static_cast<int>(info.canvas_width), static_cast<int>(info.canvas_height),
                                 has_alpha ? 4 : 3, OIIO::TypeDesc::UINT8);
        m_spec.attribute("oiio:ColorSpace", "sRGB");
        if (has_alpha) m_spec.attribute("oiio:UnassociatedAlpha", 1);
        if (frames_ > 1) m_spec.attribute("oiio:subimages", frames_);
        if (const std::string xmp = oiio::webp_blocks(path).blocks.xmp; !xmp.empty()) OIIO::decode_xmp(xmp, m_spec);
    }

    const char* format_name() const override { return "webp"; }
    bool open(const std::string& /*name*/, OIIO::ImageSpec& /*spec*/) override { return false; }
    bool close() override { return true; }
    int current_subimage() const override { return frame_; }

    bool seek_subimage(int subimage, int miplevel) override
    {
        if (subimage < 0 || subimage >= frames_ || miplevel != 0) return false;
        frame_ = subimage;
        return true;
    }

    bool read_native_scanline(int subimage, int miplevel, int y, int z, void* samples) override
    {
        return read_native_scanlines(subimage, miplevel, y, y + 1, z, samples);
    }

    bool read_native_scanlines(int subimage, int miplevel, int begin, int end, int /*z*/, void* samples) override
    {
        if (!seek_subimage(subimage, miplevel)) return false;
        if (!decode_frame()) {
            errorfmt("the file ends too early or is damaged");
            return false;
        }
        const auto width = static_cast<std::size_t>(m_spec.width);
        const auto channels = static_cast<std::size_t>(m_spec.nchannels);
        const std::size_t first = width * static_cast<std::size_t>(begin);
        const std::size_t last = width * static_cast<std::size_t>(std::min(end, m_spec.height));
        auto* to = static_cast<std::uint8_t*>(samples);
        for (std::size_t pixel = first; pixel < last; ++pixel, to += channels)
            std::memcpy(to, pixels_ + pixel * kDecodedChannels, channels);
        return true;
    }

private:
    /// Decodes onward to the current frame. Its pixels stay until the next call.
    bool decode_frame()
    {
        if (decoded_ == frame_) return true;
        if (decoded_ > frame_) {
            WebPAnimDecoderReset(decoder_.get());
            decoded_ = -1;
        }
        int time = 0;
        while (decoded_ < frame_) {
            if (WebPAnimDecoderGetNext(decoder_.get(), &pixels_, &time) == 0) {
                WebPAnimDecoderReset(decoder_.get());
                decoded_ = -1;
                return false;
            }
            ++decoded_;
        }
        return true;
    }

    std::string file_;
    std::unique_ptr<WebPAnimDecoder, DeleteDecoder> decoder_;
    int frames_ = 0;
    int frame_ = 0;
    int decoded_ = -1;                ///< the frame at `pixels_`; -1: none
    std::uint8_t* pixels_ = nullptr;  ///< RGBA, of the decoder
};

}  // namespace

bool is_ours(const std::filesystem::path& path)
{
    const std::optional<oiio::WebpKind> kind = oiio::webp_kind(path);
    return kind && (kind->has_alpha || kind->is_animation);
}

std::unique_ptr<OIIO::ImageInput> open_input(const std::filesystem::path& path)
{
    return std::make_unique<WebpInput>(path);
}

}  // namespace clconv::webp
