#include "base/errors.h"
#include "base/light.h"
#include "base/special_file.h"
#include "codecs/file_formats.h"
#include "codecs/image_file.h"
#include "codecs/open_image.h"
#include "codecs/openimageio.h"
#include "psf/text_psf.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

namespace clconv {
namespace {

std::string extension_of(const std::filesystem::path& path)
{
    std::string extension = path.extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    return extension.empty() ? extension : extension.substr(1);
}

bool is_text_extension(const std::string& extension)
{
    for (const char* text : {"txt", "psf", "csv", "dat"})
        if (extension == text) return true;
    return false;
}

std::string read_text(const std::filesystem::path& path)
{
    if (const std::string special = special_file(path); !special.empty())
        oiio::fail(path, "is " + special + ", and a PSF is a regular file; copy its contents into one");
    std::ifstream file(path, std::ios::binary);
    if (!file || std::filesystem::is_directory(path))
        throw InputError(path.string() +
                         ": cannot be read: " + (file ? "is a folder, not a PSF" : std::strerror(errno)));
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

Psf text_psf(const std::filesystem::path& path)
{
    Psf psf = parse_text_psf(read_text(path), path.string());
    psf.name = path.stem().string();
    return psf;
}

/// Adds the image's colours, as stored in the file. A PSF's alpha says nothing about its weights.
void add_channels(Psf& psf, const Image& image, Light light)
{
    const Bytes samples = to_float(image.view());
    const std::span<const float> values = samples.as<float>();
    const bool decodes = light == Light::linear && image.has_codes();
    for (int channel = 0; channel < image.channels; ++channel) {
        if (channel == image.alpha_channel && image.channels > 1) continue;
        ++psf.channels;
        for (std::size_t pixel = 0; pixel < image.extent.pixels(); ++pixel) {
            const auto value = static_cast<double>(
                values[pixel * static_cast<std::size_t>(image.channels) + static_cast<std::size_t>(channel)]);
            psf.weights.push_back(decodes ? srgb_decoded(value) : value);
        }
    }
}

/// Each plane of a FITS cube becomes a channel.
Psf image_psf(const std::filesystem::path& path, Light light)
{
    constexpr int most_planes = 64;
    const Image image = oiio::decode(path);
    Psf psf;
    psf.name = path.stem().string();
    psf.extent = image.extent;
    psf.channels = 0;
    add_channels(psf, image, light);
    psf.is_bottom_up = format_named(image.metadata->format).is_bottom_up;
    if (!psf.is_bottom_up) return psf;
    if (image.subimages > most_planes)
        throw InputError(path.string() + ": holds " + std::to_string(image.subimages) +
                         " planes, which would be a PSF's channels; it may have " + std::to_string(most_planes));
    DecodeRules rules;
    for (rules.part = 1; rules.part < image.subimages; ++rules.part)
        add_channels(psf, oiio::decode(path, kNoLimit, allocate_samples, Light::stored, rules), light);
    return psf;
}

}  // namespace

bool is_text_psf(const std::filesystem::path& path) { return is_text_extension(extension_of(path)); }

Psf read_psf(const std::filesystem::path& path, Light light)
{
    const std::string extension = extension_of(path);
    if (is_text_psf(path)) return text_psf(path);
    if (readable_extensions().contains(extension)) return image_psf(path, light);
    try {
        return image_psf(path, light);
    } catch (const InputError&) {
        // A file without a known extension that is not an image is most likely numbers.
        if (!std::filesystem::is_regular_file(path)) throw;
        return text_psf(path);
    }
}

}  // namespace clconv
