// SPDX-License-Identifier: Apache-2.0
#include "image/light_codes.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <list>
#include <mutex>
#include <vector>

namespace clconv {
namespace {

float decoded_sample(const Transfer& transfer, float code, std::size_t colour)
{
    return static_cast<float>(transfer.decoded(static_cast<double>(code), colour));
}

float encoded_sample(const Transfer& transfer, float light, std::size_t colour)
{
    return static_cast<float>(transfer.encoded(static_cast<double>(light), colour));
}

/// Rounds as from_float() does.
int nearest_code(float value, int largest)
{
    const float clamped = value > 0.0F ? value : 0.0F;
    const auto top = static_cast<float>(largest);
    return clamped < 1.0F ? static_cast<int>(std::floor(clamped * top + 0.5F)) : largest;
}

/// The codes of light between 2^-64 and 64, which is above PQ's brightest. The bits of positive floats are in the order
/// of their values: the upper ones say between which codes to look.
class CodeTable {
public:
    CodeTable(const Transfer& transfer, std::size_t colour, int largest)
        : transfer_(transfer), colour_(colour), largest_(largest)
    {
        firsts_.reserve(static_cast<std::size_t>(largest));
        for (int code = 1; code <= largest; ++code) firsts_.push_back(first_of(code));
        std::size_t code = 0;
        for (std::uint32_t bucket = 0; bucket <= kLast - kFirst + 1; ++bucket) {
            const std::uint32_t bits = (kFirst + bucket) << kShift;
            while (code < firsts_.size() && firsts_[code] < bits) ++code;
            buckets_.push_back(static_cast<std::uint32_t>(code));
        }
    }

    [[nodiscard]] int operator()(float light) const
    {
        const auto bits = std::bit_cast<std::uint32_t>(light);
        const std::uint32_t bucket = bits >> kShift;
        if (bucket < kFirst || bucket >= kLast) return slow(light);  // negative ones and NaN are among them
        const auto begin = firsts_.begin() + buckets_[bucket - kFirst];
        const auto end = firsts_.begin() + buckets_[bucket - kFirst + 1];
        return static_cast<int>(std::upper_bound(begin, end, bits) - firsts_.begin());
    }

private:
    static constexpr std::uint32_t kShift = 14;
    static constexpr std::uint32_t kFirst = std::bit_cast<std::uint32_t>(0x1p-64F) >> kShift;
    static constexpr std::uint32_t kLast = std::bit_cast<std::uint32_t>(64.0F) >> kShift;

    [[nodiscard]] int slow(float light) const
    {
        return nearest_code(encoded_sample(transfer_, light, colour_), largest_);
    }

    /// The bits of the first light that becomes `code` or more.
    [[nodiscard]] std::uint32_t first_of(int code) const
    {
        constexpr std::uint32_t minimum = kFirst << kShift;
        constexpr std::uint32_t maximum = (kLast + 1) << kShift;
        const double guess = transfer_.decoded((code - 0.5) / largest_, colour_);
        const float near = static_cast<float>(std::clamp(guess, 0x1p-64, 64.0));
        const auto start = std::bit_cast<std::uint32_t>(near);
        const auto is_there = [&](std::uint32_t bits) { return slow(std::bit_cast<float>(bits)) >= code; };
        std::uint32_t below = start;
        std::uint32_t above = start;
        for (std::uint32_t step = 1; below > minimum && is_there(below); step *= 4)
            below = below - minimum > step ? below - step : minimum;
        for (std::uint32_t step = 1; above < maximum && !is_there(above); step *= 4)
            above = maximum - above > step ? above + step : maximum;
        while (below < above) {
            const std::uint32_t middle = below + (above - below) / 2;
            if (is_there(middle))
                above = middle;
            else
                below = middle + 1;
        }
        return above;
    }

    const Transfer& transfer_;
    std::size_t colour_;
    int largest_;
    std::vector<std::uint32_t> firsts_;   ///< number c: the bits of the first light of code c + 1
    std::vector<std::uint32_t> buckets_;  ///< of each: how many of `firsts_` lie below it
};

struct Tables {
    std::shared_ptr<const Transfer> transfer;
    int largest = 0;
    std::vector<std::vector<float>> lights;  ///< of each curve, the light of every code
    std::vector<CodeTable> codes;            ///< of each curve
};

std::size_t curves_of(const Transfer& transfer)
{
    return transfer.shape == Transfer::Shape::other ? transfer.curves.size() : 1;
}

std::shared_ptr<const Tables> made_tables(const std::shared_ptr<const Transfer>& transfer, int largest)
{
    auto tables = std::make_shared<Tables>(Tables{transfer, largest, {}, {}});
    for (std::size_t colour = 0; colour < curves_of(*transfer); ++colour) {
        std::vector<float> lights;
        for (int code = 0; code <= largest; ++code)
            lights.push_back(
                decoded_sample(*transfer, static_cast<float>(code) * (1.0F / static_cast<float>(largest)), colour));
        tables->lights.push_back(std::move(lights));
        tables->codes.emplace_back(*transfer, colour, largest);
    }
    return tables;
}

/// Made once for all images of a folder, as far as they have one profile.
std::shared_ptr<const Tables> tables_of(const std::shared_ptr<const Transfer>& transfer, int largest)
{
    constexpr std::size_t maximum = 8;
    static std::mutex mutex;
    static std::list<std::shared_ptr<const Tables>> known;
    const std::lock_guard lock(mutex);
    for (const auto& tables : known)
        if (tables->transfer == transfer && tables->largest == largest) return tables;
    known.push_front(made_tables(transfer, largest));
    if (known.size() > maximum) known.pop_back();
    return known.front();
}

template <class Change>
void change_colours(std::span<float> samples, const AlphaLayout& layout, const Change& change)
{
    const auto channels = static_cast<std::size_t>(layout.channels);
    for (std::size_t pixel = 0; pixel + channels <= samples.size(); pixel += channels)
        for (std::size_t colour = 0; colour < layout.colours.size(); ++colour) {
            float& sample = samples[pixel + static_cast<std::size_t>(layout.colours[colour])];
            sample = change(sample, colour);
        }
}

}  // namespace

std::optional<int> largest_code(FileType type)
{
    if (type == FileType::u8) return 255;
    if (type == FileType::u16) return 65535;
    return std::nullopt;
}

void decode_light(std::span<float> samples, const AlphaLayout& layout, const std::shared_ptr<const Transfer>& transfer,
                  std::optional<int> codes)
{
    if (!codes)
        return change_colours(samples, layout,
                              [&](float code, std::size_t colour) { return decoded_sample(*transfer, code, colour); });
    const std::shared_ptr<const Tables> tables = tables_of(transfer, *codes);
    change_colours(samples, layout, [&](float code, std::size_t colour) {
        if (std::isnan(code)) return code;  // a missing sample
        return tables
            ->lights[std::min(colour, tables->lights.size() - 1)][static_cast<std::size_t>(nearest_code(code, *codes))];
    });
}

void encode_light(std::span<float> samples, const AlphaLayout& layout, const std::shared_ptr<const Transfer>& transfer,
                  std::optional<int> codes)
{
    if (!codes)
        return change_colours(
            samples, layout, [&](float light, std::size_t colour) { return encoded_sample(*transfer, light, colour); });
    const std::shared_ptr<const Tables> tables = tables_of(transfer, *codes);
    change_colours(samples, layout, [&](float light, std::size_t colour) {
        const int code = tables->codes[std::min(colour, tables->codes.size() - 1)](light);
        return static_cast<float>(code) / static_cast<float>(*codes);
    });
}

}  // namespace clconv
