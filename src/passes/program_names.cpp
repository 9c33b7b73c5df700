// SPDX-License-Identifier: Apache-2.0
#include "passes/program_names.h"

#include "fft/factorize.h"

#include <fmt/format.h>

#include <algorithm>

namespace clconv {

namespace {

std::string blend_words(const Problem& problem, BlendPass pass)
{
    const BlendShape blend = computed_blend(problem);
    std::string words;
    for (const BlendFlag& flag : kBlendFlags)
        if (flag.pass == pass && blend.*flag.is_set) words += fmt::format("-{}", flag.word);
    return words;
}

}  // namespace

std::string line_words(std::span<const int> radices, Butterflies butterflies)
{
    return fmt::format("-{}-{}{}", line_length(radices), fmt::join(radices, "."),
                       butterflies == Butterflies::direct ? "-direct" : "");
}

std::string group_words(const LinePlan& pass)
{
    const LocalLine& line = pass.local;
    std::string words = fmt::format("-{}x{}-{}", line.items, pass.lines, name_of(line.exchange));
    std::vector<int> pads = line.pads;
    pads.insert(pads.end(), line.back_pads.begin(), line.back_pads.end());
    if (std::ranges::any_of(pads, [](int pad) { return pad != 0; }))
        words += fmt::format("-pad{}", fmt::join(pads, "."));
    if (line.order == LineOrder::in_place) words += fmt::format("-{}", name_of(line.order));
    if (pass.registers > 0) words += fmt::format("-{}registers", pass.registers);
    return words;
}

std::string spectrum_words(const Spectrum& spectrum)
{
    return fmt::format("-bundle{}x{}", spectrum.bundle_columns, spectrum.rows_together);
}

std::string sample_words(const Problem& p, SampleUse use)
{
    const bool stores = use != SampleUse::loads;
    const bool blends = stores && p.blend.blend != Blend::none;
    const bool loads = use != SampleUse::stores || blends;  // a blend loads the image once more
    std::string words = fmt::format("-{}x{}", name_of(loads ? p.input : p.output), p.channels);
    if (loads && stores && p.input != p.output) words += fmt::format("-to-{}", name_of(p.output));
    if (p.layout == Layout::planar) words += "-planar";
    const bool decodes = loads && p.decode_srgb;
    const bool encodes = stores && p.encode_srgb;
    if (decodes || encodes) words += "-linear";
    if (loads && stores && decodes != encodes) words += decodes ? "-in" : "-out";
    if (stores && mode_of(p.border).divides_by_coverage) words += "-renormalize";
    if (stores && p.counts_clamped) words += "-counted";
    if (loads) words += blend_words(p, BlendPass::loads);
    if (blends) words += p.blend.blend == Blend::screen ? "-screen" : "-mix";
    if (blends) words += blend_words(p, BlendPass::stores);
    return words + precision_words(p.precision);
}

std::string precision_words(Precision precision)
{
    return precision == Precision::float32 ? "" : fmt::format("-precision-{}", name_of(precision));
}

std::string size_words(const Plan& plan)
{
    const Problem& p = plan.problem;
    const FftPlan* const fft = std::get_if<FftPlan>(&plan.how);
    return fmt::format("-for-{}-{}x{}-at{}.{}-{}-{}{}", to_string(p.image), to_string(p.psf), p.psf_channels,
                       p.origin.x, p.origin.y, name_of(p.border), name_of(p.mode),
                       fft ? fmt::format("-padded{}x{}-{}planes{}", fft->x.length, fft->y.length, fft->planes,
                                         fft->joint() ? "-joint" : "")
                           : "");
}

}  // namespace clconv
