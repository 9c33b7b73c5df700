// SPDX-License-Identifier: Apache-2.0
#include "base/errors.h"
#include "library/errors.h"
#include "library/inside.h"
#include "library/part_options.h"
#include "library/samples.h"
#include "psf/generate.h"
#include "psf/normalize.h"
#include "psf/words.h"
#include "settings/psf_preparation.h"

#include <fmt/format.h>

#include <utility>

namespace clconv {
namespace {

Psf read_no_file(const std::string& name)
{
    throw InvalidProblem(fmt::format(
        "{}: PSFs in words cannot name files here; read the file, make the PSF with clconv psf, or give samples",
        name));
}

constexpr const char* kOfSamples = "of samples";  ///< a PSF's name in messages, such as "PSF gaussian:2: ..."

Psf psf_of(const v0::ConstView& samples)
{
    check_view(samples, "the PSF");
    if (samples.alpha >= 0) throw InvalidProblem("the PSF: has alpha; give its colours alone");
    Psf psf{.name = kOfSamples,
            .extent = {samples.width, samples.height},
            .channels = samples.channels,
            .origin = {},
            .weights = {}};
    const Bytes packed = gathered(samples, [](std::size_t size) { return Bytes(size); });
    const Bytes numbers = as_doubles(packed.data(), sample_count(samples), file_type_of(samples.type));
    const std::span<const double> interleaved = numbers.as<double>();
    const auto channels = static_cast<std::size_t>(psf.channels);
    psf.weights.reserve(interleaved.size());
    for (std::size_t c = 0; c < channels; ++c)
        for (std::size_t i = c; i < interleaved.size(); i += channels) psf.weights.push_back(interleaved[i]);
    require_finite(psf);
    return psf;
}

PsfSettings settings_of(const v0::Options& options)
{
    PartOptions read(v0::Part::psf);
    read.read(options);
    return psf_settings(read.problem());
}

std::shared_ptr<const v0::Psf::Inside> finished(Psf psf, const std::string& name, const PsfSettings& settings)
{
    KeptWarnings kept;
    Psf ready = scaled(std::move(psf), settings, name, kept);
    report_origin(name, ready, kept);
    return std::make_shared<const v0::Psf::Inside>(
        v0::Psf::Inside{std::make_shared<const Psf>(std::move(ready)), std::move(kept.warnings)});
}

}  // namespace
}  // namespace clconv

namespace clconv::v0 {

Psf::Psf(std::string_view words, const Options& options)
    : inside_(translated([&] {
          const PsfSettings settings = settings_of(options);
          const std::string name(words);
          return finished(generated(parse_psf_words(words), {}, read_no_file).psf, name, settings);
      }))
{
}

Psf::Psf(const ConstView& samples, const Options& options)
    : inside_(translated([&] {
          const PsfSettings settings = settings_of(options);
          KeptWarnings ignored;
          return finished(with_changed_values(psf_of(samples), settings, kOfSamples, ignored), kOfSamples, settings);
      }))
{
}

int Psf::width() const { return inside_->psf->extent.width; }
int Psf::height() const { return inside_->psf->extent.height; }
int Psf::channels() const { return inside_->psf->channels; }
int Psf::origin_x() const { return inside_->psf->origin.x; }
int Psf::origin_y() const { return inside_->psf->origin.y; }
const std::vector<double>& Psf::samples() const { return inside_->psf->weights; }
const std::vector<std::string>& Psf::warnings() const { return inside_->warnings; }

}  // namespace clconv::v0
