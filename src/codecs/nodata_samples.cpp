// SPDX-License-Identifier: Apache-2.0
#include "codecs/nodata_samples.h"

#include "base/half.h"
#include "base/parse_number.h"
#include "base/sample_value.h"
#include "codecs/codec_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>

namespace clconv::oiio {
namespace {

constexpr std::uint16_t kGdalNodata = 42113;
constexpr std::uint16_t kHalfNan = 0x7E00;

/// GDAL's tag is text that may end with blanks, and does with a NUL.
std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view blanks(" \t\r\n\0", 5);
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// None if it is no number.
std::optional<double> number_of(std::string_view text)
{
    if (text.starts_with('+')) text.remove_prefix(1);
    return parse_number<double>(text);
}

void set_nan(std::byte* samples, SampleType type, std::size_t index)
{
    std::byte* const sample = samples + index * bytes_of(type);
    const auto set = [sample](auto value) { std::memcpy(sample, &value, sizeof value); };
    if (type == SampleType::half) set(kHalfNan);
    if (type == SampleType::float32) set(std::numeric_limits<float>::quiet_NaN());
    if (type == SampleType::float64) set(std::numeric_limits<double>::quiet_NaN());
}

/// `value` as one sample of a file.
Bytes stored_sample(FileType type, double value)
{
    Bytes bytes(bytes_of(type));
    const auto set = [&bytes](auto sample) { std::memcpy(bytes.data(), &sample, sizeof sample); };
    switch (type) {
        case FileType::u8: set(static_cast<std::uint8_t>(value)); break;
        case FileType::i8: set(static_cast<std::int8_t>(value)); break;
        case FileType::u16: set(static_cast<std::uint16_t>(value)); break;
        case FileType::i16: set(static_cast<std::int16_t>(value)); break;
        case FileType::u32: set(static_cast<std::uint32_t>(value)); break;
        case FileType::i32: set(static_cast<std::int32_t>(value)); break;
        case FileType::float32: set(static_cast<float>(value)); break;
        case FileType::float64: set(value); break;
        case FileType::half: {
            const float wide = static_cast<float>(value);
            oiio::codec_library().convert(OIIO::TypeDesc::FLOAT, reinterpret_cast<const std::byte*>(&wide),
                                          OIIO::TypeDesc::HALF, bytes.data(), 1);
            break;
        }
    }
    return bytes;
}

/// The same in the type that it is decoded to.
double decoded_value(const Nodata& nodata, SampleType type)
{
    const Bytes stored = stored_sample(nodata.type, nodata.value);
    Bytes decoded(bytes_of(type));
    convert_stored(type_desc(nodata.type), stored.data(), type_desc(type), decoded.data(), 1);
    return sample_value(decoded.data(), type, 0);
}

/// Whether different samples of a file stay different when they are decoded.
bool is_decoded_exactly(FileType file, SampleType type)
{
    if (file == FileType::float64) return type == SampleType::float64;
    return file != FileType::i32 && file != FileType::u32;
}

void mark_decoded(const Image& header, std::size_t count, std::byte* samples)
{
    const double missing = decoded_value(*header.nodata, header.type);
    const auto channels = static_cast<std::size_t>(header.channels);
    for (std::size_t i = 0; i < count; ++i)
        if (sample_value(samples, header.type, i) == missing && static_cast<int>(i % channels) != header.alpha_channel)
            set_nan(samples, header.type, i);
}

/// Whether a sample has the value of missing ones. Tags have 15 digits of a double, of which the last may be rounded.
bool is_same_sample(const std::byte* sample, const Bytes& missing, const Image& header)
{
    if (header.nodata->type != FileType::float64) return std::memcmp(sample, missing.data(), missing.size()) == 0;
    constexpr double rounding = 1e-15;
    double value = 0;
    std::memcpy(&value, sample, sizeof value);
    return std::abs(value - header.nodata->value) <= rounding * std::abs(header.nodata->value);
}

/// Marks the samples whose bytes in the file are those of `missing`.
void mark_stored(const Decoding& from, RowRange rows, std::byte* samples)
{
    const Image& header = from.header;
    const FileHeader& spec = header.metadata->spec;
    const Bytes missing = stored_sample(header.nodata->type, header.nodata->value);
    const std::size_t bytes = missing.size();
    const auto channels = static_cast<std::size_t>(header.channels);
    const auto stored_channels = static_cast<std::size_t>(spec.nchannels);
    const auto width = static_cast<std::size_t>(spec.width);
    for (int y = rows.begin; y < rows.end;) {
        const RowRange block = stored_block(spec, y, rows.end);
        Bytes stored(spec.scanline_bytes(true) * static_cast<std::size_t>(block.end - block.begin));
        if (!read_stored(from.input, block, stored.data(), from.rules.keeps_damaged)) return;
        const int end = std::min(block.end, rows.end);
        for (; y < end; ++y)
            for (std::size_t x = 0; x < width; ++x)
                for (std::size_t c = 0; c < channels; ++c) {
                    const auto of_file = static_cast<std::size_t>(header.file_channel(static_cast<int>(c)));
                    const std::size_t row = static_cast<std::size_t>(y - block.begin);
                    const std::byte* const sample =
                        stored.data() + ((row * width + x) * stored_channels + of_file) * bytes;
                    if (static_cast<int>(c) == header.alpha_channel || !is_same_sample(sample, missing, header))
                        continue;
                    const auto in_rows = static_cast<std::size_t>(y - rows.begin);
                    set_nan(samples, header.type, (in_rows * width + x) * channels + c);
                }
    }
}

const TiffTag* nodata_tag(const Metadata& metadata)
{
    const auto found = std::ranges::find(metadata.tags, kGdalNodata, &TiffTag::tag);
    return found == metadata.tags.end() ? nullptr : &*found;
}

}  // namespace

std::optional<Nodata> nodata_of(const Metadata& metadata, FileType type, const NodataRule& rule)
{
    std::optional<double> value;
    std::string text = rule.text;
    if (rule.source == NodataRule::Source::given) value = rule.value;
    if (const TiffTag* const tag = nodata_tag(metadata); tag != nullptr && rule.source == NodataRule::Source::tag) {
        text = trimmed(tag->bytes);
        value = number_of(text);
    }
    if (value) value = held_value(type, *value);
    if (!value) return std::nullopt;
    return Nodata{*value, type, rule.source == NodataRule::Source::tag, text};
}

void mark_missing(const Decoding& from, RowRange rows, std::byte* samples)
{
    const Image& header = from.header;
    if (!header.nodata || !std::isfinite(header.nodata->value) || header.channels == 0) return;
    const bool has_one_type = header.metadata->spec.channelformats.empty();
    if (has_one_type && !is_decoded_exactly(header.nodata->type, header.type)) return mark_stored(from, rows, samples);
    const auto count = static_cast<std::size_t>(rows.end - rows.begin) * static_cast<std::size_t>(header.extent.width) *
                       static_cast<std::size_t>(header.channels);
    mark_decoded(header, count, samples);
}

std::vector<std::size_t> missing_places(const ImageView& samples, int alpha)
{
    std::vector<std::size_t> places;
    if (is_integer(samples.type)) return places;
    for (std::size_t i = 0; i < samples.sample_count(); ++i)
        if (std::isnan(sample_value(samples.samples, samples.type, i)) &&
            static_cast<int>(i % static_cast<std::size_t>(samples.channels)) != alpha)
            places.push_back(i);
    return places;
}

void put_nodata(const Nodata& nodata, FileType type, const std::vector<std::size_t>& places, std::byte* samples)
{
    const std::optional<double> value = nodata_in(nodata, type);
    if (!value) return;
    const Bytes sample = stored_sample(type, *value);
    for (const std::size_t place : places) std::memcpy(samples + place * sample.size(), sample.data(), sample.size());
}

std::optional<std::string> changed_nodata(const Image& image, FileType type)
{
    if (!image.nodata || !image.nodata->is_of_file) return std::nullopt;
    const std::optional<double> value = nodata_in(*image.nodata, type);
    if (!value) return is_integer(type) ? std::nullopt : std::optional<std::string>("nan");
    const bool is_same = *value == image.nodata->value || (!is_integer(type) && std::isnan(*value)) ||
                         *value == static_cast<double>(static_cast<float>(image.nodata->value));
    return is_same ? std::nullopt : std::optional(fmt::format("{}", *value));
}

}  // namespace clconv::oiio
