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

class WebpOutput final : public oiio::ImageOutput {
public:
    [[nodiscard]] std::string_view format() const override { return "webp"; }
    [[nodiscard]] const oiio::FileHeader& header() const override { return header_; }

    bool open(const std::string& /*name*/, const std::vector<oiio::FileHeader>& headers) override
    {
        header_ = headers.front();
        const bool fits = (header_.nchannels == 3 || header_.nchannels == 4) && header_.width <= WEBP_MAX_DIMENSION &&
                          header_.height <= WEBP_MAX_DIMENSION && header_.format == OIIO::TypeDesc::UINT8;
        if (headers.size() > 1 || stream() == nullptr || !fits) return fail("a WebP file cannot hold this image");
        pixels_.resize(header_.image_bytes());
        is_open_ = true;
        return true;
    }

    bool write_rows(oiio::RowRange rows, OIIO::TypeDesc type, const std::byte* samples) override
    {
        if (type != header_.format) return fail("samples of another type than the file's");
        const std::size_t row = header_.scanline_bytes();
        std::memcpy(pixels_.data() + static_cast<std::size_t>(rows.begin) * row, samples,
                    static_cast<std::size_t>(rows.count()) * row);
        return true;
    }

    bool close() override
    {
        if (!is_open_) return true;
        is_open_ = false;
        const std::string file = encoded();
        if (file.empty()) return fail("libwebp could not encode it");
        return stream()->write(file.data(), file.size()) == file.size();
    }

private:
    [[nodiscard]] bool configure(WebPConfig& config) const
    {
        if (WebPConfigInit(&config) == 0) return false;
        config.exact = 1;  // colours under an alpha of 0 stay
        if (header_.get_string_attribute("compression") == oiio::kLosslessWebp)
            return WebPConfigLosslessPreset(&config, kLevel) != 0;
        config.method = kMethod;
        config.quality = static_cast<float>(header_.get_int_attribute("CompressionQuality", kQuality));
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
        p.width = header_.width;
        p.height = header_.height;
        p.writer = write_to_text;
        p.custom_ptr = &file;
        const int row = static_cast<int>(header_.scanline_bytes());
        const bool taken = header_.nchannels == 4 ? WebPPictureImportRGBA(&p, pixels_.data(), row) != 0
                                                  : WebPPictureImportRGB(&p, pixels_.data(), row) != 0;
        if (!taken || WebPEncode(&config, &p) == 0) file.clear();
        return file;
    }

    oiio::FileHeader header_;
    bool is_open_ = false;
    std::vector<std::uint8_t> pixels_;
};

}  // namespace

std::unique_ptr<oiio::ImageOutput> create_output() { return std::make_unique<WebpOutput>(); }

}  // namespace clconv::webp
