#include "cli/psf_loading.h"

#include "base/errors.h"
#include "image/image_file.h"

#include <fmt/format.h>

#include <cmath>

namespace clconv {

namespace {

Psf ready_psf(const std::string& file, const PsfSettings& settings)
{
    try {
        Psf psf = read_psf(file);
        if (settings.gray) psf = gray(psf);
        psf = normalized(std::move(psf), settings.normalization);
        psf.origin = origin_of(psf, settings.origin);
        return psf;
    } catch (const InternalError&) {
        throw;
    } catch (const Error& error) {
        const std::string text = error.what();
        throw InvalidProblem("--psf " + (text.find(file) == std::string::npos ? file + ": " + text : text));
    }
}

void tell_origin(const std::string& file, const Psf& psf, Sink& sink)
{
    const Centroid center = centroid(psf);
    const double away = std::hypot(center.x - psf.origin.x, center.y - psf.origin.y);
    sink.message(Level::info, fmt::format("PSF {}: {}, {} channel{}, origin {},{}, centroid {:.2f},{:.2f}", file,
                                          to_string(psf.extent), psf.channels, psf.channels == 1 ? "" : "s",
                                          psf.origin.x, psf.origin.y, center.x, center.y));
    if (away > 1)
        sink.message(
            Level::warning,
            fmt::format("PSF {}: its centroid {:.2f},{:.2f} lies {:.2f} pixels from its origin {},{}, so images "
                        "move by as much; --psf-origin centroid would keep them in place",
                        file, center.x, center.y, away, psf.origin.x, psf.origin.y));
}

}  // namespace

std::vector<std::shared_ptr<const Psf>> load_psfs(const std::vector<std::string>& files, const PsfSettings& settings,
                                                  Sink& sink)
{
    std::vector<std::shared_ptr<const Psf>> psfs;
    for (const std::string& file : files) {
        psfs.push_back(std::make_shared<const Psf>(ready_psf(file, settings)));
        tell_origin(file, *psfs.back(), sink);
    }
    return psfs;
}

}  // namespace clconv
