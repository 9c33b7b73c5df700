// SPDX-License-Identifier: Apache-2.0
#include "base/errors.h"
#include "base/extension.h"
#include "base/light.h"
#include "base/sample_value.h"
#include "base/special_file.h"
#include "codecs/decoding.h"
#include "codecs/file_formats.h"
#include "codecs/fits_input.h"
#include "codecs/image_file.h"
#include "codecs/open_image.h"
#include "codecs/psf_file.h"
#include "codecs/psf_images.h"
#include "psf/text_psf.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <string_view>
#include <utility>

namespace clconv {
namespace {

/// The first bytes of a regular file.
std::string head_of(const std::filesystem::path& path)
{
    constexpr std::size_t maximum = 4096;
    std::string head(maximum, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(head.data(), maximum);
    head.resize(static_cast<std::size_t>(file.gcount()));
    return head;
}

/// Whether a file that begins like this is rows of numbers. Every image format begins otherwise.
bool begins_with_numbers(std::string_view head)
{
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    constexpr std::string_view separators = " \t,\r\n\v\f";
    if (head.find('\0') != std::string_view::npos || head.starts_with("#?")) return false;  // "#?" is Radiance's
    if (head.starts_with(byte_order_mark)) head.remove_prefix(byte_order_mark.size());
    while (true) {
        const std::size_t word = head.find_first_not_of(separators);
        if (word == std::string_view::npos) return true;
        head.remove_prefix(word);
        if (head.front() != '#') break;
        head.remove_prefix(std::min(head.find('\n'), head.size()));
    }
    return std::string_view("0123456789+-.").find(head.front()) != std::string_view::npos;
}

std::string read_text(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file || is_folder(path))
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

/// Whether a decoder knows the file's content, even if it cannot decode it: text has no NUL bytes.
bool holds_image(const std::filesystem::path& path)
{
    const std::string head = head_of(path);
    return head.find('\0') != std::string::npos || head.starts_with("SIMPLE  =");
}

/// Adds the image's colours, as stored in the file. A PSF's alpha says nothing about its weights.
void add_channels(Psf& psf, const Image& image, Light light)
{
    const bool decodes = light == Light::linear && image.has_codes();
    const auto channels = static_cast<std::size_t>(image.channels);
    for (int channel = 0; channel < image.channels; ++channel) {
        if (channel == image.alpha_channel && image.channels > 1) continue;
        ++psf.channels;
        for (std::size_t pixel = 0; pixel < image.extent.pixels(); ++pixel) {
            const std::size_t sample = pixel * channels + static_cast<std::size_t>(channel);
            const double value = sample_value(image.samples.data(), image.type, sample);
            psf.weights.push_back(decodes ? srgb_decoded(value) : value);
        }
    }
}

/// Weights are doubles, for --precision double.
DecodeRules rules_for(int part)
{
    DecodeRules rules;
    rules.keeps_doubles = true;
    rules.part = part;
    return rules;
}

/// A plane of a FITS image.
Image plane_of(const std::filesystem::path& path, int hdu, int plane)
{
    const DecodeRules rules = rules_for(plane);
    const std::unique_ptr<oiio::Decoder> input = fits::open_input(path, rules, hdu);
    if (!input->seek(plane, 0)) oiio::fail(path, fmt::format("cannot be decoded: plane {}", plane));
    Image image = oiio::header_of(path, *input, Light::stored, rules);
    oiio::read_part_samples(path, *input, image, allocate_samples, rules);
    return image;
}

PsfFile image_psf(const std::filesystem::path& path, const PsfReading& reading)
{
    oiio::PsfImages images = oiio::psf_images(path, reading.part);
    Psf psf;
    psf.name = path.stem().string();
    psf.channels = 0;
    for (const int part : images.parts) {
        const DecodeRules rules = rules_for(part);
        const Image image = images.hdu > 0 ? plane_of(path, images.hdu, part)
                                           : oiio::decode(path, kNoLimit, allocate_samples, Light::stored, rules);
        psf.extent = image.extent;
        psf.is_bottom_up = format_named(image.metadata->format).is_bottom_up;
        add_channels(psf, image, reading.light);
    }
    return {std::move(psf), std::move(images.warnings)};
}

}  // namespace

bool is_text_psf(const std::filesystem::path& path)
{
    if (!is_regular(path)) return has_text_extension(path);
    return begins_with_numbers(head_of(path));
}

PsfFile read_psf_file(const std::filesystem::path& path, const PsfReading& reading)
{
    if (const std::string special = special_file(path); !special.empty())
        oiio::fail(path, "is " + special + ", and a PSF is a regular file; copy its contents into one");
    const auto as_text = [&]() -> PsfFile {
        if (!reading.part.empty() && reading.part != "0")
            throw InputError(path.string() + ": --psf-part " + reading.part +
                             ": is text, which holds one PSF; leave the option out");
        return {text_psf(path)};
    };
    if (is_text_psf(path)) return as_text();
    try {
        return image_psf(path, reading);
    } catch (const InputError& error) {
        // A file that no format claims is most likely text with a mistake, whose place should be named.
        const bool may_be_text = has_text_extension(path) || !readable_extensions().contains(extension_of(path));
        if (!may_be_text || !is_regular(path) || holds_image(path)) throw;
        return as_text();
    }
}

}  // namespace clconv
