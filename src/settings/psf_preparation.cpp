// SPDX-License-Identifier: Apache-2.0
#include "settings/psf_preparation.h"

#include "psf/crop.h"
#include "psf/tones.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace clconv {
namespace {

Psf cleared(Psf psf, const Background& background, const std::string& file, Messages& messages)
{
    for (int channel = 0; channel < psf.channels && !background.value; ++channel)
        messages.message(Level::info, fmt::format("PSF {}: background of channel {}: {:.6g}", file, channel,
                                                  edge_median(psf, channel)));
    return without_background(std::move(psf), background);
}

Psf trimmed_to(const Psf& psf, double share, const std::string& name, Messages& messages)
{
    const double all = sum_of_magnitudes(psf);
    Psf result = cropped(psf, share * all);
    if (all > 0)
        messages.message(Level::info, fmt::format("PSF {}: trimmed from {} to {}, which holds {:.6g} % of it", name,
                                                  to_string(psf.extent), to_string(result.extent),
                                                  100 * sum_of_magnitudes(result) / all));
    return result;
}

}  // namespace

Psf with_changed_values(Psf psf, const PsfSettings& settings, const std::string& name, Messages& messages)
{
    if (settings.background) psf = cleared(std::move(psf), *settings.background, name, messages);
    if (settings.clamp) psf = limited(std::move(psf), *settings.clamp);
    return settings.power ? raised(std::move(psf), *settings.power) : psf;
}

Psf scaled(Psf psf, const PsfSettings& settings, const std::string& name, Messages& messages)
{
    // The origin is found in the averaged and normalised PSF, but counted in positions of the file.
    const auto normal = [&](const Psf& any) {
        return normalized(settings.gray ? gray(any) : any, settings.normalization);
    };
    if (settings.crop) {
        psf.origin = origin_of(normal(psf), settings.origin);
        return normal(trimmed_to(psf, *settings.crop, name, messages));
    }
    psf = normal(psf);
    psf.origin = origin_of(psf, settings.origin);
    return psf;
}

void report_origin(const std::string& name, const Psf& psf, Messages& messages)
{
    const Centroid center = centroid(psf);
    const double away = std::hypot(center.x - psf.origin.x, center.y - psf.origin.y);
    messages.message(Level::info, fmt::format("PSF {}: {}, {} channel{}, origin {},{}, centroid {:.2f},{:.2f}", name,
                                              to_string(psf.extent), psf.channels, psf.channels == 1 ? "" : "s",
                                              psf.origin.x, psf.origin.y, center.x, center.y));
    if (away > 1)
        messages.message(
            Level::warning,
            fmt::format("PSF {}: its centroid {:.2f},{:.2f} is {:.2f} pixels from its origin {},{}, so images move by "
                        "this distance; --psf-origin centroid would keep them in place",
                        name, center.x, center.y, away, psf.origin.x, psf.origin.y));
}

}  // namespace clconv
