// SPDX-License-Identifier: Apache-2.0
#include "library/samples.h"

#include "base/errors.h"
#include "base/extent.h"
#include "base/half.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

namespace clconv {
namespace {

/// Kernels store up to four floats at once.
constexpr std::size_t kAlignment = 16;

constexpr bool is_same(v0::SampleType type, FileType inner)
{
    return static_cast<int>(type) == static_cast<int>(inner);
}
static_assert(is_same(v0::SampleType::u8, FileType::u8) && is_same(v0::SampleType::u16, FileType::u16) &&
              is_same(v0::SampleType::half, FileType::half) && is_same(v0::SampleType::float32, FileType::float32) &&
              is_same(v0::SampleType::i8, FileType::i8) && is_same(v0::SampleType::i16, FileType::i16) &&
              is_same(v0::SampleType::i32, FileType::i32) && is_same(v0::SampleType::u32, FileType::u32) &&
              is_same(v0::SampleType::float64, FileType::float64));

std::ptrdiff_t sample_bytes(const v0::ConstView& view)
{
    return static_cast<std::ptrdiff_t>(bytes_of(file_type_of(view.type)));
}

bool has_whole_rows(const v0::ConstView& view)
{
    const std::ptrdiff_t bytes = sample_bytes(view);
    return (view.channels == 1 || view.channel_step == bytes) &&
           (view.width == 1 || view.x_step == bytes * view.channels);
}

std::size_t row_bytes(const v0::ConstView& view)
{
    return static_cast<std::size_t>(sample_bytes(view)) * static_cast<std::size_t>(view.width) *
           static_cast<std::size_t>(view.channels);
}

struct Range {
    std::uintptr_t first = 0;
    std::uintptr_t end = 0;
};
Range range_of(const v0::ConstView& view)
{
    std::ptrdiff_t minimum = 0;
    std::ptrdiff_t maximum = sample_bytes(view);
    const std::pair<int, std::ptrdiff_t> axes[] = {
        {view.width, view.x_step}, {view.height, view.y_step}, {view.channels, view.channel_step}};
    for (const auto& [count, step] : axes) (step < 0 ? minimum : maximum) += (count - 1) * step;
    const auto start = reinterpret_cast<std::uintptr_t>(view.data);
    return {start + static_cast<std::uintptr_t>(minimum), start + static_cast<std::uintptr_t>(maximum)};
}

/// Calls copy(strided, packed) for the samples of a row of one channel, alternating between channels.
template <std::size_t size, bool is_store>
void copy_row(std::byte* strided, std::byte* packed, const v0::ConstView& view)
{
    const std::ptrdiff_t pixel = static_cast<std::ptrdiff_t>(size) * view.channels;
    for (int c = 0; c < view.channels; ++c) {
        std::byte* far = strided + c * view.channel_step;
        std::byte* near = packed + c * static_cast<std::ptrdiff_t>(size);
        for (int x = 0; x < view.width; ++x, far += view.x_step, near += pixel)
            std::memcpy(is_store ? far : near, is_store ? near : far, size);
    }
}

template <bool is_store>
void copy_rows(std::byte* strided, std::byte* packed, const v0::ConstView& view)
{
    const bool is_whole = has_whole_rows(view);
    const std::size_t bytes = row_bytes(view);
    for (int y = 0; y < view.height; ++y, strided += view.y_step, packed += bytes) {
        if (is_whole) {
            std::memcpy(is_store ? strided : packed, is_store ? packed : strided, bytes);
            continue;
        }
        switch (sample_bytes(view)) {
            case 1: copy_row<1, is_store>(strided, packed, view); break;
            case 2: copy_row<2, is_store>(strided, packed, view); break;
            case 4: copy_row<4, is_store>(strided, packed, view); break;
            default: copy_row<8, is_store>(strided, packed, view); break;
        }
    }
}

/// What the largest code stands for, 1, over that code; 1 for types that stand for their own values.
template <class From>
constexpr double kUnit = std::numeric_limits<From>::is_integer && sizeof(From) < 4
                             ? 1.0 / static_cast<double>(std::numeric_limits<From>::max())
                             : 1.0;

/// `sample`: any, for its type.
template <class From, class To>
void convert(From sample, const std::byte* samples, std::span<To> to)
{
    constexpr auto unit = static_cast<To>(kUnit<From>);
    for (std::size_t i = 0; i < to.size(); ++i) {
        std::memcpy(&sample, samples + i * sizeof(From), sizeof(From));
        to[i] = static_cast<To>(sample) * unit;
    }
}

template <class To>
Bytes as_numbers(const std::byte* samples, std::size_t count, FileType type)
{
    Bytes result(count * sizeof(To));
    const std::span<To> to = result.as<To>();
    switch (type) {
        case FileType::u8: convert(std::uint8_t{}, samples, to); break;
        case FileType::u16: convert(std::uint16_t{}, samples, to); break;
        case FileType::i8: convert(std::int8_t{}, samples, to); break;
        case FileType::i16: convert(std::int16_t{}, samples, to); break;
        case FileType::i32: convert(std::int32_t{}, samples, to); break;
        case FileType::u32: convert(std::uint32_t{}, samples, to); break;
        case FileType::float32: convert(float{}, samples, to); break;
        case FileType::float64: convert(double{}, samples, to); break;
        case FileType::half:
            for (std::size_t i = 0; i < count; ++i) {
                std::uint16_t bits = 0;
                std::memcpy(&bits, samples + i * sizeof(bits), sizeof(bits));
                to[i] = static_cast<To>(float_from_half(bits));
            }
            break;
    }
    return result;
}

}  // namespace

FileType file_type_of(v0::SampleType type)
{
    const auto number = static_cast<std::size_t>(type);
    if (number >= kNames<FileType>.size()) throw InvalidProblem(fmt::format("there is no sample type {}", number));
    return static_cast<FileType>(number);
}

void check_shape(const v0::ConstView& view, std::string_view name)
{
    static_cast<void>(file_type_of(view.type));
    if (view.width < 1 || view.height < 1 || view.channels < 1)
        throw InvalidProblem(fmt::format("{}: {}x{} pixels of {} channels; each must be at least 1", name, view.width,
                                         view.height, view.channels));
    const Extent extent{view.width, view.height};
    if (view.channels > kMaxChannels || extent.pixels() > kMaxSamples / static_cast<std::uint64_t>(view.channels))
        throw InvalidProblem(
            fmt::format("{}: {} pixels of {} channels; no more than {} channels and {} samples are possible", name,
                        to_string(extent), view.channels, kMaxChannels, kMaxSamples));
    if (view.alpha < -1 || view.alpha >= view.channels)
        throw InvalidProblem(
            fmt::format("{}: channel {} is said to be alpha, and it has {} channels", name, view.alpha, view.channels));
}

void check_view(const v0::ConstView& view, std::string_view name)
{
    check_shape(view, name);
    if (view.data == nullptr) throw InvalidProblem(fmt::format("{}: has no samples (a null pointer)", name));
}

std::size_t sample_count(const v0::ConstView& view)
{
    return static_cast<std::size_t>(view.width) * static_cast<std::size_t>(view.height) *
           static_cast<std::size_t>(view.channels);
}

bool is_usable_in_place(const v0::ConstView& view)
{
    return has_whole_rows(view) && (view.height == 1 || view.y_step == static_cast<std::ptrdiff_t>(row_bytes(view))) &&
           reinterpret_cast<std::uintptr_t>(view.data) % kAlignment == 0;
}

bool may_overlap(const v0::ConstView& a, const v0::ConstView& b)
{
    const Range first = range_of(a);
    const Range second = range_of(b);
    return first.first < second.end && second.first < first.end;
}

Bytes gathered(const v0::ConstView& view, const Allocate& allocate)
{
    Bytes packed = allocate(sample_count(view) * bytes_of(file_type_of(view.type)));
    // Only read: one loop serves both directions.
    copy_rows<false>(static_cast<std::byte*>(const_cast<void*>(view.data)), packed.data(), view);
    return packed;
}

void scatter(const std::byte* samples, const v0::View& view)
{
    copy_rows<true>(static_cast<std::byte*>(view.data), const_cast<std::byte*>(samples), view);
}

Bytes as_floats(const std::byte* samples, std::size_t count, FileType type)
{
    return as_numbers<float>(samples, count, type);
}
Bytes as_doubles(const std::byte* samples, std::size_t count, FileType type)
{
    return as_numbers<double>(samples, count, type);
}

}  // namespace clconv
