// SPDX-License-Identifier: Apache-2.0
#include "codecs/decoding.h"

#include "base/split.h"
#include "codecs/codec_library.h"
#include "codecs/marked_block.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>

namespace clconv::oiio {
namespace {

/// Whole strips of a TIFF and whole blocks of most EXR files, about a MiB, so that the library's buffers for them stay
/// in a core's cache. docs/decisions/022-decoding-in-place.md
int rows_at_a_time(const FileHeader& header)
{
    constexpr std::size_t bytes = std::size_t{1} << 20U;
    constexpr int common_block = 64;
    const int unit = std::clamp(header.get_int_attribute("tiff:RowsPerStrip", common_block), 1, header.height);
    const std::size_t rows = bytes / std::max<std::size_t>(header.scanline_bytes(true), 1);
    return static_cast<int>(std::max<std::size_t>(rows / static_cast<std::size_t>(unit), 1)) * unit;
}

bool decode_rows(Decoder& input, RowRange rows, const OIIO::TypeDesc& type, std::byte* samples)
{
    return input.read_rows(rows, type, samples);
}

bool is_tiff(const Decoder& input) { return input.format() == "tiff"; }

/// The same, and whether all of it was decoded: rows of planes are "decoded" even if one of the planes is not.
bool decode_all_rows(Decoder& input, RowRange rows, const OIIO::TypeDesc& type, std::byte* samples)
{
    return decode_rows(input, rows, type, samples) && !(is_tiff(input) && input.has_error());
}

/// Decodes rows of which some are damaged one by one, to `samples(y)`, and calls `done(y, whether it could be
/// decoded)`. The message is the one that `input` had. Behind the first damaged row only rows of a TIFF are tried:
/// those of other formats need the rows before them.
template <class Samples, class Done>
void decode_one_by_one(Decoder& input, RowRange rows, const OIIO::TypeDesc& type, const Samples& samples,
                       const Done& done)
{
    const std::string reason = input.take_error();
    bool is_decoded = true;
    for (int y = rows.begin; y < rows.end && (is_decoded || is_tiff(input)); ++y) {
        is_decoded = decode_rows(input, {y, y + 1}, type, samples(y)) && input.take_error().empty();
        done(y, is_decoded);
    }
    static_cast<void>(input.take_error());
    input.add_error(reason);
}

std::size_t samples_in_row(const FileHeader& header)
{
    return static_cast<std::size_t>(header.width) * static_cast<std::size_t>(header.nchannels);
}

/// Makes all samples of a row missing.
void drop_row(std::byte* row, std::size_t bytes, const OIIO::TypeDesc& type)
{
    const auto basetype = static_cast<OIIO::TypeDesc::BASETYPE>(type.basetype);
    const SampleType samples = basetype == OIIO::TypeDesc::HALF     ? SampleType::half
                               : basetype == OIIO::TypeDesc::FLOAT  ? SampleType::float32
                               : basetype == OIIO::TypeDesc::DOUBLE ? SampleType::float64
                                                                    : SampleType::u8;  // an integer's is 0
    MarkedBlock(row, bytes, samples).unmark();
}

/// Decodes rows of which some are damaged, so far as they can be: of a TIFF one by one, and those are missing that
/// cannot. Its library decodes strips into memory of its own and copies it all, also what a strip that ends too early
/// has not filled.
bool decode_damaged_rows(Decoder& input, RowRange rows, const OIIO::TypeDesc& type, std::byte* samples)
{
    const bool complete = decode_all_rows(input, rows, type, samples);
    if (complete || !is_tiff(input)) return complete;
    const OIIO::TypeDesc held = type == OIIO::TypeDesc::UNKNOWN ? input.header().format : type;
    const std::size_t row = held.size() * samples_in_row(input.header());
    const auto place = [&](int y) { return samples + static_cast<std::size_t>(y - rows.begin) * row; };
    decode_one_by_one(input, rows, type, place, [&](int y, bool is_decoded) {
        if (!is_decoded) drop_row(place(y), row, held);
    });
    return false;
}

/// The rows to decode at once for row y of an image of 64-bit floats. OpenImageIO 2.4 silently reads a part of a strip,
/// or a single row, as zeros. So whole strips are read, and the last row together with those before it. At most step +
/// 1 rows.
RowRange whole_strips(int y, int step, int height)
{
    int begin = y / step * step;
    if (begin == height - 1) begin = std::max(begin - step, 0);
    return {begin, begin + step >= height - 1 ? height : begin + step};
}

template <class T>
void cast_to_float(const std::byte* samples, std::byte* result, std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i) {
        T value{};
        std::memcpy(&value, samples + i * sizeof(T), sizeof(T));
        const auto number = static_cast<float>(value);
        std::memcpy(result + i * sizeof(float), &number, sizeof(float));
    }
}

/// Fractions of the largest code. The factor is rounded, as OpenImageIO's is, so that both give the same floats.
template <class T>
void to_fractions(const std::byte* samples, std::byte* result, std::size_t count)
{
    constexpr float unit = 1.0F / static_cast<float>(std::numeric_limits<T>::max());
    for (std::size_t i = 0; i < count; ++i) {
        T code{};
        std::memcpy(&code, samples + i * sizeof(T), sizeof(T));
        const float fraction = static_cast<float>(code) * unit;
        std::memcpy(result + i * sizeof(float), &fraction, sizeof(float));
    }
}

/// Rows of a file whose channels are all of one type, converted to `type`. If `goes_on`, those that can be decoded of a
/// damaged file; the others stay as they are in `samples`.
bool read_converted(Decoder& input, RowRange wanted, const OIIO::TypeDesc& type, std::byte* samples, bool goes_on)
{
    const FileHeader& header = input.header();
    const bool doubles = header.format == OIIO::TypeDesc::DOUBLE;
    const std::size_t values = samples_in_row(header);
    const std::size_t stored_row = header.scanline_bytes(true);
    const int step = std::max(rows_at_a_time(header), 2);
    Bytes stored(static_cast<std::size_t>(std::min(step + 1, header.height)) * stored_row);
    std::memset(stored.data(), 0, stored.size());  // so that no decoder returns old contents
    const int last = wanted.end;
    const auto convert = [&](int y, const std::byte* row) {
        std::byte* const to = samples + static_cast<std::size_t>(y - wanted.begin) * values * type.size();
        convert_stored(header.format, row, type, to, values);
    };
    bool complete = true;
    for (int y = wanted.begin, end = 0; y < last; y = end) {
        const RowRange rows =
            doubles ? whole_strips(y, step, header.height) : RowRange{y, std::min(y / step * step + step, last)};
        end = std::min(rows.end, last);
        if ((goes_on ? decode_all_rows : decode_rows)(input, rows, OIIO::TypeDesc::UNKNOWN, stored.data())) {
            for (; y < end; ++y) convert(y, stored.data() + static_cast<std::size_t>(y - rows.begin) * stored_row);
            continue;
        }
        if (!goes_on) return false;
        complete = false;
        if (doubles) continue;  // whose single rows are read as zeros
        decode_one_by_one(
            input, {y, end}, OIIO::TypeDesc::UNKNOWN, [&](int) { return stored.data(); },
            [&](int row, bool is_decoded) {
                if (is_decoded) convert(row, stored.data());
            });
        if (!is_tiff(input)) return false;
    }
    return complete;
}

}  // namespace

