// SPDX-License-Identifier: Apache-2.0
#include "encoders/pnm_output.h"

#include "formats/pnm_header.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace clconv::pnm {
namespace {

/// Few codes do not stay, because the convolution of black and white is gray.
constexpr int kMinMaxval = 16;

class PnmOutput final : public oiio::ImageOutput {
public:
    [[nodiscard]] std::string_view format() const override { return "pnm"; }
    [[nodiscard]] const oiio::FileHeader& header() const override { return header_; }

    bool open(const std::string& /*name*/, const std::vector<oiio::FileHeader>& headers) override
    {
        header_ = headers.front();
        const bool is_wide = header_.format == OIIO::TypeDesc::UINT16;
        const bool fits = is_wide || header_.format == OIIO::TypeDesc::UINT8;
        if (headers.size() > 1 || stream() == nullptr || !fits || (header_.nchannels != 1 && header_.nchannels != 3))
            return fail("a PNM file cannot hold this image");
        largest_ = is_wide ? 65535 : 255;
        const int wanted = header_.get_int_attribute(kMaxval);
        maxval_ = wanted >= kMinMaxval && (wanted > 255) == is_wide && wanted <= 65535 ? wanted : largest_;
        is_text_ = header_.get_int_attribute(kBinary, 1) == 0;
        const int kind = (header_.nchannels == 1 ? 2 : 3) + (is_text_ ? 0 : 3);
        return put(fmt::format("P{}\n{} {}\n{}\n", kind, header_.width, header_.height, maxval_));
    }

    bool write_rows(oiio::RowRange rows, OIIO::TypeDesc type, const std::byte* samples) override
    {
        if (type != header_.format) return fail("samples of another type than the file's");
        const auto count = static_cast<std::size_t>(header_.width) * static_cast<std::size_t>(header_.nchannels);
        for (int y = rows.begin; y < rows.end; ++y, samples += header_.scanline_bytes()) {
            text_.clear();
            for (std::size_t i = 0; i < count; ++i)
                add(largest_ > 255 ? sample<std::uint16_t>(samples, i) : sample<std::uint8_t>(samples, i));
            if (!put(text_)) return false;
        }
        return true;
    }

    bool close() override { return true; }

private:
    template <class T>
    static T sample(const std::byte* samples, std::size_t i)
    {
        T value{};
        std::memcpy(&value, samples + i * sizeof(T), sizeof(T));
        return value;
    }

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

    bool put(const std::string& bytes) { return stream()->write(bytes.data(), bytes.size()) == bytes.size(); }

    oiio::FileHeader header_;
    int largest_ = 255;
    int maxval_ = 255;
    bool is_text_ = false;
    std::string text_;  ///< a row of the file
};

}  // namespace

std::unique_ptr<oiio::ImageOutput> create_output() { return std::make_unique<PnmOutput>(); }

}  // namespace clconv::pnm
