#include "engine/engine.h"

#include "engine/coverage.h"
#include "engine/defines.h"
#include "opencl/buffers.h"
#include "opencl/program.h"

#include <numeric>

namespace clconv {
namespace {

std::vector<double> sums_of(const Psf& psf)
{
    std::vector<double> sums;
    const auto plane = static_cast<std::ptrdiff_t>(psf.extent.pixels());
    for (auto begin = psf.weights.begin(); begin != psf.weights.end(); begin += plane)
        sums.push_back(std::accumulate(begin, begin + plane, 0.0));
    return sums;
}

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

/// Rows, columns with the product, rows back.
class FftEngine : public Engine {
public:
    explicit FftEngine(const PassContext& context)
        : plan_(context.plan),
          device_(context.device),
          rows_(row_pass(context)),
          columns_(column_pass(context)),
          spectra_(allocate(device_, plan_.spectrum.cells(plan_.spectrum.packs) * plan_.planes * sizeof(cl_float2)))
    {
    }

    PreparedPsf prepare(Launcher& launcher, const Psf& psf) override
    {
        const PlacedPsf placed = place_psf(psf.weights, psf.extent, psf.channels, plan_.x, plan_.y);
        const PsfBuffers buffers(device_, placed);
        const auto cells = plan_.spectrum.cells(packs_of(plan_, placed.height)) * psf.channels;
        const cl::Buffer spectra = allocate(device_, cells * sizeof(cl_float2));
        PreparedPsf prepared;
        prepared.transfer = allocate(device_, plan_.transfer_cells() * psf.channels * sizeof(cl_float2));
        prepared.weight = coverage_buffer(device_, plan_, psf);
        prepared.sums = sums_of(psf);
        rows_->psf_forward(launcher, buffers, spectra);
        columns_->psf_forward(launcher, spectra, buffers, prepared.transfer);
        return prepared;
    }

    void convolve(Launcher& launcher, const ImageBuffers& image, const PreparedPsf& psf) override
    {
        for (int channel = 0; channel < plan_.problem.channels; channel += plan_.planes) {
            rows_->forward(launcher, image, spectra_, channel);
            columns_->convolve(launcher, spectra_, psf.transfer, channel);
            rows_->inverse(launcher, spectra_, image, channel);
        }
    }

private:
    Plan plan_;
    Device& device_;
    std::unique_ptr<RowPass> rows_;
    std::unique_ptr<ColumnPass> columns_;
    cl::Buffer spectra_;
};

/// Rows of output + K - 1 positions: what the direct sum looks at along one axis, whatever the border.
std::vector<int> direct_sources(const AxisProblem& axis)
{
    const int output = output_count(axis);
    const int first = first_output(axis) - (axis.psf - 1 - axis.origin);
    std::vector<int> sources;
    for (int n = 0; n < output + axis.psf - 1; ++n)
        sources.push_back(source_index(axis.border, first + n, axis.count).value_or(-1));
    return sources;
}

/// The sum by its definition.
class DirectEngine : public Engine {
public:
    explicit DirectEngine(const PassContext& context) : plan_(context.plan), device_(context.device)
    {
        Defines defines;
        defines.add_lines(image_defines(plan_))
            .add("PSF_WIDTH", plan_.problem.psf.width)
            .add("PSF_HEIGHT", plan_.problem.psf.height);
        convolve_ = cl::Kernel(build(device_, context.kernels, {"direct.cl", defines.text(), ""}), "convolve_direct");
        columns_ = upload(device_, direct_sources(along_x(plan_.problem)));
        rows_ = upload(device_, direct_sources(along_y(plan_.problem)));
    }

    PreparedPsf prepare(Launcher& /*launcher*/, const Psf& psf) override
    {
        // Turned by 180 degrees, so that the sum runs forward through image and PSF alike.
        std::vector<float> weights;
        const auto plane = static_cast<std::ptrdiff_t>(psf.extent.pixels());
        for (auto begin = psf.weights.begin(); begin != psf.weights.end(); begin += plane)
            weights.insert(weights.end(), std::make_reverse_iterator(begin + plane), std::make_reverse_iterator(begin));
        return {upload(device_, weights), coverage_buffer(device_, plan_, psf), sums_of(psf)};
    }

    void convolve(Launcher& launcher, const ImageBuffers& image, const PreparedPsf& psf) override
    {
        launcher.run_plane("direct", convolve_, static_cast<std::size_t>(plan_.output.width) * plan_.problem.channels,
                           plan_.output.height, image.input, image.output, psf.transfer, columns_, rows_, image.bias,
                           image.restore, psf.weight);
    }

private:
    Plan plan_;
    Device& device_;
    cl::Kernel convolve_;
    cl::Buffer columns_, rows_;
};

}  // namespace

cl::Buffer coverage_buffer(Device& device, const Plan& plan, const Psf& psf)
{
    if (plan.problem.border != Border::renormalize) return allocate(device, 0);
    return upload(device, convolved_coverage(plan.problem, psf));
}

std::unique_ptr<Engine> make_engine(const PassContext& context)
{
    if (context.plan.method == Method::direct) return std::make_unique<DirectEngine>(context);
    return std::make_unique<FftEngine>(context);
}

}  // namespace clconv
