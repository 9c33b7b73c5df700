// SPDX-License-Identifier: Apache-2.0
#include "image_commands/psf_loading.h"

#include "base/errors.h"
#include "batch/isolated_reading.h"
#include "image_options/psf_words.h"
#include "psf/crop.h"
#include "psf/generate.h"
#include "psf/tones.h"

#include <fmt/format.h>

#include <cmath>

namespace clconv {

namespace {

Psf read_file(const std::string& file, const PsfReading& reading, Sink& sink)
{
    PsfFile read = isolated_psf(file, reading);
    for (const std::string& warning : read.warnings) sink.message(Level::warning, "PSF " + warning);
    require_finite(read.psf);
    return std::move(read.psf);
}

Psf made_of_words(const std::string& words, const PsfSettings& settings, std::optional<int> size, Sink& sink)
{
    const GeneratedPsf made = generated(parse_psf_words(words), size, [&](const std::string& file) {
        return read_file(file, {Light::stored, settings.part}, sink);
    });
    sink.message(Level::info, fmt::format("PSF {}: {} pixels hold {:.10g} % of its light", words,
                                          to_string(made.psf.extent), 100 * made.share));
    return made.psf;
}

Psf cleared(Psf psf, const Background& background, const std::string& file, Sink& sink)
{
    for (int channel = 0; channel < psf.channels && !background.value; ++channel)
        sink.message(Level::info,
                     fmt::format("PSF {}: background of channel {}: {:.6g}", file, channel, edge_median(psf, channel)));
    return without_background(std::move(psf), background);
}

Psf read_from_file(const std::string& file, const PsfSettings& settings, Sink& sink)
{
    Psf psf = read_file(file, {settings.linear ? Light::linear : Light::stored, settings.part}, sink);
    if (settings.background) psf = cleared(std::move(psf), *settings.background, file, sink);
    if (settings.clamp) psf = limited(std::move(psf), *settings.clamp);
    return settings.power ? raised(std::move(psf), *settings.power) : psf;
}

Psf trimmed_to(const Psf& psf, double share, const std::string& name, Sink& sink)
{
    const double all = sum_of_magnitudes(psf);
    Psf result = cropped(psf, share * all);
    if (all > 0)
        sink.message(Level::info, fmt::format("PSF {}: trimmed from {} to {}, which holds {:.6g} % of it", name,
                                              to_string(psf.extent), to_string(result.extent),
                                              100 * sum_of_magnitudes(result) / all));
    return result;
}

Psf ready_psf(const std::string& text, const PsfSettings& settings, std::optional<int> size, Sink& sink)
{
    try {
        Psf psf = is_words(text) ? made_of_words(text, settings, size, sink) : read_from_file(text, settings, sink);
        // The origin is found in the averaged and normalised PSF, but counted in positions of the file.
        const auto normal = [&](const Psf& any) {
            return normalized(settings.gray ? gray(any) : any, settings.normalization);
        };
        if (settings.crop) {
            psf.origin = origin_of(normal(psf), settings.origin);
            return normal(trimmed_to(psf, *settings.crop, text, sink));
        }
        psf = normal(psf);
        psf.origin = origin_of(psf, settings.origin);
        return psf;
    } catch (const InternalError&) {
        throw;
    } catch (const Error& error) {
        const std::string what = error.what();
        throw InvalidProblem(settings.option + " " +
                             (what.find(text) == std::string::npos ? text + ": " + what : what));
    }
}

void tell_origin(const std::string& name, const Psf& psf, Sink& sink)
{
    const Centroid center = centroid(psf);
    const double away = std::hypot(center.x - psf.origin.x, center.y - psf.origin.y);
    sink.message(Level::info, fmt::format("PSF {}: {}, {} channel{}, origin {},{}, centroid {:.2f},{:.2f}", name,
                                          to_string(psf.extent), psf.channels, psf.channels == 1 ? "" : "s",
                                          psf.origin.x, psf.origin.y, center.x, center.y));
    if (away > 1)
        sink.message(
            Level::warning,
            fmt::format("PSF {}: its centroid {:.2f},{:.2f} is {:.2f} pixels from its origin {},{}, so images move by "
                        "this distance; --psf-origin centroid would keep them in place",
                        name, center.x, center.y, away, psf.origin.x, psf.origin.y));
}

}  // namespace

Psf load_psf(const std::string& psf, const PsfSettings& settings, std::optional<int> size, Sink& sink)
{
    Psf ready = ready_psf(psf, settings, size, sink);
    tell_origin(psf, ready, sink);
    return ready;
}

std::vector<std::shared_ptr<const Psf>> load_psfs(const std::vector<std::string>& psfs, const PsfSettings& settings,
                                                  Sink& sink)
{
    std::vector<std::shared_ptr<const Psf>> ready;
    for (const std::string& psf : psfs) ready.push_back(std::make_shared<const Psf>(load_psf(psf, settings, {}, sink)));
    return ready;
}

PsfSet psf_set(std::vector<std::shared_ptr<const Psf>> psfs, const ProblemOptions& options, PsfSet::Fit fit)
{
    return {std::move(psfs), std::move(fit), options.psf_orientation};
}

}  // namespace clconv
