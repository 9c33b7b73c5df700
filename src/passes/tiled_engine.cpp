// SPDX-License-Identifier: Apache-2.0
#include "passes/tiled_engine.h"

#include "fft/lane_line.h"
#include "fft/twiddles.h"
#include "opencl/buffers.h"
#include "passes/line_tables.h"
#include "passes/pass_names.h"
#include "passes/recipes.h"
#include "passes/scalars.h"
#include "passes/sizes.h"

namespace clconv {
namespace {

/// A tile's own circular axis: the kept part of the PSF, placed so that position 0 of the result is the first valid
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

class TiledEngine : public Engine {
public:
    explicit TiledEngine(const PassContext& context)
        : plan_(context.plan), tiles_(plan_.tiles()), sizes_(sizes_of(plan_)), device_(context.device)
    {
        columns_ = upload(device_, window_sources(along_x(plan_.problem), tiles_.positions_x()));
        rows_ = upload(device_, window_sources(along_y(plan_.problem), tiles_.positions_y()));
    }

    PreparedPsf prepare(Launcher& launcher, const Psf& psf) override
    {
        const PlacedPsf placed =
            place_psf(psf.weights, psf.extent, psf.channels, tile_axis(tiles_.x, tiles_.size.width),
                      tile_axis(tiles_.y, tiles_.size.height));
        PreparedPsf prepared;
        prepared.transfer = allocate(device_, tiles_.size.pixels() * psf.channels * sizeof(cl_float2));
        prepared.weight = coverage_buffer(device_, plan_, psf);
        prepared.sums = sums_of(psf);
        transform_psf(launcher, PsfBuffers(device_, placed, Precision::float32), prepared.transfer);
        return prepared;
    }

protected:
    virtual void transform_psf(Launcher& launcher, const PsfBuffers& psf, const cl::Buffer& transfer) = 0;

    [[nodiscard]] std::size_t groups() const
    {
        return static_cast<std::size_t>(tiles_.pairs()) * plan_.problem.channels;
    }

    Plan plan_;
    const TilePlan& tiles_;
    Sizes sizes_;
    Device& device_;
    cl::Buffer columns_, rows_;
};

/// Work-items share a tile.
class SharedTiles : public TiledEngine {
public:
    explicit SharedTiles(const PassContext& context) : TiledEngine(context)
    {
        const BuiltProgram program = build(device_, context.kernels, tiled_recipe(plan_, context.device.info().traits));
        convolve_ = Kernel(program, "convolve_tiles");
        std::vector<std::complex<double>> twiddles;
        for (const TileTable& table : tile_tables(tiles_)) {
            const auto added = twiddle_tables(table.radices);
            twiddles.insert(twiddles.end(), added.begin(), added.end());
        }
        twiddles_ = upload_scalars(device_, twiddles, Precision::float32);
    }

    void convolve(Launcher& launcher, const ImageBuffers& image, const PreparedPsf& psf) override
    {
        const cl::Buffer none;  // docs/decisions/059-fewer-buffers-a-launch.md
        launcher.run(pass::kTiled, convolve_, {groups(), image.images}, tiles_.items, named("samples", image.input),
                     named("psf", none), named("result", image.output), named("transfer", psf.transfer),
                     named("psf_transfer", none), named("twiddle", twiddles_), named("source_column", columns_),
                     named("source_row", rows_), named("bias", image.bias), named("restore", image.restore),
                     named("weight", image.weight), named("mask", image.mask), named("psf_width", cl_uint{0}),
                     named("psf_height", cl_uint{0}), named("given", sizes_));
    }

private:
    void transform_psf(Launcher& launcher, const PsfBuffers& psf, const cl::Buffer& transfer) override
    {
        launcher.run(pass::kPsfTile, convolve_, psf.channels, tiles_.items, named("samples", psf.weights),
                     named("psf", psf.weights), named("result", transfer), named("transfer", transfer),
                     named("psf_transfer", transfer), named("twiddle", twiddles_), named("source_column", psf.columns),
                     named("source_row", psf.rows), named("bias", psf.weights), named("restore", psf.weights),
                     named("weight", psf.weights), named("mask", psf.weights),
                     named("psf_width", static_cast<cl_uint>(psf.width)),
                     named("psf_height", static_cast<cl_uint>(psf.height)), named("given", sizes_));
    }

    Kernel convolve_;
    cl::Buffer twiddles_;
};

/// A work-item owns a pair of tiles, eight or sixteen lanes at a time.
class LaneTiles : public TiledEngine {
public:
    explicit LaneTiles(const PassContext& context) : TiledEngine(context)
    {
        const std::vector<int>& radices = tiles_.radices_x;
        const BuiltProgram program = build(device_, context.kernels, tiled_recipe(plan_, context.device.info().traits));
        convolve_ = Kernel(program, "convolve_lane_tiles");
        forward_twiddles_ = lane_forward_table(device_, radices, Butterflies::embedded, Precision::float32);
        back_twiddles_ = lane_back_table(device_, radices, Butterflies::embedded, Precision::float32);
    }

    void convolve(Launcher& launcher, const ImageBuffers& image, const PreparedPsf& psf) override
    {
        launcher.run(pass::kTiled, convolve_, groups(), 1, named("samples", image.input), named("psf", image.bias),
                     named("result", image.output), named("transfer", psf.transfer),
                     named("forward_twiddle", forward_twiddles_), named("back_twiddle", back_twiddles_),
                     named("source_column", columns_), named("source_row", rows_), named("bias", image.bias),
                     named("restore", image.restore), named("weight", image.weight), named("mask", image.mask),
                     named("psf_width", cl_uint{0}), named("psf_height", cl_uint{0}), named("given", sizes_));
    }

private:
    void transform_psf(Launcher& launcher, const PsfBuffers& psf, const cl::Buffer& transfer) override
    {
        launcher.run(pass::kPsfTile, convolve_, psf.channels, 1, named("samples", psf.weights),
                     named("psf", psf.weights), named("result", transfer), named("transfer", transfer),
                     named("forward_twiddle", forward_twiddles_), named("back_twiddle", back_twiddles_),
                     named("source_column", psf.columns), named("source_row", psf.rows), named("bias", psf.weights),
                     named("restore", psf.weights), named("weight", psf.weights), named("mask", psf.weights),
                     named("psf_width", static_cast<cl_uint>(psf.width)),
                     named("psf_height", static_cast<cl_uint>(psf.height)), named("given", sizes_));
    }

    Kernel convolve_;
    cl::Buffer forward_twiddles_, back_twiddles_;
};

}  // namespace

std::unique_ptr<Engine> make_tiled_engine(const PassContext& context)
{
    if (context.plan.tiles().by_lanes()) return std::make_unique<LaneTiles>(context);
    return std::make_unique<SharedTiles>(context);
}

}  // namespace clconv
