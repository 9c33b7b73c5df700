// SPDX-License-Identifier: Apache-2.0
#include "encoders/pnm_output.h"

#include "formats/pnm_header.h"

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

namespace clconv::pnm {
namespace {

/// Few codes do not stay, because the convolution of black and white is gray.
constexpr int kMinMaxval = 16;

class PnmOutput final : public OIIO::ImageOutput {
public:
    const char* format_name() const override { return "pnm"; }
    int supports(OIIO::string_view feature) const override { return feature == "ioproxy" ? 1 : 0; }

    bool set_ioproxy(OIIO::Filesystem::IOProxy* stream) override
    {
        stream_ = stream;
        return true;
    }

    bool open(const std::string& /*name*/, const OIIO::ImageSpec& header, OpenMode mode) override
    {
        m_spec = header;
        const bool is_wide = header.format == OIIO::TypeDesc::UINT16;
        const bool fits = is_wide || header.format == OIIO::TypeDesc::UINT8;
        if (mode != Create || stream_ == nullptr || !fits || (header.nchannels != 1 && header.nchannels != 3)) {
            errorfmt("a PNM file cannot hold this image");
            return false;
        }
        largest_ = is_wide ? 65535 : 255;
        const int wanted = header.get_int_attribute(kMaxval);
        maxval_ = wanted >= kMinMaxval && (wanted > 255) == is_wide && wanted <= 65535 ? wanted : largest_;
        is_text_ = header.get_int_attribute(kBinary, 1) == 0;
        const int kind = (header.nchannels == 1 ? 2 : 3) + (is_text_ ? 0 : 3);
        return put(fmt::format("P{}\n{} {}\n{}\n", kind, header.width, header.height, maxval_));
    }

    bool write_scanline(int /*y*/, int /*z*/, OIIO::TypeDesc format, const void* samples,
                        OIIO::stride_t stride) override
    {
        const void* const row = to_native_scanline(format, samples, stride, scratch_);
        const auto count = static_cast<std::size_t>(m_spec.width) * static_cast<std::size_t>(m_spec.nchannels);
        text_.clear();
        for (std::size_t i = 0; i < count; ++i)
            add(largest_ > 255 ? static_cast<const std::uint16_t*>(row)[i] : static_cast<const std::uint8_t*>(row)[i]);
        return put(text_);
    }

    bool close() override { return true; }

private:
    void add(std::uint32_t sample)
    {
        const std::uint32_t code =
            scaled_code(sample, static_cast<std::uint32_t>(largest_), static_cast<std::uint32_t>(maxval_));
        if (is_text_) {
            fmt::format_to(std::back_inserter(text_), "{}\n", code);
            return;
        }
        if (largest_ > 255) text_ += static_cast<char>(code >> 8U);
        text_ += static_cast<char>(code & 0xFFU);
    }

    bool put(const std::string& bytes) { return stream_->write(bytes.data(), bytes.size()) == bytes.size(); }

    OIIO::Filesystem::IOProxy* stream_ = nullptr;
    int largest_ = 255;
    int maxval_ = 255;
    bool is_text_ = false;
    std::string text_;  ///< a row of the file
    std::vector<unsigned char> scratch_;
};

}  // namespace

std::unique_ptr<OIIO::ImageOutput> create_output() { return std::make_unique<PnmOutput>(); }

}  // namespace clconv::pnm
