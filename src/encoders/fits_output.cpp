// SPDX-License-Identifier: Apache-2.0
#include "encoders/fits_output.h"

#include "base/errors.h"
#include "codecs/fits_input.h"
#include "fits/fits_header.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace clconv::fits {
namespace {

using oiio::FileHeader;
using OIIO::TypeDesc;

/// Bytes of rows that are converted to the file's order at a time.
constexpr std::size_t kBlockBytes = std::size_t{1} << 20U;

/// The positions of the rest of the input: its HDUs before and behind the image's.
struct Rest {
    std::string file;
    std::int64_t begin = 0;   ///< of the image's HDU
    std::int64_t end = 0;     ///< of the same
    std::int64_t length = 0;  ///< of the file
};

Rest rest_of(const FileHeader& header)
{
    Rest rest{get_bytes(header, kFile)};
    const OIIO::ParamValue* span = header.find_attribute(kSpan);
    if (rest.file.empty() || span == nullptr) return {};
    const auto* const places = static_cast<const std::int64_t*>(span->data());
    rest.begin = places[0];
    rest.end = places[1];
    rest.length = places[2];
    return rest;
}

/// The sizes of the input's axes above the second.
std::vector<std::int64_t> cube_axes(const FileHeader& header)
{
    const OIIO::ParamValue* value = header.find_attribute(kAxes);
    if (value == nullptr) return {};
    const auto* const axes = static_cast<const int*>(value->data());
    return {axes, axes + std::max(value->type().numelements(), std::size_t{1})};
}

/// How --mode moves pixel coordinates. Headers count rows from the lowest one.
std::map<int, double> shifts_of(const FileHeader& header)
{
    const int above = header.y - header.full_y;
    return {{1, -static_cast<double>(header.x - header.full_x)},
            {2, static_cast<double>(header.height - header.full_height + above)}};
}

/// The number of the first of these planes, if each is the next one of a cube of three axes.
std::optional<int> first_in_a_row(const std::vector<FileHeader>& planes)
{
    if (cube_axes(planes.front()).size() != 1 || planes.front().nchannels != 1) return std::nullopt;
    const int first = planes.front().get_int_attribute(kPlane);
    for (std::size_t i = 0; i < planes.size(); ++i)
        if (planes[i].get_int_attribute(kPlane) != first + static_cast<int>(i)) return std::nullopt;
    return first;
}

/// The header of an image of these parts: the whole cube again; one plane or several in a row, which become a cube at
/// their position; or other planes, which the input's header does not describe.
NewHeader new_header(const std::vector<FileHeader>& headers)
{
    const FileHeader& header = headers.front();
    const int parts = static_cast<int>(headers.size());
    NewHeader made;
    made.type = oiio::file_type_of(header.format);
    made.cards = get_bytes(header, kCards);
    made.is_extension = rest_of(header).begin > 0;
    made.history = header.get_string_attribute(kHistory);
    made.axes = {header.width, header.height};
    if (made.cards.empty()) {
        if (header.nchannels * parts > 1) made.axes.push_back(header.nchannels * parts);
        return made;
    }
    made.shifts = shifts_of(header);
    const std::vector<std::int64_t> cube = cube_axes(header);
    const std::int64_t planes = std::accumulate(cube.begin(), cube.end(), std::int64_t{1}, std::multiplies<>());
    if (header.nchannels == 1 && parts == planes) {
        made.axes.insert(made.axes.end(), cube.begin(), cube.end());
        return made;
    }
    if (header.nchannels == 1 && parts == 1) {
        std::int64_t plane = header.get_int_attribute(kPlane);
        for (std::size_t axis = 0; axis < cube.size(); ++axis) {
            made.axes.push_back(1);
            made.shifts[static_cast<int>(axis) + 3] = -static_cast<double>(plane % cube[axis]);
            plane /= cube[axis];
        }
        return made;
    }
    made.axes.push_back(static_cast<std::int64_t>(header.nchannels) * parts);
    if (const std::optional<int> first = first_in_a_row(headers))
        made.shifts[3] = -static_cast<double>(*first);
    else
        made.meaningful_axes = 2;
    return made;
}

/// Converts numbers to FITS's form: most significant byte first, and unsigned ones shifted.
void to_file_order(std::byte* samples, std::size_t count, FileType type)
{
    const std::size_t size = bytes_of(type);
    if (std::endian::native == std::endian::little && size > 1)
        for (std::size_t i = 0; i < count; ++i) std::reverse(samples + i * size, samples + (i + 1) * size);
    if (!has_flipped_sign(type)) return;
    for (std::size_t i = 0; i < count; ++i) samples[i * size] ^= std::byte{0x80};
}

class FitsOutput final : public oiio::ImageOutput {
public:
    [[nodiscard]] std::string_view format() const override { return "fits"; }
    [[nodiscard]] const FileHeader& header() const override { return header_; }

