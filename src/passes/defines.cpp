// SPDX-License-Identifier: Apache-2.0
#include "passes/defines.h"

#include <fmt/format.h>

namespace clconv {

Defines& Defines::add(std::string_view name, long long value)
{
    return add_lines(fmt::format("#define {} {}\n", name, value));
}

Defines& Defines::add_lines(std::string_view lines)
{
    text_ += lines;
    return *this;
}

std::string precision_define(Precision precision)
{
    return Defines().add("PRECISION", static_cast<int>(precision)).text();
}

namespace {

/// Defines of a blend for one kind of pass. Kernels have defaults for properties that are not set.
std::string blend_defines(const Problem& problem, BlendPass pass)
{
    const BlendShape blend = computed_blend(problem);
    Defines defines;
    for (const BlendFlag& flag : kBlendFlags)
        if (flag.pass == pass && blend.*flag.is_set) defines.add(flag.define, 1);
    return defines.text();
}

}  // namespace

std::string input_defines(const Problem& problem)
{
    return Defines()
        .add("CHANNELS", problem.channels)
        .add("PLANAR", problem.layout == Layout::planar)
        .add("IN_TYPE", static_cast<int>(problem.input))
        .add("DECODE_SRGB", problem.decode_srgb)
        .add_lines(blend_defines(problem, BlendPass::loads))
        .text();
}

std::string output_defines(const Problem& problem)
{
    Defines defines;
    // A program that blends loads the image again.
    if (problem.blend.blend != Blend::none)
        defines.add_lines(input_defines(problem))
            .add("BLEND", static_cast<int>(problem.blend.blend))
            .add_lines(blend_defines(problem, BlendPass::stores));
    else
        defines.add("CHANNELS", problem.channels).add("PLANAR", problem.layout == Layout::planar);
    return defines.add("OUT_TYPE", static_cast<int>(problem.output))
        .add("RENORMALIZE", mode_of(problem.border).divides_by_coverage)
        .add("ENCODE_SRGB", problem.encode_srgb)
        .add_lines(problem.counts_clamped ? "#define COUNT_CLAMPED 1\n" : "")
        .text();
}

std::string spectrum_defines(const Spectrum& spectrum)
{
    return Defines().add("BUNDLE_COLUMNS", spectrum.bundle_columns).add("PACK_ROWS", spectrum.rows_together).text();
}

}  // namespace clconv
