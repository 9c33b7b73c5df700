// SPDX-License-Identifier: Apache-2.0
#include "codecs/fits_input.h"

#include "base/errors.h"
#include "fits/fits_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

namespace clconv::fits {
namespace {

constexpr const char* kBlanks = "fits:blanks";
constexpr const char* kOtherImages = "fits:images";
constexpr const char* kDamagedRest = "fits:damaged";
constexpr const char* kCompressed = "fits:compressed";
constexpr const char* kScaled = "fits:scaled";
constexpr const char* kWide = "fits:wide";

void check_memory(const std::filesystem::path& path, const FitsLayout& layout, const DecodeRules& rules)
{
    constexpr std::uint64_t max_bytes_a_pixel = 16;  // codes, and the decoded samples
    if (layout.block_pixels > rules.max_memory / max_bytes_a_pixel)
        throw InputError(
            fmt::format("{}: claims tiles of {} pixels, and decoding may take at most {}: raise --memory-limit",
                        path.string(), layout.block_pixels, in_words(rules.max_memory)));
}

void check_length(const std::filesystem::path& path, const FitsLayout& layout, const DecodeRules& rules)
{
    std::error_code failure;
    const std::uintmax_t bytes = std::filesystem::file_size(path, failure);
    const std::uint64_t minimum = static_cast<std::uint64_t>(layout.data) + layout.data_bytes;
    if (failure || rules.keeps_damaged || bytes >= minimum) return;
    throw InputError(
        fmt::format("{}: is damaged or ends too early: it claims {}x{} pixels in {} plane{}, for which a file needs "
                    "at least {} bytes, and has {}; --damaged keep uses what can be decoded",
                    path.string(), layout.axes[0], layout.axes[1], layout.planes(), layout.planes() == 1 ? "" : "s",
                    minimum, bytes));
}

oiio::FileHeader header_of(const std::filesystem::path& path, const File& file)
{
    const FitsLayout& layout = file.layout();
    oiio::FileHeader header(static_cast<int>(layout.axes[0]), static_cast<int>(layout.axes[1]), 1,
                            oiio::type_desc(layout.type));
    const auto planes = static_cast<int>(layout.planes());
    header.attribute("oiio:subimages", planes);
    header.attribute("oiio:ColorSpace", "Linear");
    set_bytes(header, kCards, file.cards());
    set_bytes(header, kFile, path.string());
    const std::array<std::int64_t, 3> span{layout.begin, layout.end,
                                           static_cast<std::int64_t>(std::filesystem::file_size(path))};
    header.attribute(kSpan, OIIO::TypeDesc(OIIO::TypeDesc::INT64, 3), span.data());
    const std::vector<int> axes(layout.axes.begin() + 2, layout.axes.end());
    if (!axes.empty())
        header.attribute(kAxes, OIIO::TypeDesc(OIIO::TypeDesc::INT32, static_cast<int>(axes.size())), axes.data());
    header.attribute(kPlane, 0);
    header.attribute(kBlanks,
                     static_cast<int>(std::min<std::uint64_t>(layout.blanks, std::numeric_limits<int>::max())));
    header.attribute(kOtherImages, static_cast<int>(layout.images.size()) - 1);
    header.attribute(kDamagedRest, layout.has_sound_rest ? 0 : 1);
    header.attribute(kCompressed, layout.is_compressed ? 1 : 0);
    header.attribute(kScaled, layout.is_scaled && layout.blanks == 0 ? 1 : 0);
    header.attribute(kWide, layout.is_wide ? 1 : 0);
    return header;
}

class FitsInput final : public oiio::Decoder {
public:
    FitsInput(const std::filesystem::path& path, const DecodeRules& rules, int hdu) : file_(path, hdu)
    {
        check_memory(path, file_.layout(), rules);
        check_length(path, file_.layout(), rules);
        header_ = header_of(path, file_);
    }

    [[nodiscard]] std::string_view format() const override { return "fits"; }
    [[nodiscard]] const oiio::FileHeader& header() const override { return header_; }
    [[nodiscard]] int part() const override { return plane_; }

