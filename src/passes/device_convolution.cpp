// SPDX-License-Identifier: Apache-2.0
#include "passes/device_convolution.h"

#include "base/errors.h"
#include "opencl/buffers.h"
#include "passes/levels.h"

#include <utility>

namespace clconv {

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
                                        const SampleLevels& levels) const
{
    if (plan_.problem.blend != BlendShape{}) throw InternalError("blends are the Convolver's");
    const LevelScalars scalars = level_scalars(plan_, {levels.bias, levels.magnitude}, psf);
    return {.input = input,
            .output = output,
            .bias = upload_bytes(device_, scalars.bias.data(), scalars.bias.size()),
            .restore = upload_bytes(device_, scalars.restore.data(), scalars.restore.size()),
            .weight = psf.weight,
            .mask = psf.weight};
}

void DeviceConvolution::convolve(Launcher& launcher, const ImageBuffers& image, const PreparedPsf& psf)
{
    launcher.after(psf.ready);
    engine_->convolve(launcher, image, psf);
}

}  // namespace clconv
