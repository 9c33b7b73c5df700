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

std::string input_defines(const Problem& problem)
{
    return Defines()
        .add("CHANNELS", problem.channels)
        .add("PLANAR", problem.layout == Layout::planar)
        .add("IN_TYPE", static_cast<int>(problem.input))
        .add("DECODE_SRGB", problem.decode_srgb)
        .add("HIGHLIGHTS", problem.blend.highlights)
        .add_lines(problem.blend.layers ? "#define LAYERS 1\n" : "")
        .add_lines(computes_boost(problem) ? "#define BOOSTS 1\n" : "")
        .add_lines(problem.blend.early_alpha ? "#define EARLY_ALPHA 1\n" : "")
        .text();
}

std::string output_defines(const Problem& problem)
{
    Defines defines;
    // A program that blends loads the image again.
    if (problem.blend.blend != Blend::none)
        defines.add_lines(input_defines(problem))
            .add("BLEND", static_cast<int>(problem.blend.blend))
            .add("MASKED", problem.blend.masked)
            .add("LEAVES", problem.blend.leaves);
    else
        defines.add("CHANNELS", problem.channels).add("PLANAR", problem.layout == Layout::planar);
    return defines.add("OUT_TYPE", static_cast<int>(problem.output))
        .add("RENORMALIZE", problem.border == Border::renormalize)
        .add("ENCODE_SRGB", problem.encode_srgb)
        .add_lines(problem.counts_clamped ? "#define COUNT_CLAMPED 1\n" : "")
        .text();
}

std::string spectrum_defines(const Spectrum& spectrum)
{
    return Defines().add("BUNDLE_COLUMNS", spectrum.bundle_columns).add("PACK_ROWS", spectrum.rows_together).text();
}

}  // namespace clconv
