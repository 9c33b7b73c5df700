// SPDX-License-Identifier: Apache-2.0
#include "image_commands/psf_loading.h"

#include "base/errors.h"
#include "batch/isolated_reading.h"
#include "image_options/psf_words.h"
#include "psf/generate.h"
#include "settings/psf_preparation.h"

#include <fmt/format.h>

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

Psf read_from_file(const std::string& file, const PsfSettings& settings, Sink& sink)
{
    Psf psf = read_file(file, {settings.linear ? Light::linear : Light::stored, settings.part}, sink);
    return with_changed_values(std::move(psf), settings, file, sink);
}

Psf ready_psf(const std::string& text, const PsfSettings& settings, std::optional<int> size, Sink& sink)
{
    if (size && !is_words(text))
        throw InvalidProblem("--size: only for PSFs that are made from words, and " + text + " is a file");
    try {
        Psf psf = is_words(text) ? made_of_words(text, settings, size, sink) : read_from_file(text, settings, sink);
        return scaled(std::move(psf), settings, text, sink);
    } catch (const InternalError&) {
        throw;
    } catch (const Error& error) {
        const std::string what = error.what();
        throw InvalidProblem(settings.option + " " +
                             (what.find(text) == std::string::npos ? text + ": " + what : what));
    }
}

}  // namespace

Psf load_psf(const std::string& psf, const PsfSettings& settings, std::optional<int> size, Sink& sink)
{
    Psf ready = ready_psf(psf, settings, size, sink);
    report_origin(psf, ready, sink);
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
