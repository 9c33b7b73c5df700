// SPDX-License-Identifier: Apache-2.0
#include "batch/finite.h"

#include "base/errors.h"

#include <fmt/format.h>

namespace clconv {
namespace {

/// The treatment of samples that are not finite, in words, if they do not fail their image.
std::string_view consequence(NonFiniteRule rule, bool have_weights)
{
    if (!have_weights) return "they have no weight";
    switch (rule) {
        case NonFiniteRule::error: break;
        case NonFiniteRule::zero: return "they count as 0";
        case NonFiniteRule::interpolate: return "they count as missing";
        case NonFiniteRule::propagate: return "they spread as far as the transforms do";
    }
    return "";
}

}  // namespace

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
            fmt::format(
                "; --nonfinite interpolate (in clconv run) takes the known samples around them and writes {} again "
                "where there are none, zero makes them 0, and --nodata off takes the value as a number",
                bad.nodata->text));
    throw InputError(
        describe(path, bad) +
        "; finite samples are needed: repair the image first, or say how these count: --nonfinite zero or propagate, "
        "and interpolate in clconv run" +
        (bad.were_doubles ? "; --precision double holds doubles beyond the range of float" : ""));
}

std::string note_of(const std::filesystem::path& path, const NonFinite& bad, NonFiniteRule rule, bool have_weights)
{
    return fmt::format("{}; {}", describe(path, bad), consequence(rule, have_weights));
}

void add_rows(NonFinite& all, NonFinite some, int first)
{
    some.first.y += first;
    some.count += all.count;
    if (all.count > 0) {
        some.first = all.first;
        some.channel = all.channel;
    }
    all = some;
}

NonFinite treat_nonfinite(const std::filesystem::path& path, Image& image, NonFiniteRule rule)
{
    NonFinite bad = find_nonfinite(image.view());
    bad.nodata = image.nodata;
    bad.were_doubles = image.stored_type == FileType::float64 && image.type == SampleType::float32;
    if (bad.count > 0) bad.channel = image.file_channel(bad.channel);
    if (rule == NonFiniteRule::error) require_finite(path, bad);
    if (rule == NonFiniteRule::zero && bad.count > 0) zero_nonfinite(image.view(), image.samples.data());
    image.has_nonfinite = bad.count > 0 && rule != NonFiniteRule::zero;
    image.facts = std::make_shared<const SampleFacts>(sample_facts(image.view()));
    return bad;
}

}  // namespace clconv
