#include "engine/defines.h"

#include "conv/half_range.h"

#include <fmt/format.h>

namespace clconv {

Defines& Defines::add(std::string_view name, long long value)
{
    return add_lines(fmt::format("#define {} {}\n", name, value));
}

Defines& Defines::add_scalar(std::string_view name, double value, Precision precision)
{
    if (precision == Precision::float64) return add_lines(fmt::format("#define {} {:.17e}\n", name, value));
    return add_lines(fmt::format("#define {} {:.9e}f\n", name, value));
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

std::string image_defines(const Plan& plan)
{
    const Problem& p = plan.problem;
    Defines defines;
    defines.add("CHANNELS", p.channels)
        .add("WIDTH", p.image.width)
        .add("HEIGHT", p.image.height)
        .add("OUT_WIDTH", plan.output.width)
        .add("OUT_HEIGHT", plan.output.height)
        .add("IN_TYPE", static_cast<int>(p.input))
        .add("OUT_TYPE", static_cast<int>(p.output))
        .add("PLANAR", p.layout == Layout::planar)
        .add("LOADED_X", plan.x.loaded)
        .add("COLUMN_TABLE", plan.x.extended())
        .add("RENORMALIZE", p.border == Border::renormalize)
        .add("PSF_CHANNELS", p.psf_channels)
        .add("DECODE_SRGB", p.decode_srgb)
        .add("ENCODE_SRGB", p.encode_srgb);
    return defines.text();
}

std::string spectrum_defines(const Plan& plan)
{
    const Spectrum& s = plan.spectrum;
    Defines defines;
    defines.add("T", s.tile_columns)
        .add("ROWS", s.rows_together)
        .add("TILES", s.tiles)
        .add("SPECTRUM_COLUMNS", s.columns)
        .add("PACKS", s.packs)
        .add("PLANES", plan.planes);
    return defines.text();
}

double column_scale(const Plan& plan)
{
    return plan.problem.precision == Precision::half ? half_column_scale(plan.y.length) : 1;
}

double result_scale(const Plan& plan)
{
    return 0.25 / (static_cast<double>(plan.x.length) * plan.y.length * column_scale(plan));
}

}  // namespace clconv
