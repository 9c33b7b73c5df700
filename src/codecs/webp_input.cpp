// SPDX-License-Identifier: Apache-2.0
#include "codecs/webp_input.h"

#include "codecs/codec_library.h"
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
#include <string_view>

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

class WebpInput final : public oiio::Decoder {
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
        header_ = oiio::FileHeader(static_cast<int>(info.canvas_width), static_cast<int>(info.canvas_height),
                                   has_alpha ? 4 : 3, OIIO::TypeDesc::UINT8);
        header_.attribute("oiio:ColorSpace", "sRGB");
        if (has_alpha) header_.attribute("oiio:UnassociatedAlpha", 1);
        if (frames_ > 1) header_.attribute("oiio:subimages", frames_);
        if (const std::string xmp = oiio::webp_blocks(path).blocks.xmp; !xmp.empty())
            oiio::codec_library().decode_xmp(xmp, header_);
    }

    [[nodiscard]] std::string_view format() const override { return "webp"; }
    [[nodiscard]] const oiio::FileHeader& header() const override { return header_; }
    [[nodiscard]] int part() const override { return frame_; }

    bool seek(int part, int level) override
    {
        if (part < 0 || part >= frames_ || level != 0) return false;
        frame_ = part;
        return true;
    }

    bool read_rows(oiio::RowRange rows, OIIO::TypeDesc /*type*/, std::byte* samples) override
    {
        if (!decode_frame()) {
            add_error("the file ends too early or is damaged");
            return false;
        }
        const auto width = static_cast<std::size_t>(header_.width);
        const auto channels = static_cast<std::size_t>(header_.nchannels);
        const std::size_t first = width * static_cast<std::size_t>(rows.begin);
        const std::size_t last = width * static_cast<std::size_t>(std::min(rows.end, header_.height));
        for (std::size_t pixel = first; pixel < last; ++pixel, samples += channels)
            std::memcpy(samples, pixels_ + pixel * kDecodedChannels, channels);
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
    oiio::FileHeader header_;
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

std::unique_ptr<oiio::Decoder> open_input(const std::filesystem::path& path)
{
    return std::make_unique<WebpInput>(path);
}

}  // namespace clconv::webp
