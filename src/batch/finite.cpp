// SPDX-License-Identifier: Apache-2.0
#include "batch/finite.h"

#include "base/errors.h"

#include <fmt/format.h>

namespace clconv {

std::string describe(const std::filesystem::path& path, const NonFinite& bad)
{
    const std::string what = bad.nodata         ? fmt::format("missing ({}, NaN or infinite)", in_words(*bad.nodata))
                             : bad.were_doubles ? "not finite as floats (NaN or infinite)"
                                                : "not finite (NaN or infinite)";
    return fmt::format("{}: {} sample{} {}, the first at x {}, y {}, channel {}", path.string(), bad.count,
                       bad.count == 1 ? " is" : "s are", what, bad.first.x, bad.first.y, bad.channel);
}

void require_finite(const std::filesystem::path& path, const NonFinite& bad)
{
    if (bad.count == 0) return;
    if (bad.nodata)
        throw InputError(
            describe(path, bad) +
            fmt::format("; --nonfinite interpolate takes the known samples around them and writes {} again "
                        "where there are none, zero makes them 0, and --nodata off takes the value as a "
                        "number",
                        bad.nodata->text));
    throw InputError(describe(path, bad) +
                     "; finite samples are needed: repair the image first, or see --nonfinite zero, interpolate and "
                     "propagate" +
                     (bad.were_doubles ? "; --precision double holds doubles beyond the range of float" : ""));
}

NonFinite treat_nonfinite(const std::filesystem::path& path, Image& image, NonFiniteRule rule)
{
    NonFinite bad = find_nonfinite(image.view());
    bad.nodata = image.nodata;
    bad.were_doubles = image.stored_type == FileType::float64 && image.type == SampleType::float32;
    if (bad.count > 0) bad.channel = image.file_channel(bad.channel);
    if (rule == NonFiniteRule::error) require_finite(path, bad);
    if (rule == NonFiniteRule::zero && bad.count > 0) zero_nonfinite(image.view(), image.samples.data());
    image.facts = std::make_shared<const SampleFacts>(sample_facts(image.view()));
    return bad;
}

}  // namespace clconv
