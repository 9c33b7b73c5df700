#include "bench/floor.h"

namespace clconv {

namespace {

constexpr std::uint64_t kTileComplexBytes = 8;  // in float, also where spectra are stored in half

}  // namespace

std::vector<PassBytes> pass_bytes(const Plan& plan)
{
    const Problem& p = plan.problem;
    const auto channels = static_cast<std::uint64_t>(p.channels);
    const std::uint64_t in = channels * p.image.pixels() * bytes_of(p.input);
    const std::uint64_t out = channels * plan.output.pixels() * bytes_of(p.output);
    if (plan.method == Method::direct) return {{"direct", in + out}};
    if (plan.method == Method::tiled)
        return {{"tiled", in + out + plan.tiles.size.pixels() * p.psf_channels * kTileComplexBytes}};

    const std::uint64_t complex_bytes = stored_complex_bytes(p.precision);
    const auto columns = static_cast<std::uint64_t>(plan.spectrum.columns);
    const std::uint64_t spectra_in = channels * columns * p.image.height * complex_bytes;
    const std::uint64_t spectra_out = channels * columns * plan.output.height * complex_bytes;
    const std::uint64_t transfer = columns * plan.y.length * p.psf_channels * complex_bytes;
    return {
        {"rows", in + spectra_in}, {"columns", spectra_in + transfer + spectra_out}, {"rows back", spectra_out + out}};
}

}  // namespace clconv
