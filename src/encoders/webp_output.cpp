// SPDX-License-Identifier: Apache-2.0
#include "encoders/webp_output.h"

#include "formats/webp_chunks.h"

#include <webp/encode.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace clconv::webp {
namespace {

constexpr int kLevel = 6;   // libwebp's default for lossless pictures
constexpr int kMethod = 6;  // the library's for pictures with a loss: the slowest and smallest
constexpr int kQuality = 100;

/// Frees what libwebp holds of a picture.
class Picture {
public:
    Picture() : is_ready_(WebPPictureInit(&picture_) != 0) {}
    ~Picture() { WebPPictureFree(&picture_); }
    Picture(const Picture&) = delete;
    Picture& operator=(const Picture&) = delete;

    [[nodiscard]] bool is_ready() const { return is_ready_; }
    [[nodiscard]] WebPPicture& get() { return picture_; }

private:
    WebPPicture picture_{};
    bool is_ready_;
};

int write_to_text(const std::uint8_t* bytes, std::size_t count, const WebPPicture* picture)
{
    static_cast<std::string*>(picture->custom_ptr)->append(reinterpret_cast<const char*>(bytes), count);
    return 1;
}

class WebpOutput final : public OIIO::ImageOutput {
public:
    const char* format_name() const override { return "webp"; }
    int supports(OIIO::string_view feature) const override
    {
        return feature == "ioproxy" || feature == "alpha" ? 1 : 0;
    }

    bool set_ioproxy(OIIO::Filesystem::IOProxy* stream) override
    {
        stream_ = stream;
        return true;
    }

    bool open(const std::string& /*name*/, const OIIO::ImageSpec& header, OpenMode mode) override
    {
        m_spec = header;
        const bool fits = (header.nchannels == 3 || header.nchannels == 4) && header.width <= WEBP_MAX_DIMENSION &&
                          header.height <= WEBP_MAX_DIMENSION;
        if (mode != Create || stream_ == nullptr || !fits) {
            errorfmt("a WebP file cannot hold this image");
            return false;
        }
        m_spec.set_format(OIIO::TypeDesc::UINT8);
        pixels_.resize(m_spec.image_bytes());
        is_open_ = true;
        return true;
    }

    bool write_scanline(int y, int /*z*/, OIIO::TypeDesc format, const void* samples, OIIO::stride_t stride) override
    {
        const void* const row = to_native_scanline(format, samples, stride, scratch_);
        std::memcpy(pixels_.data() + static_cast<std::size_t>(y - m_spec.y) * m_spec.scanline_bytes(), row,
                    m_spec.scanline_bytes());
        return true;
    }

    bool close() override
    {
        if (!is_open_) return true;
        is_open_ = false;
        const std::string file = encoded();
        if (file.empty()) {
            errorfmt("libwebp could not encode it");
            return false;
        }
        return stream_->write(file.data(), file.size()) == file.size();
    }

private:
    [[nodiscard]] bool configure(WebPConfig& config) const
    {
        if (WebPConfigInit(&config) == 0) return false;
        config.exact = 1;  // colours under an alpha of 0 stay
        if (m_spec.get_string_attribute("compression") == oiio::kLosslessWebp)
            return WebPConfigLosslessPreset(&config, kLevel) != 0;
        config.method = kMethod;
        config.quality = static_cast<float>(m_spec.get_int_attribute("CompressionQuality", kQuality));
        return WebPValidateConfig(&config) != 0;
    }

    /// Empty if it fails.
    [[nodiscard]] std::string encoded() const
    {
        std::string file;
        WebPConfig config;
        Picture picture;
        if (!picture.is_ready() || !configure(config)) return file;
        WebPPicture& p = picture.get();
        p.use_argb = config.lossless;
        p.width = m_spec.width;
        p.height = m_spec.height;
        p.writer = write_to_text;
        p.custom_ptr = &file;
        const int row = static_cast<int>(m_spec.scanline_bytes());
        const bool taken = m_spec.nchannels == 4 ? WebPPictureImportRGBA(&p, pixels_.data(), row) != 0
                                                 : WebPPictureImportRGB(&p, pixels_.data(), row) != 0;
        if (!taken || WebPEncode(&config, &p) == 0) file.clear();
        return file;
    }

    OIIO::Filesystem::IOProxy* stream_ = nullptr;
    bool is_open_ = false;
    std::vector<std::uint8_t> pixels_;
    std::vector<unsigned char> scratch_;
};

}  // namespace

std::unique_ptr<OIIO::ImageOutput> create_output() { return std::make_unique<WebpOutput>(); }

}  // namespace clconv::webp