    bool seek(int part, int level) override
    {
        if (part < 0 || part >= file_.layout().planes() || level != 0) return false;
        plane_ = part;
        header_.attribute(kPlane, plane_);
        return true;
    }

    bool read_rows(oiio::RowRange rows, OIIO::TypeDesc /*type*/, std::byte* samples) override
    {
        const int end = std::min(rows.end, header_.height);
        const int count = end - rows.begin;
        const std::string why = file_.read(plane_, header_.height - end, count, samples);
        if (!why.empty()) {
            add_error(why);
            read_what_there_is(header_.height - end, count, samples);
        }
        const std::size_t row = header_.scanline_bytes(true);
        for (int y = 0; y < count / 2; ++y)
            std::swap_ranges(samples + row * static_cast<std::size_t>(y),
                             samples + row * static_cast<std::size_t>(y + 1),
                             samples + row * static_cast<std::size_t>(count - 1 - y));
        return why.empty();
    }

private:
    /// Reads the rows that can be read. The others are missing: NaN, or 0 in integers. cfitsio would leave them
    /// undefined.
    void read_what_there_is(int first, int count, std::byte* samples)
    {
        constexpr int all_bits = 0xFF;  // a NaN
        Bytes row(header_.scanline_bytes(true));
        for (int y = 0; y < count; ++y) {
            std::byte* const to = samples + row.size() * static_cast<std::size_t>(y);
            if (file_.read(plane_, first + y, 1, row.data()).empty())
                std::memcpy(to, row.data(), row.size());
            else
                std::memset(to, header_.format.is_floating_point() ? all_bits : 0, row.size());
        }
    }

    File file_;
    oiio::FileHeader header_;
    int plane_ = 0;
};

}  // namespace

std::unique_ptr<oiio::Decoder> open_input(const std::filesystem::path& path, const DecodeRules& rules, int hdu)
{
    return std::make_unique<FitsInput>(path, rules, hdu);
}

std::vector<Warning> warnings_of(const std::filesystem::path& path, const oiio::FileHeader& header)
{
    std::vector<Warning> warnings;
    if (const int blanks = header.get_int_attribute(kBlanks); blanks > 0)
        warnings.emplace_back(WarningKind::type, fmt::format("{}: {} of its pixels are BLANK, which become NaN; all "
                                                             "samples become floats of the values that they stand "
                                                             "for",
                                                             path.string(), blanks));
    if (const int images = header.get_int_attribute(kOtherImages); images > 0)
        warnings.emplace_back(WarningKind::parts,
                              fmt::format("{}: holds {} further image HDU{}; only the first is convolved",
                                          path.string(), images, images == 1 ? "" : "s"));
    if (header.get_int_attribute(kDamagedRest) != 0)
        warnings.emplace_back(
            WarningKind::damage,
            fmt::format("{}: is damaged or ends too early behind its first image; FITS outputs keep what is there",
                        path.string()));
    if (header.get_int_attribute(kScaled) != 0)
        warnings.emplace_back(WarningKind::type,
                              fmt::format("{}: its integers are scaled by BSCALE and BZERO, and become floats of the "
                                          "values that they stand for",
                                          path.string()));
    if (header.get_int_attribute(kWide) != 0)
        warnings.emplace_back(
            WarningKind::type,
            fmt::format("{}: its integers of 64 bits become floats, which do not hold all of them", path.string()));
    if (header.get_int_attribute(kCompressed) != 0)
        warnings.emplace_back(
            WarningKind::compression,
            fmt::format("{}: holds a compressed image, which FITS outputs store uncompressed", path.string()));
    return warnings;
}

void set_bytes(oiio::FileHeader& header, const char* name, const std::string& bytes)
{
    if (!bytes.empty())
        header.attribute(name, OIIO::TypeDesc(OIIO::TypeDesc::UINT8, static_cast<int>(bytes.size())), bytes.data());
}

std::string get_bytes(const oiio::FileHeader& header, const char* name)
{
    const OIIO::ParamValue* value = header.find_attribute(name);
    if (value == nullptr || value->type().basetype != OIIO::TypeDesc::UINT8) return {};
    return {static_cast<const char*>(value->data()), value->type().size()};
}

}  // namespace clconv::fits
