#include "engine/defines.h"

#include "base/light.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

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
        .text();
}

std::string light_table_define(const Problem& problem)
{
    if (!problem.decode_srgb || problem.input != SampleType::u8) return "";
    std::vector<double> lights;
    for (int code = 0; code < 256; ++code) lights.push_back(srgb_decoded(code / 255.0));
    const std::string_view literal = problem.precision == Precision::float64 ? "" : "f";
    return fmt::format("#define SRGB_LIGHTS {:.17e}{}\n", fmt::join(lights, fmt::format("{}, ", literal)), literal);
}

std::string output_defines(const Problem& problem)
{
    Defines defines;
    // What blends loads the image again.
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
        .text();
}

std::string spectrum_defines(const Spectrum& spectrum)
{
    return Defines().add("T", spectrum.tile_columns).add("ROWS", spectrum.rows_together).text();
}

}  // namespace clconv
