#include "samples/result_check.h"

#include "base/errors.h"
#include "base/sample_value.h"
#include "image/image_file.h"

#include <fmt/format.h>

#include <cmath>
#include <span>

namespace clconv {
namespace {

/// Half way from the largest half to the next that there would be: rounds to infinity.
constexpr float kBeyondHalf = 65520;

bool has_nan(const ImageView& result)
{
    for (std::size_t i = 0; i < result.sample_count(); ++i)
        if (std::isnan(sample_value(result.samples, result.type, i))) return true;
    return false;
}

std::size_t beyond_half(const ImageView& result)
{
    const std::span<const float> samples(reinterpret_cast<const float*>(result.samples), result.sample_count());
    std::size_t count = 0;
    for (const float sample : samples) count += std::abs(sample) >= kBeyondHalf ? 1U : 0U;
    return count;
}

}  // namespace

std::size_t count_overflow(const std::filesystem::path& input, const Image& image, const ImageView& result,
                           FileType file)
{
    const NonFinite bad = find_nonfinite(result);
    if (bad.count > 0 && (result.type == SampleType::float32 || has_nan(result)))
        throw InputError(fmt::format(
            "{}: {} result{} not finite, though all samples are, the first at x {}, y {}, channel {}: its sums are too "
            "large for float; use --normalize sum or sum-all, divide the samples or the weights by a constant, or try "
            "--precision double",
            input.string(), bad.count, bad.count == 1 ? " is" : "s are", bad.first.x, bad.first.y,
            image.file_channel(bad.channel)));
    if (result.type == SampleType::float32 && file == FileType::half) return beyond_half(result);
    return bad.count;
}

}  // namespace clconv