    bool open(const std::string& /*name*/, const std::vector<FileHeader>& headers) override
    {
        header_ = headers.front();
        parts_ = static_cast<int>(headers.size());
        part_ = 0;
        if (parts_ > 1 && header_.nchannels > 1) return fail("a FITS file cannot hold several images of colours");
        new_header_ = new_header(headers);
        rest_ = rest_of(header_);
        has_sums_ = has_checksums(new_header_.cards);
        const std::uint32_t none = 0;
        header_bytes_ = header_text(new_header_, has_sums_ ? &none : nullptr).size();
        data_bytes_ = static_cast<std::int64_t>(header_.image_bytes(true)) * parts_;
        stream()->seek(0);
        return copy(0, rest_.begin);
    }

    bool open_next(const std::string& /*name*/, const FileHeader& next) override
    {
        const bool same = next.width == header_.width && next.height == header_.height && next.nchannels == 1 &&
                          next.format == header_.format;
        if (!same || part_ + 1 >= parts_) return fail("the planes of a FITS cube have one size and one type");
        ++part_;
        return true;
    }

    bool write_rows(oiio::RowRange rows, TypeDesc type, const std::byte* samples) override
    {
        if (type != header_.format) return fail("samples of another type than the file's");
        const std::size_t row = header_.scanline_bytes(true);
        const int step = static_cast<int>(std::max<std::size_t>(kBlockBytes / row, 1));
        for (int y = rows.begin; y < rows.end; y += step)
            for (int channel = 0; channel < header_.nchannels; ++channel)
                write_plane_rows({y, std::min(y + step, rows.end)}, channel,
                                 samples + static_cast<std::size_t>(y - rows.begin) * row);
        return true;
    }

    bool close() override
    {
        if (stream() == nullptr || header_bytes_ == 0) return true;
        const std::int64_t data_end = data_begin() + data_bytes_;
        const std::string fill(static_cast<std::size_t>(up_to_block(data_bytes_) - data_bytes_), '\0');
        stream()->pwrite(fill.data(), fill.size(), data_end);
        const std::uint32_t sum = sum_.value();
        const std::string text = header_text(new_header_, has_sums_ ? &sum : nullptr);
        stream()->pwrite(text.data(), text.size(), rest_.begin);
        stream()->seek(data_begin() + up_to_block(data_bytes_));
        header_bytes_ = 0;
        return copy(rest_.end, rest_.length);
    }

private:
    [[nodiscard]] std::int64_t data_begin() const { return rest_.begin + static_cast<std::int64_t>(header_bytes_); }

    /// Writes rows of one channel, counted from the top, into its plane, which begins with the lowest
    /// row.
    void write_plane_rows(oiio::RowRange range, int channel, const std::byte* samples)
    {
        const std::size_t size = header_.format.size();
        const auto width = static_cast<std::size_t>(header_.width);
        const auto channels = static_cast<std::size_t>(header_.nchannels);
        const auto rows = static_cast<std::size_t>(range.count());
        block_.resize(rows * width * size);
        for (std::size_t row = 0; row < rows; ++row) {
            const std::byte* from = samples + (rows - 1 - row) * width * channels * size;
            std::byte* const to = block_.data() + row * width * size;
            if (channels == 1) {
                std::memcpy(to, from, width * size);
                continue;
            }
            for (std::size_t x = 0; x < width; ++x)
                std::memcpy(to + x * size, from + (x * channels + static_cast<std::size_t>(channel)) * size, size);
        }
        to_file_order(block_.data(), rows * width, new_header_.type);
        const std::int64_t plane = static_cast<std::int64_t>(part_) * header_.nchannels + channel;
        const std::int64_t offset =
            (plane * header_.height + (header_.height - range.end)) * static_cast<std::int64_t>(width * size);
        if (has_sums_) sum_.add(offset, block_.data(), block_.size());
        stream()->pwrite(block_.data(), block_.size(), data_begin() + offset);
    }

    /// Copies bytes of the input unchanged.
    bool copy(std::int64_t begin, std::int64_t end)
    {
        if (begin >= end) return true;
        std::error_code failure;
        std::ifstream file(rest_.file, std::ios::binary);
        file.seekg(begin);
        if (static_cast<std::int64_t>(std::filesystem::file_size(rest_.file, failure)) != rest_.length || failure)
            return fail(rest_.file + " has changed since it was read, and its other HDUs are to be kept");
        std::vector<char> block(std::size_t{1} << 20U);
        while (begin < end) {
            const auto count = std::min<std::int64_t>(end - begin, static_cast<std::int64_t>(block.size()));
            if (!file.read(block.data(), count)) return fail(rest_.file + " cannot be read any more");
            stream()->write(block.data(), static_cast<std::size_t>(count));
            begin += count;
        }
        return true;
    }

    FileHeader header_;
    NewHeader new_header_;
    Rest rest_;
    int parts_ = 1;
    int part_ = 0;
    bool has_sums_ = false;
    std::size_t header_bytes_ = 0;
    std::int64_t data_bytes_ = 0;  ///< of all planes
    Checksum sum_;
    std::vector<std::byte> block_;
};

}  // namespace

std::unique_ptr<oiio::ImageOutput> create_output() { return std::make_unique<FitsOutput>(); }

}  // namespace clconv::fits