bool keeps_values(const OIIO::TypeDesc& type)
{
    return type.basetype == OIIO::TypeDesc::INT32 || type.basetype == OIIO::TypeDesc::UINT32;
}

OIIO::TypeDesc type_desc(SampleType type)
{
    switch (type) {
        case SampleType::u8: return OIIO::TypeDesc::UINT8;
        case SampleType::u16: return OIIO::TypeDesc::UINT16;
        case SampleType::half: return OIIO::TypeDesc::HALF;
        case SampleType::float32: return OIIO::TypeDesc::FLOAT;
        case SampleType::float64: return OIIO::TypeDesc::DOUBLE;
    }
    return OIIO::TypeDesc::UNKNOWN;
}

OIIO::TypeDesc type_desc(FileType type)
{
    switch (type) {
        case FileType::i8: return OIIO::TypeDesc::INT8;
        case FileType::i16: return OIIO::TypeDesc::INT16;
        case FileType::i32: return OIIO::TypeDesc::INT32;
        case FileType::u32: return OIIO::TypeDesc::UINT32;
        case FileType::float64: return OIIO::TypeDesc::DOUBLE;
        case FileType::u8:
        case FileType::u16:
        case FileType::half:
        case FileType::float32: break;
    }
    return type_desc(sample_type_of(type));
}

FileType file_type_of(const OIIO::TypeDesc& type)
{
    switch (type.basetype) {
        case OIIO::TypeDesc::UINT8: return FileType::u8;
        case OIIO::TypeDesc::UINT16: return FileType::u16;
        case OIIO::TypeDesc::HALF: return FileType::half;
        case OIIO::TypeDesc::INT8: return FileType::i8;
        case OIIO::TypeDesc::INT16: return FileType::i16;
        case OIIO::TypeDesc::INT32: return FileType::i32;
        case OIIO::TypeDesc::UINT32: return FileType::u32;
        case OIIO::TypeDesc::DOUBLE: return FileType::float64;
        default: return FileType::float32;
    }
}

OIIO::TypeDesc type_to_request(const FileHeader& header, const OIIO::TypeDesc& type)
{
    return header.channelformats.empty() && header.format == type ? OIIO::TypeDesc(OIIO::TypeDesc::UNKNOWN) : type;
}

