// SPDX-License-Identifier: Apache-2.0
#include "passes/engine.h"

#include "base/overloaded.h"
#include "opencl/buffers.h"
#include "passes/coverage.h"
#include "passes/direct_engine.h"
#include "passes/scalars.h"
#include "passes/sizes.h"
#include "passes/tiled_engine.h"
#include "plan/half_range.h"
#include "psf/sums.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace clconv {
namespace {

std::unique_ptr<RowPass> row_pass(const PassContext& context)
{
    const FftPlan& fft = context.plan.fft();
    if (fft.by_lanes()) return make_lane_rows(context);
    return fft.rows.residence == Residence::local ? make_local_rows(context) : make_global_rows(context);
}

std::unique_ptr<ColumnPass> column_pass(const PassContext& context)
{
    const FftPlan& fft = context.plan.fft();
    if (fft.by_lanes()) return make_lane_columns(context);
    return fft.columns.residence == Residence::local ? make_local_columns(context) : make_global_columns(context);
}

/// Rows, columns with the product, rows back.
class FftEngine : public Engine {
public:
    explicit FftEngine(const PassContext& context)
        : plan_(context.plan),
          fft_(plan_.fft()),
          device_(context.device),
          rows_(row_pass(context)),
          columns_(column_pass(context)),
          scratch_(context.scratch),
          keeps_(context.keeps_spectra)
    {
        if (keeps_) kept_ = allocate(device_, spectra_bytes());
    }

    PreparedPsf prepare(Launcher& launcher, const Psf& psf) override
    {
        PreparedPsf prepared;
        PlacedPsf placed =
            place_psf(psf.weights, psf.extent, psf.channels, axis_of(fft_.x, psf.extent.width, psf.origin.x),
                      axis_of(fft_.y, psf.extent.height, psf.origin.y));
        prepared.scales = scale(placed);
        const PsfBuffers buffers(device_, placed, plan_.problem.precision);
        prepared.transfer = allocate(device_, plan_.transfer_bytes());
        prepared.weight = coverage_buffer(device_, plan_, psf);
        prepared.sums = sums_of(psf);
        const cl::Buffer spectra = scratch_->of(spectra_bytes());
        for (int plane = 0; plane < fft_.planes_of(psf.channels); ++plane) {
            rows_->psf_forward(launcher, buffers, spectra, plane);
            columns_->psf_forward(launcher, spectra, buffers, prepared.transfer, plane);
        }
        return prepared;
    }

    void convolve(Launcher& launcher, const ImageBuffers& image, const PreparedPsf& psf) override
    {
        const bool is_known = keeps_ && image.image_id > 0 && image.image_id == kept_image_;
        kept_image_ = image.image_id;
        const cl::Buffer spectra = scratch_->of(spectra_bytes() * static_cast<std::uint64_t>(image.images));
        const cl::Buffer source = keeps_                     ? kept_
                                  : fft_.intermediates() > 1 ? scratch_->second(spectra_bytes())
                                                             : spectra;  // of the image's rows
        for (int plane = 0; plane < fft_.planes_of(plan_.problem.channels); plane += fft_.planes) {
            if (!is_known) rows_->forward(launcher, image, source, plane);
            columns_->convolve(launcher, source, spectra, psf.transfer, {plane, image.images});
            rows_->inverse(launcher, spectra, image, plane);
        }
    }

private:
    [[nodiscard]] std::uint64_t spectra_bytes() const { return fft_.spectra_bytes(plan_.problem.precision); }

    /// On a ring, a PSF may have any size.
    [[nodiscard]] static Axis axis_of(Axis axis, int psf, int origin)
    {
        if (!axis.is_ring) return axis;
        axis.psf_count = psf;
        axis.psf_shift = -origin;
        return axis;
    }

    /// Scales each channel into the range of half, if its spectrum is stored as half. Returns the factors.
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
    const FftPlan& fft_;
    Device& device_;
    std::unique_ptr<RowPass> rows_;
    std::unique_ptr<ColumnPass> columns_;
    std::shared_ptr<Scratch> scratch_;
    cl::Buffer kept_;  ///< spectra of the image's rows, if they are kept
    bool keeps_;
    std::uint64_t kept_image_ = 0;
};

}  // namespace

std::vector<double> sums_of(const Psf& psf)
{
    std::vector<double> sums;
    for (const ChannelSum& channel : channel_sums(psf)) sums.push_back(channel.sum);
    return sums;
}

cl::Buffer coverage_buffer(Device& device, const Plan& plan, const Psf& psf)
{
    if (!mode_of(plan.problem.border).divides_by_coverage) return {};
    return upload_scalars(device, convolved_coverage(plan.problem, psf), plan.problem.precision);
}

bool can_keep_spectra(const Plan& plan)
{
    return plan.is_fft() && plan.fft().by_lanes() && plan.fft().planes == plan.fft().planes_of(plan.problem.channels);
}

bool can_share_launches(const Plan& plan)
{
    if (plan.is_fft()) {
        const FftPlan& fft = plan.fft();
        return !fft.by_lanes() && !fft.goes_global() && fft.passes == Passes::fused && fft.y.parts == 1 &&
               std::max(fft.x.length, fft.y.length) <= kMaxSharedLength;
    }
    const auto* const tiles = std::get_if<TilePlan>(&plan.how);
    return tiles && !tiles->by_lanes();
}

std::unique_ptr<Engine> make_engine(const PassContext& context)
{
    using Made = std::unique_ptr<Engine>;
    return std::visit(Overloaded{[&](const FftPlan&) -> Made { return std::make_unique<FftEngine>(context); },
                                 [&](const TilePlan&) { return make_tiled_engine(context); },
                                 [&](const DirectPlan&) { return make_direct_engine(context); }},
                      context.plan.how);
}

}  // namespace clconv
