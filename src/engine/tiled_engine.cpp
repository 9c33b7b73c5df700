#include "engine/tiled_engine.h"

#include "engine/defines.h"
#include "engine/scalars.h"
#include "fft/lane_line.h"
#include "fft/twiddles.h"
#include "opencl/buffers.h"
#include "opencl/program.h"

#include <fmt/format.h>

namespace clconv {
namespace {

/// A tile's own circular axis: the kept part of the PSF, so placed that position 0 of the result is the first valid
/// one.
Axis tile_axis(const Window& window, int side)
{
    return {.count = side,
            .length = side,
            .loaded = side,
            .output = side - window.taps + 1,
            .psf_first = window.psf_first,
            .psf_count = window.taps,
            .psf_shift = -(window.psf_first + window.taps - 1)};
}

/// Where the borders' tables must reach: the last tile's last sample.
std::vector<int> tile_sources(const AxisProblem& axis, int tiles, int valid, int side)
{
    return window_sources(axis, (tiles - 1) * valid + side);
}

/// The tables of both axes in both orders, and the defines that say where each stage's begins.
struct Twiddles {
    std::vector<std::complex<double>> tables;
    Defines defines;

    void add(char letter, char axis, const std::vector<int>& radices)
    {
        const std::vector<int> offsets = twiddle_offsets(radices);
        const bool reversed = letter == 'V';
        for (std::size_t s = 0; s < radices.size(); ++s)
            defines.add(fmt::format("{}{}{}", letter, axis, reversed ? radices.size() - 1 - s : s),
                        static_cast<long long>(tables.size()) + offsets[s]);
        const auto added = twiddle_tables(radices);
        tables.insert(tables.end(), added.begin(), added.end());
    }
};

std::vector<int> reversed(const std::vector<int>& radices) { return {radices.rbegin(), radices.rend()}; }

/// What both shapes of the method know.
Defines tile_defines(const Plan& plan)
{
    const TilePlan& tiles = plan.tiles;
    Defines defines;
    defines.add_lines(image_defines(plan))
        .add("NX", tiles.size.width)
        .add("NY", tiles.size.height)
        .add("VALID_X", tiles.valid.width)
        .add("VALID_Y", tiles.valid.height)
        .add("ACROSS", tiles.across)
        .add("TILES", static_cast<long long>(tiles.across) * tiles.down)
        .add("FIRST_X", tiles.x.first_source)
        .add("FIRST_Y", tiles.y.first_source)
        .add_scalar("SCALE", 1.0 / static_cast<double>(tiles.size.pixels()), Precision::float32);
    return defines;
}

class TiledEngine : public Engine {
public:
    explicit TiledEngine(const PassContext& context) : plan_(context.plan), device_(context.device)
    {
        const TilePlan& tiles = plan_.tiles;
        columns_ =
            upload(device_, tile_sources(along_x(plan_.problem), tiles.across, tiles.valid.width, tiles.size.width));
        rows_ =
            upload(device_, tile_sources(along_y(plan_.problem), tiles.down, tiles.valid.height, tiles.size.height));
    }

    PreparedPsf prepare(Launcher& launcher, const Psf& psf) override
    {
        const PlacedPsf placed =
            place_psf(psf.weights, psf.extent, psf.channels, tile_axis(plan_.tiles.x, plan_.tiles.size.width),
                      tile_axis(plan_.tiles.y, plan_.tiles.size.height));
        PreparedPsf prepared;
        prepared.transfer = allocate(device_, plan_.transfer_cells() * psf.channels * sizeof(cl_float2));
        prepared.weight = coverage_buffer(device_, plan_, psf);
        prepared.sums = sums_of(psf);
        transform_psf(launcher, PsfBuffers(device_, placed, Precision::float32), prepared.transfer);
        return prepared;
    }

protected:
    virtual void transform_psf(Launcher& launcher, const PsfBuffers& psf, const cl::Buffer& transfer) = 0;

    [[nodiscard]] std::size_t groups() const
    {
        return static_cast<std::size_t>(plan_.tiles.pairs()) * plan_.problem.channels;
    }

