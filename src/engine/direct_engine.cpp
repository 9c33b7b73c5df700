#include "engine/direct_engine.h"

#include "engine/defines.h"
#include "engine/scalars.h"
#include "opencl/buffers.h"
#include "opencl/program.h"

namespace clconv {
namespace {

/// The weights that matter, turned by 180 degrees, so that the sum runs forward through image and PSF alike.
std::vector<double> turned(const Psf& psf, const Window& x, const Window& y)
{
    std::vector<double> weights;
    for (int c = 0; c < psf.channels; ++c)
        for (int j = y.taps - 1; j >= 0; --j)
            for (int i = x.taps - 1; i >= 0; --i) weights.push_back(psf.at(x.psf_first + i, y.psf_first + j, c));
    return weights;
}

class DirectEngine : public Engine {
public:
    explicit DirectEngine(const PassContext& context) : plan_(context.plan), device_(context.device)
    {
        const DirectPlan& direct = plan_.direct;
        const Problem& p = plan_.problem;
        convolve_ = cl::Kernel(
            build(device_, context.kernels, {direct.blocks ? "direct.cl" : "direct_any.cl", defines().text(), ""}),
            "convolve_direct");
        // Rows are loaded in whole vectors: the last one may reach behind what the results look at.
        columns_ = upload(device_, window_sources(along_x(p), (direct.across - 1) * direct.block.width + direct.pitch));
        rows_ = upload(device_, window_sources(along_y(p), direct.down * direct.block.height + direct.y.taps - 1));
    }

    PreparedPsf prepare(Launcher& /*launcher*/, const Psf& psf) override
    {
        return {upload_scalars(device_, turned(psf, plan_.direct.x, plan_.direct.y), plan_.problem.precision),
                coverage_buffer(device_, plan_, psf), sums_of(psf)};
    }

    void convolve(Launcher& launcher, const ImageBuffers& image, const PreparedPsf& psf) override
    {
        const DirectPlan& direct = plan_.direct;
        const auto channels = static_cast<std::size_t>(plan_.problem.channels);
        if (direct.blocks)
            launcher.run("direct", convolve_, channels * direct.across * direct.down, direct.items.pixels(),
                         image.input, image.output, psf.transfer, columns_, rows_, image.bias, image.restore,
                         image.weight);
        else
            launcher.run_plane("direct", convolve_, plan_.output.width * channels, plan_.output.height, image.input,
                               image.output, psf.transfer, columns_, rows_, image.bias, image.restore, image.weight);
    }

private:
    [[nodiscard]] Defines defines() const
    {
        const DirectPlan& direct = plan_.direct;
        Defines defines;
        defines.add_lines(precision_define(plan_.problem.precision))
            .add_lines(image_defines(plan_))
            .add("PSF_WIDTH", direct.x.taps)
            .add("PSF_HEIGHT", direct.y.taps)
            .add("WIDE", direct.results.width)
            .add("HIGH", direct.results.height)
            .add("ITEMS_X", direct.items.width)
            .add("ITEMS_Y", direct.items.height)
            .add("TURNS_X", direct.turns.width)
            .add("TURNS_Y", direct.turns.height)
            .add("PITCH", direct.pitch)
            .add("ACROSS", direct.across)
            .add("UNROLLED", direct.unrolled)
            .add("FIRST_X", direct.x.first_source)
            .add("FIRST_Y", direct.y.first_source)
            .add("FIXED_GROUP", device_.info().traits.is_nvidia ? 0 : 1);  // as the passes of engine/local_passes.cpp
        return defines;
    }

    Plan plan_;
    Device& device_;
    cl::Kernel convolve_;
    cl::Buffer columns_, rows_;
};

}  // namespace

std::unique_ptr<Engine> make_direct_engine(const PassContext& context)
{
    return std::make_unique<DirectEngine>(context);
}

}  // namespace clconv
