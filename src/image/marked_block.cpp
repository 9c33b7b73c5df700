#include "image/marked_block.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>

namespace clconv::oiio {
namespace {

constexpr std::size_t kMark = 16;
/// Between marks: strips, tiles and scanlines that are missing are longer, and to write the marks costs nothing.
constexpr std::size_t kDistance = 1024;

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

void fill_missing(std::byte* samples, std::size_t bytes, SampleType type)
{
    constexpr std::uint16_t half_nan = 0x7E00;
    const auto fill = [&](auto value) {
        std::fill_n(reinterpret_cast<decltype(value)*>(samples), bytes / sizeof(value), value);
    };
    switch (type) {
        case SampleType::float32: return fill(std::numeric_limits<float>::quiet_NaN());
        case SampleType::half: return fill(half_nan);
        default: std::memset(samples, 0, bytes);
    }
}

}  // namespace

bool may_leave_gaps(std::string_view format) { return format != "png" && format != "jpeg"; }

template <class Function>
void MarkedBlock::for_each_mark(const Function& function) const
{
    if (bytes_ < kMark) return;
    for (std::size_t offset = 0; offset + kMark < bytes_; offset += kDistance) function(samples_ + offset);
    function(samples_ + (bytes_ - kMark) / sizeof(float) * sizeof(float));
}

MarkedBlock::MarkedBlock(std::byte* samples, std::size_t bytes, SampleType type)
    : samples_(samples), bytes_(bytes), type_(type)
{
    fill_missing(samples_, bytes_, type_);
    for_each_mark([](std::byte* place) { std::memcpy(place, mark().data(), kMark); });
}

bool MarkedBlock::has_gaps()
{
    bool found = false;
    for_each_mark([&](std::byte* place) {
        if (std::memcmp(place, mark().data(), kMark) != 0) return;
        fill_missing(place, kMark, type_);
        found = true;
    });
    return found;
}

}  // namespace clconv::oiio