    Plan plan_;
    Device& device_;
    cl::Buffer columns_, rows_;
};

/// Work-items share a tile.
class SharedTiles : public TiledEngine {
public:
    explicit SharedTiles(const PassContext& context) : TiledEngine(context)
    {
        const TilePlan& tiles = plan_.tiles;
        Twiddles twiddles;
        twiddles.add('W', 'X', tiles.radices_x);
        twiddles.add('W', 'Y', tiles.radices_y);
        twiddles.add('V', 'X', reversed(tiles.radices_x));
        twiddles.add('V', 'Y', reversed(tiles.radices_y));
        std::vector<int> both = tiles.radices_x;
        both.insert(both.end(), tiles.radices_y.begin(), tiles.radices_y.end());
        Defines defines = tile_defines(plan_);
        defines.add_lines(twiddles.defines.text())
            .add_lines(butterfly_defines(Butterflies::embedded, both))
            .add("RX0", tiles.radices_x[0])
            .add("RX1", tiles.radices_x[1])
            .add("RY0", tiles.radices_y[0])
            .add("RY1", tiles.radices_y[1])
            .add("GROUP", tiles.items)
            .add("PITCH", tile_pitch(tiles.size.width))
            .add("SPLIT", tiles.split)
            .add("FIXED_GROUP", device_.info().traits.is_nvidia ? 0 : 1);  // as the passes of engine/local_passes.cpp
        const cl::Program program = build(device_, context.kernels, {"tiled.cl", defines.text(), ""});
        convolve_ = cl::Kernel(program, "convolve_tiles");
        twiddles_ = upload_scalars(device_, twiddles.tables, Precision::float32);
    }

    void convolve(Launcher& launcher, const ImageBuffers& image, const PreparedPsf& psf) override
    {
        launcher.run("tiled", convolve_, groups(), plan_.tiles.items, image.input, image.bias, image.output,
                     psf.transfer, psf.transfer, twiddles_, columns_, rows_, image.bias, image.restore, image.weight,
                     cl_uint{0}, cl_uint{0});
    }

private:
    void transform_psf(Launcher& launcher, const PsfBuffers& psf, const cl::Buffer& transfer) override
    {
        launcher.run("psf tile", convolve_, psf.channels, plan_.tiles.items, psf.weights, psf.weights, transfer,
                     transfer, transfer, twiddles_, psf.columns, psf.rows, psf.weights, psf.weights, psf.weights,
                     static_cast<cl_uint>(psf.width), static_cast<cl_uint>(psf.height));
    }

    cl::Kernel convolve_;
    cl::Buffer twiddles_;
};

/// A work-item owns a tile, eight lanes at a time.
class LaneTiles : public TiledEngine {
public:
    explicit LaneTiles(const PassContext& context) : TiledEngine(context)
    {
        const TilePlan& tiles = plan_.tiles;
        Defines defines = tile_defines(plan_);
        defines.add_lines(lane_defines(tiles.radices_x)).add("PITCH", lane_tile_pitch(tiles.size.height));
        const cl::Program program = build(device_, context.kernels, {"tiled_lanes.cl", defines.text(), ""});
        convolve_ = cl::Kernel(program, "convolve_lane_tiles");
        forward_twiddles_ = upload_scalars(device_, lane_forward_twiddles(tiles.radices_x), Precision::float32);
        back_twiddles_ = upload_scalars(device_, lane_back_twiddles(tiles.radices_x), Precision::float32);
    }

    void convolve(Launcher& launcher, const ImageBuffers& image, const PreparedPsf& psf) override
    {
        launcher.run("tiled", convolve_, groups(), 1, image.input, image.bias, image.output, psf.transfer,
                     forward_twiddles_, back_twiddles_, columns_, rows_, image.bias, image.restore, image.weight,
                     cl_uint{0}, cl_uint{0});
    }

private:
    void transform_psf(Launcher& launcher, const PsfBuffers& psf, const cl::Buffer& transfer) override
    {
        launcher.run("psf tile", convolve_, psf.channels, 1, psf.weights, psf.weights, transfer, transfer,
                     forward_twiddles_, back_twiddles_, psf.columns, psf.rows, psf.weights, psf.weights, psf.weights,
                     static_cast<cl_uint>(psf.width), static_cast<cl_uint>(psf.height));
    }

    cl::Kernel convolve_;
    cl::Buffer forward_twiddles_, back_twiddles_;
};

}  // namespace

std::unique_ptr<Engine> make_tiled_engine(const PassContext& context)
{
    if (context.plan.lanes > 1) return std::make_unique<LaneTiles>(context);
    return std::make_unique<SharedTiles>(context);
}

}  // namespace clconv
