// SPDX-License-Identifier: Apache-2.0
#include "passes/direct_engine.h"

#include "opencl/buffers.h"
#include "passes/pass_names.h"
#include "passes/recipes.h"
#include "passes/scalars.h"
#include "passes/sizes.h"

namespace clconv {
namespace {

/// The weights that matter, rotated by 180 degrees, so that the sum runs forward through both image and PSF.
std::vector<double> rotated(const Psf& psf, const Window& x, const Window& y)
{
    std::vector<double> weights;
    for (int c = 0; c < psf.channels; ++c)
        for (int j = y.taps - 1; j >= 0; --j)
            for (int i = x.taps - 1; i >= 0; --i) weights.push_back(psf.at(x.psf_first + i, y.psf_first + j, c));
    return weights;
}

class DirectEngine : public Engine {
public:
    explicit DirectEngine(const PassContext& context)
        : plan_(context.plan), direct_(plan_.direct()), sizes_(sizes_of(plan_)), device_(context.device)
    {
        convolve_ =
            Kernel(build(device_, context.kernels, direct_recipe(plan_, device_.info().traits)), "convolve_direct");
        columns_ = upload(device_, window_sources(along_x(plan_.problem), direct_.positions_x()));
        rows_ = upload(device_, window_sources(along_y(plan_.problem), direct_.positions_y()));
    }

    PreparedPsf prepare(Launcher& /*launcher*/, const Psf& psf) override
    {
        return {upload_scalars(device_, rotated(psf, direct_.x, direct_.y), plan_.problem.precision),
                coverage_buffer(device_, plan_, psf), sums_of(psf)};
    }

    void convolve(Launcher& launcher, const ImageBuffers& image, const PreparedPsf& psf) override
    {
        const auto channels = static_cast<std::size_t>(plan_.problem.channels);
        const auto launch = [&](auto run) {
            run(named("samples", image.input), named("result", image.output), named("psf", psf.transfer),
                named("source_column", columns_), named("source_row", rows_), named("bias", image.bias),
                named("restore", image.restore), named("weight", image.weight), named("mask", image.mask),
                named("given", sizes_));
        };
        if (direct_.patches)
            launch([&](const auto&... arguments) {
                launcher.run(pass::kDirect, convolve_, channels * direct_.across * direct_.down, direct_.items.pixels(),
                             arguments...);
            });
        else
            launch([&](const auto&... arguments) {
                launcher.run_plane(pass::kDirect, convolve_, plan_.output.width * channels, plan_.output.height,
                                   arguments...);
            });
    }

private:
    Plan plan_;
    const DirectPlan& direct_;
    Sizes sizes_;
    Device& device_;
    Kernel convolve_;
    cl::Buffer columns_, rows_;
};

}  // namespace

std::unique_ptr<Engine> make_direct_engine(const PassContext& context)
{
    return std::make_unique<DirectEngine>(context);
}

}  // namespace clconv
