// SPDX-License-Identifier: Apache-2.0
#include "codecs/pnm_input.h"

#include "base/errors.h"
#include "formats/pnm_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

namespace clconv::pnm {
namespace {

constexpr const char* kFurther = "pnm:further";  ///< whether another image follows

class PnmInput final : public oiio::Decoder {
public:
    explicit PnmInput(const std::filesystem::path& path) : file_(path.string(), OIIO::Filesystem::IOProxy::Read)
    {
        constexpr std::size_t max_head = std::size_t{1} << 16U;  // with its comments
        contents_.resize(std::min(max_head, file_.size()));
        contents_.resize(file_.pread(contents_.data(), contents_.size(), 0));
        const std::optional<Head> head = head_of(contents_);
        if (!head || head->width < 1 || head->height < 1)
            throw InputError(path.string() +
                             ": cannot be decoded: its head (P1 to P6, width, height, maxval) is damaged");
        head_ = *head;
        header_ = oiio::FileHeader(head_.width, head_.height, head_.channels,
                                   head_.maxval > 255 ? OIIO::TypeDesc::UINT16 : OIIO::TypeDesc::UINT8);
        header_.attribute(kBinary, head_.is_binary ? 1 : 0);
        header_.attribute(kMaxval, head_.maxval);
        header_.attribute("oiio:BitsPerSample", static_cast<int>(std::bit_width(static_cast<unsigned>(head_.maxval))));
        if (has_further_image()) header_.attribute(kFurther, 1);
    }

    [[nodiscard]] std::string_view format() const override { return "pnm"; }
    [[nodiscard]] const oiio::FileHeader& header() const override { return header_; }

    /// Reads rows behind a damaged one, too.
    bool read_rows(oiio::RowRange rows, OIIO::TypeDesc /*type*/, std::byte* samples) override
    {
        std::string fault;
        for (int y = rows.begin; y < std::min(rows.end, header_.height); ++y, samples += header_.scanline_bytes()) {
            std::string found = read_row(y, samples);
            if (fault.empty()) fault = std::move(found);
        }
        add_error(fault);
        return fault.empty();
    }

private:
    /// Returns what is wrong with it.
    std::string read_row(int y, std::byte* samples)
    {
        if (!(head_.is_binary ? read_binary_row(y) : read_text_row(y))) return "the file ends too early or is damaged";
        const std::uint32_t highest = *std::ranges::max_element(codes_);
        if (head_.maxval > 255)
            put_codes<std::uint16_t>(samples, 65535);
        else
            put_codes<std::uint8_t>(samples, 255);
        if (highest <= static_cast<std::uint32_t>(head_.maxval)) return {};
        return fmt::format("a sample of {} is above its maxval of {}", highest, head_.maxval);
    }

    /// netpbm's binary files may hold several images, one after the other.
    bool has_further_image()
    {
        std::array<char, 3> next{};
        const std::uint64_t end = head_.raster + head_.row_bytes() * static_cast<std::uint64_t>(head_.height);
        return head_.is_binary &&
               file_.pread(next.data(), next.size(), static_cast<std::int64_t>(end)) == next.size() &&
               begins_like_pnm({next.data(), next.size()});
    }

    [[nodiscard]] std::size_t codes_in_row() const
    {
        return static_cast<std::size_t>(head_.width) * static_cast<std::size_t>(head_.channels);
    }

    bool read_binary_row(int y)
    {
        row_.resize(head_.row_bytes());
        const std::uint64_t place = head_.raster + head_.row_bytes() * static_cast<std::uint64_t>(y);
        if (file_.pread(row_.data(), row_.size(), static_cast<std::int64_t>(place)) != row_.size()) return false;
        codes_.resize(codes_in_row());
        for (std::size_t i = 0; i < codes_.size(); ++i) codes_[i] = binary_code(i);
        return true;
    }

    [[nodiscard]] std::uint32_t binary_code(std::size_t i) const
    {
        if (head_.is_bitmap) return row_[i / 8] >> (7 - i % 8) & 1U;
        return head_.maxval > 255 ? static_cast<std::uint32_t>(row_[2 * i] << 8U | row_[2 * i + 1]) : row_[i];
    }

    /// Text is read in order, from its beginning if need be.
    bool read_text_row(int y)
    {
        if (next_row_ < 0) {
            contents_.resize(file_.size());
            contents_.resize(file_.pread(contents_.data(), contents_.size(), 0));
        }
        if (next_row_ < 0 || y < next_row_) {
            rest_ = std::string_view(contents_).substr(std::min<std::size_t>(head_.raster, contents_.size()));
            next_row_ = 0;
        }
        codes_.resize(codes_in_row());
        for (; next_row_ <= y; ++next_row_)
            for (std::uint32_t& code : codes_) {
                const std::optional<int> number = head_.is_bitmap ? take_digit(rest_) : take_number(rest_);
                if (!number) return false;
                code = static_cast<std::uint32_t>(*number);
            }
        return true;
    }

    template <class T>
    void put_codes(std::byte* samples, std::uint32_t largest) const
    {
        for (std::size_t i = 0; i < codes_.size(); ++i) {
            const std::uint32_t code = head_.is_bitmap ? 1 - codes_[i] : codes_[i];
            const auto sample = static_cast<T>(scaled_code(code, static_cast<std::uint32_t>(head_.maxval), largest));
            std::memcpy(samples + i * sizeof(T), &sample, sizeof(T));
        }
    }

    OIIO::Filesystem::IOFile file_;
    Head head_;
    oiio::FileHeader header_;
    std::string contents_;  ///< of a text; at first the beginning of any file
    std::string_view rest_;
    int next_row_ = -1;  ///< where `rest_` begins; -1: not read
    std::vector<std::uint8_t> row_;
    std::vector<std::uint32_t> codes_;
};

}  // namespace

std::unique_ptr<oiio::Decoder> open_input(const std::filesystem::path& path)
{
    return std::make_unique<PnmInput>(path);
}

std::vector<Warning> warnings_of(const std::filesystem::path& path, const oiio::FileHeader& header)
{
    if (header.get_int_attribute(kFurther) == 0) return {};
    return {{WarningKind::parts, path.string() + ": holds further images behind the first, which alone is read"}};
}

}  // namespace clconv::pnm
