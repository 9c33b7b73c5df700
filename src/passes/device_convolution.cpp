// SPDX-License-Identifier: Apache-2.0
#include "passes/device_convolution.h"

#include "base/errors.h"
#include "opencl/buffers.h"
#include "passes/engine.h"
#include "passes/levels.h"

#include <cstring>
#include <utility>

namespace clconv {
namespace {

/// `one`, `count` times, a step from one to the next.
Bytes repeated(const Bytes& one, std::size_t step, int count)
{
    Bytes all(static_cast<std::size_t>(count - 1) * step + one.size());
    for (int i = 0; i < count; ++i)
        std::memcpy(all.data() + static_cast<std::size_t>(i) * step, one.data(), one.size());
    return all;
}

}  // namespace

DeviceConvolution::DeviceConvolution(Device& device, const KernelSource& kernels, const Plan& plan, bool keeps_spectra,
                                     std::shared_ptr<Scratch> scratch)
    : device_(device),
      plan_(plan),
      engine_(make_engine(
          {device, kernels, plan_, keeps_spectra, scratch ? std::move(scratch) : std::make_shared<Scratch>(device)}))
{
}

PreparedPsf DeviceConvolution::prepare(Launcher& launcher, const Psf& psf)
{
    const Problem& problem = plan_.problem;
    const bool fits = psf.extent == problem.psf || problem.support == KernelSupport::infinite;
    if (!fits || psf.channels != problem.psf_channels)
        throw InternalError("a PSF of " + to_string(psf.extent) + " is not what " + token(problem) + " is planned for");
    PreparedPsf prepared = engine_->prepare(launcher, psf);
    prepared.ready = launcher.so_far();
    return prepared;
}

ImageBuffers DeviceConvolution::between(const cl::Buffer& input, const cl::Buffer& output, const PreparedPsf& psf,
                                        const SampleLevels& levels, int images) const
{
    if (plan_.problem.blend != BlendShape{}) throw InternalError("blends are the Convolver's");
    if (images > 1 && !can_share_launches(plan_)) throw InternalError("images of this plan cannot share a launch");
    const LevelScalars scalars = level_scalars(plan_, {levels.bias, levels.magnitude}, psf);
    const auto for_all = [&](const Bytes& one) {
        const Bytes all = repeated(one, level_bytes(plan_.problem), images);
        return upload_bytes(device_, all.data(), all.size());
    };
    return {.input = input,
            .output = output,
            .bias = for_all(scalars.bias),
            .restore = for_all(scalars.restore),
            .images = images,
            .weight = psf.weight};
}

void DeviceConvolution::convolve(Launcher& launcher, const ImageBuffers& image, const PreparedPsf& psf)
{
    launcher.after(psf.ready);
    engine_->convolve(launcher, image, psf);
}

}  // namespace clconv
