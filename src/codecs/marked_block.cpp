// SPDX-License-Identifier: Apache-2.0
#include "codecs/marked_block.h"

#include "codecs/file_formats.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <utility>

namespace clconv::oiio {
namespace {

constexpr std::size_t kMark = 16;
/// The distance of marks: missing strips, tiles and scanlines are longer, and writing the marks costs almost nothing.
constexpr std::size_t kDistance = 1024;
constexpr std::size_t kCopied = std::size_t{16} << 10U;

using Mark = std::array<std::byte, kMark>;

/// Random, so that no file can hold it.
const Mark& mark()
{
    static const Mark kBytes = [] {
        Mark bytes{};
        std::random_device source;
        for (std::byte& byte : bytes) byte = static_cast<std::byte>(source());
        return bytes;
    }();
    return kBytes;
}

std::vector<std::byte> missing_sample(SampleType type)
{
    constexpr std::uint16_t half_nan = 0x7E00;
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    constexpr double wide_nan = std::numeric_limits<double>::quiet_NaN();
    std::vector<std::byte> sample(bytes_of(type));
    if (type == SampleType::float32) std::memcpy(sample.data(), &nan, sizeof(nan));
    if (type == SampleType::float64) std::memcpy(sample.data(), &wide_nan, sizeof(wide_nan));
    if (type == SampleType::half) std::memcpy(sample.data(), &half_nan, sizeof(half_nan));
    return sample;
}

}  // namespace

bool may_leave_gaps(std::string_view format) { return format_named(format).leaves_gaps; }

template <class Function>
void MarkedBlock::for_each_mark(const Function& function) const
{
    if (bytes_ < kMark) return;
    for (std::size_t offset = 0; offset + kMark < bytes_; offset += kDistance) function(samples_ + offset);
    function(samples_ + (bytes_ - kMark) / sizeof(float) * sizeof(float));
}

void MarkedBlock::fill_missing(std::size_t first, std::size_t count) const
{
    const std::size_t size = missing_.size();
    const std::size_t begin = first % size;
    // One whole pattern from where it begins here, then ever longer copies of what is there, which stay in the cache.
    const std::size_t maximum = std::max<std::size_t>(kCopied / size, 1) * size;
    std::size_t done = std::min(count, size);
    for (std::size_t i = 0; i < done; ++i) samples_[first + i] = missing_[(begin + i) % size];
    for (std::size_t step = 0; done < count; done += step) {
        step = std::min({done, maximum, count - done});
        std::memcpy(samples_ + first + done, samples_ + first, step);
    }
}

MarkedBlock::MarkedBlock(std::byte* samples, std::size_t bytes, SampleType type)
    : MarkedBlock(samples, bytes, missing_sample(type))
{
}

MarkedBlock::MarkedBlock(std::byte* samples, std::size_t bytes, std::vector<std::byte> missing)
    : samples_(samples), bytes_(bytes), missing_(std::move(missing))
{
    fill_missing(0, bytes_);
    for_each_mark([](std::byte* place) { std::memcpy(place, mark().data(), kMark); });
}

bool MarkedBlock::has_gaps()
{
    bool found = false;
    for_each_mark([&](std::byte* place) {
        if (std::memcmp(place, mark().data(), kMark) != 0) return;
        fill_missing(static_cast<std::size_t>(place - samples_), kMark);
        found = true;
    });
    return found;
}

}  // namespace clconv::oiio