void convert_stored(const OIIO::TypeDesc& from, const std::byte* samples, const OIIO::TypeDesc& to, std::byte* result,
                    std::size_t count)
{
    if (to == OIIO::TypeDesc::FLOAT && from == OIIO::TypeDesc::INT32)
        return cast_to_float<std::int32_t>(samples, result, count);
    if (to == OIIO::TypeDesc::FLOAT && from == OIIO::TypeDesc::UINT32)
        return cast_to_float<std::uint32_t>(samples, result, count);
    if (to == OIIO::TypeDesc::FLOAT && from == OIIO::TypeDesc::UINT8)
        return to_fractions<std::uint8_t>(samples, result, count);
    if (to == OIIO::TypeDesc::FLOAT && from == OIIO::TypeDesc::UINT16)
        return to_fractions<std::uint16_t>(samples, result, count);
    codec_library().convert(from, samples, to, result, count);
}

bool read_tile_rows(Decoder& input, RowRange rows, const OIIO::TypeDesc& type, std::byte* samples)
{
    const FileHeader& s = input.header();
    const auto read = [&](const OIIO::TypeDesc& requested, std::byte* to) {
        return input.read_tile_rows(rows, requested, to);
    };
    if (!s.channelformats.empty() || !keeps_values(s.format)) return read(type_to_request(s, type), samples);
    Bytes stored(s.scanline_bytes(true) * static_cast<std::size_t>(rows.end - rows.begin));
    if (!read(OIIO::TypeDesc::UNKNOWN, stored.data())) return false;
    convert_stored(s.format, stored.data(), type, samples, stored.size() / s.format.size());
    return true;
}

bool read_rows(Decoder& input, RowRange rows, const OIIO::TypeDesc& type, std::byte* samples, bool goes_on)
{
    const FileHeader& header = input.header();
    // Doubles are read in whole strips, converted or not.
    if (header.channelformats.empty() && (header.format != type || header.format == OIIO::TypeDesc::DOUBLE))
        return read_converted(input, rows, type, samples, goes_on);
    const std::size_t row = samples_in_row(header) * type.size();
    const OIIO::TypeDesc requested = type_to_request(header, type);
    const int step = rows_at_a_time(header);
    bool complete = true;
    for (int begin = rows.begin, end = 0; begin < rows.end; begin = end) {
        end = std::min(begin / step * step + step, rows.end);
        complete &= (goes_on ? decode_damaged_rows : decode_rows)(input, {begin, end}, requested, samples);
        if (!complete && !goes_on) return false;
        samples += static_cast<std::size_t>(end - begin) * row;
    }
    return complete;
}

RowRange stored_block(const FileHeader& header, int y, int last)
{
    if (header.tile_width > 0) {
        const int top = y / header.tile_height * header.tile_height;
        return {top, std::min(top + header.tile_height, header.height)};
    }
    const int step = std::max(rows_at_a_time(header), 2);
    if (header.format == OIIO::TypeDesc::DOUBLE) return whole_strips(y, step, header.height);
    return {y, std::min(y / step * step + step, last)};
}

bool read_stored(Decoder& input, RowRange rows, std::byte* stored, bool goes_on)
{
    const FileHeader& s = input.header();
    if (s.tile_width == 0)
        return (goes_on ? decode_damaged_rows : decode_rows)(input, rows, OIIO::TypeDesc::UNKNOWN, stored);
    return input.read_tile_rows(rows, OIIO::TypeDesc::UNKNOWN, stored);
}

std::string reason(std::string message, const char* fallback)
{
    while (!message.empty() && (message.back() == '\n' || message.back() == ' ')) message.pop_back();
    if (message.empty()) return fallback;
    std::string line;
    std::string_view last;
    for (const std::string_view part : split(message, '\n')) {
        if (part == std::exchange(last, part)) continue;  // repeated for each row
        if (!line.empty()) line += ", ";                  // what follows a semicolon is advice
        line += part;
    }
    return line;
}

bool is_cmyk(const FileHeader& header)
{
    return header.get_string_attribute("tiff:ColorSpace") == "CMYK" ||
           header.get_string_attribute("jpeg:ColorSpace") == "CMYK";
}

int depth_channel(const Image& image)
{
    const int depth = image.metadata ? image.metadata->spec.z_channel : -1;
    return image.split && depth >= 0 ? image.split->image_channel(depth) : depth;
}

AlphaLayout alpha_layout(const Image& image)
{
    AlphaLayout layout{image.channels, image.alpha_channel, {}};
    const int depth = depth_channel(image);
    for (int channel = 0; channel < image.channels; ++channel)
        if (channel != image.alpha_channel && channel != depth) layout.colours.push_back(channel);
    return layout;
}

}  // namespace clconv::oiio
