#include "engine/engine.h"

#include "conv/half_range.h"
#include "engine/coverage.h"
#include "engine/direct_engine.h"
#include "engine/scalars.h"
#include "engine/tiled_engine.h"
#include "opencl/buffers.h"

#include <cmath>
#include <future>
#include <numeric>
#include <span>

namespace clconv {
namespace {

std::unique_ptr<RowPass> row_pass(const PassContext& context)
{
    if (context.plan.lanes > 1) return make_lane_rows(context);
    return context.plan.rows.residence == Residence::local ? make_local_rows(context) : make_global_rows(context);
}

std::unique_ptr<ColumnPass> column_pass(const PassContext& context)
{
    if (context.plan.lanes > 1) return make_lane_columns(context);
    return context.plan.columns.residence == Residence::local ? make_local_columns(context)
                                                              : make_global_columns(context);
}

/// Where other processes compile too, begins to build the programs of all passes; who asks for one of them then waits
/// for it, and hears of its errors. The first is the one that takes longest: what comes meanwhile goes to the others.
std::vector<std::future<void>> begin_to_build(const PassContext& context)
{
    std::vector<std::future<void>> building;
    if (context.device.parallel_builds() == 1) return building;
    for (const Recipe& recipe : local_recipes(context))
        building.push_back(std::async(std::launch::async,
                                      [context, recipe] { (void)build(context.device, context.kernels, recipe); }));
    return building;
}

/// Rows, columns with the product, rows back.
class FftEngine : public Engine {
public:
    explicit FftEngine(const PassContext& context)
        : plan_(context.plan),
          device_(context.device),
          rows_(row_pass(context)),
          columns_(column_pass(context)),
          stored_bytes_(stored_complex_bytes(plan_.problem.precision)),
          spectra_(allocate(device_, plan_.spectrum.cells() * plan_.planes * stored_bytes_))
    {
    }

    PreparedPsf prepare(Launcher& launcher, const Psf& psf) override
    {
        PreparedPsf prepared;
        PlacedPsf placed = place_psf(psf.weights, psf.extent, psf.channels, plan_.x, plan_.y);
        prepared.scales = scale(placed);
        const PsfBuffers buffers(device_, placed, plan_.problem.precision);
        prepared.transfer = allocate(device_, plan_.transfer_cells() * plan_.psf_planes() * stored_bytes_);
        prepared.weight = coverage_buffer(device_, plan_, psf);
        prepared.sums = sums_of(psf);
        for (int plane = 0; plane < plan_.psf_planes(); ++plane) {
            rows_->psf_forward(launcher, buffers, spectra_, plane);
            columns_->psf_forward(launcher, spectra_, buffers, prepared.transfer, plane);
        }
        return prepared;
    }

    void convolve(Launcher& launcher, const ImageBuffers& image, const PreparedPsf& psf) override
    {
        for (int plane = 0; plane < plan_.image_planes(); plane += plan_.planes) {
            rows_->forward(launcher, image, spectra_, plane);
            columns_->convolve(launcher, spectra_, psf.transfer, plane);
            rows_->inverse(launcher, spectra_, image, plane);
        }
    }

private:
    /// Scales each channel into the range of half, if its spectrum is stored so. Returns the factors.
    [[nodiscard]] std::vector<double> scale(PlacedPsf& psf) const
    {
        std::vector<double> scales(psf.channels, 1.0);
        if (plan_.problem.precision != Precision::half) return scales;
        const std::size_t plane = static_cast<std::size_t>(psf.width) * psf.height;
        for (std::size_t c = 0; c < scales.size(); ++c) {
            const std::span<double> weights = std::span(psf.weights).subspan(c * plane, plane);
            double sum = 0;
            for (const double weight : weights) sum += std::abs(weight);
            scales[c] = half_psf_scale(sum);
            for (double& weight : weights) weight *= scales[c];
        }
        return scales;
    }

    Plan plan_;
    Device& device_;
    std::unique_ptr<RowPass> rows_;
    std::unique_ptr<ColumnPass> columns_;
    std::uint64_t stored_bytes_;
    cl::Buffer spectra_;
};

}  // namespace

std::vector<double> sums_of(const Psf& psf)
{
    std::vector<double> sums;
    const auto plane = static_cast<std::ptrdiff_t>(psf.extent.pixels());
    for (auto begin = psf.weights.begin(); begin != psf.weights.end(); begin += plane)
        sums.push_back(std::accumulate(begin, begin + plane, 0.0));
    return sums;
}

cl::Buffer coverage_buffer(Device& device, const Plan& plan, const Psf& psf)
{
    if (plan.problem.border != Border::renormalize) return allocate(device, 0);
    return upload_scalars(device, convolved_coverage(plan.problem, psf), plan.problem.precision);
}

std::unique_ptr<Engine> make_engine(const PassContext& context)
{
    switch (context.plan.method) {
        case Method::direct: return make_direct_engine(context);
        case Method::tiled: return make_tiled_engine(context);
        case Method::fft: break;
    }
    const auto building = begin_to_build(context);
    return std::make_unique<FftEngine>(context);
}

}  // namespace clconv
