#include "cli/problem_of_image.h"

#include "psf/normalize.h"

namespace clconv {

Problem problem_of(const Image& image, const Psf& psf, const ConvolveSettings& settings, SampleType output)
{
    const Psf oriented = settings.correlate ? flipped(psf) : psf;
    return {.image = image.extent,
            .channels = image.channels,
            .input = image.type,
            .output = output,
            .psf = oriented.extent,
            .origin = oriented.origin,
            .psf_channels = matched_to_channels(oriented, image.channels, image.alpha_channel).channels,
            .border = settings.border,
            .mode = settings.mode};
}

}  // namespace clconv
