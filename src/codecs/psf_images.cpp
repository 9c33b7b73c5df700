// SPDX-License-Identifier: Apache-2.0
#include "codecs/psf_images.h"

#include "base/lower_case.h"
#include "base/parse_number.h"
#include "codecs/file_parts.h"
#include "codecs/open_image.h"
#include "codecs/parts_reader.h"
#include "fits/fits_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <string_view>

namespace clconv::oiio {
namespace {

constexpr int kMaxListed = 10;
/// The maximum number of channels of a PSF.
constexpr std::int64_t kMaxChannels = 64;
constexpr std::int64_t kColours = 3;
constexpr std::string_view kAllPlanes = "all";

std::vector<int> numbers_below(int end)
{
    std::vector<int> numbers(static_cast<std::size_t>(end));
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
}

bool equals_in_any_case(std::string_view a, std::string_view b) { return lower_case(a) == lower_case(b); }

/// The choice among pages, parts or frames.
class Parts {
public:
    Parts(const std::filesystem::path& path, int count) : path_(path), count_(count) {}

    [[nodiscard]] int chosen(const std::string& wanted) const
    {
        if (wanted.empty()) {
            if (count_ > 1)
                fail(path_, fmt::format("holds {}, and a PSF is one: choose it by --psf-part, {}", listed(), how()));
            return 0;
        }
        if (const std::optional<int> number = parse_number<int>(wanted); number && *number >= 0 && *number < count_)
            return *number;
        const std::vector<Part> parts = first_parts(count_);
        const auto named = std::ranges::find(parts, wanted, &Part::name);
        if (named == parts.end())
            fail(path_, fmt::format("--psf-part {}: it holds {}: give {}", wanted, listed(), how()));
        return static_cast<int>(named - parts.begin());
    }

private:
    [[nodiscard]] std::string how() const
    {
        return count_ == 1 ? "0, or leave the option out" : fmt::format("0 to {}, or the name of a part", count_ - 1);
    }

    struct Part {
        std::string name;
        Extent extent;
    };

    [[nodiscard]] std::vector<Part> first_parts(int count) const
    {
        std::vector<Part> parts;
        const PartsReader reader(path_, numbers_below(count));
        for (const Image& header : reader.headers()) {
            const FileHeader& spec = header.metadata->spec;
            const std::string name = spec.get_string_attribute("oiio:subimagename");
            parts.push_back(
                {name.empty() ? std::string(spec.get_string_attribute("tiff:PageName")) : name, header.extent});
        }
        return parts;
    }

    /// "11 images (0: 41x41, 1 wide: 81x81, ...)"
    [[nodiscard]] std::string listed() const
    {
        std::vector<std::string> images;
        for (const Part& part : first_parts(std::min(count_, kMaxListed)))
            images.push_back(fmt::format("{}{}{}: {}", images.size(), part.name.empty() ? "" : " ", part.name,
                                         to_string(part.extent)));
        if (count_ > kMaxListed) images.emplace_back("...");
        return fmt::format("{} image{} ({})", count_, count_ == 1 ? "" : "s", fmt::join(images, ", "));
    }

    const std::filesystem::path& path_;
    int count_;
};

/// The choice among the HDUs of a FITS file, and the planes of their cubes.
class FitsImages {
public:
    FitsImages(const std::filesystem::path& path, std::vector<fits::FitsImage> images)
        : path_(path), images_(std::move(images))
    {
    }

    [[nodiscard]] PsfImages chosen(const std::string& wanted) const
    {
        if (wanted.empty()) {
            PsfImages first = whole(images_.front());
            if (images_.size() > 1)
                first.warnings.push_back(
                    fmt::format("{}: holds {}; the first is the PSF, and --psf-part N or NAME "
                                "chooses another",
                                path_.string(), listed()));
            return first;
        }
        if (images_.size() == 1 && images_[0].planes() > 1)
            if (const std::optional<PsfImages> planes = planes_of(images_[0], wanted)) return *planes;
        if (const fits::FitsImage* const image = named(wanted)) return whole(*image);
        if (const std::size_t colon = wanted.rfind(':'); colon != std::string::npos)
            if (const fits::FitsImage* const image = named(wanted.substr(0, colon)))
                if (const std::optional<PsfImages> planes = planes_of(*image, wanted.substr(colon + 1))) return *planes;
        fail(path_, fmt::format("--psf-part {}: it holds {}: give the number or name of an HDU, HDU:N for a plane of a "
                                "cube, or HDU:all for its planes as channels",
                                wanted, listed()));
    }

private:
    /// An image without a choice among its planes.
    [[nodiscard]] PsfImages whole(const fits::FitsImage& image) const
    {
        const std::int64_t planes = image.planes();
        if (planes == 1) return {image.hdu, {0}, {}};
        const std::string cube = fmt::format("{} is a cube of {} planes", in_words(image), planes);
        const std::string prefix = images_.size() == 1 ? "" : fmt::format("{}:", image.hdu - 1);
        const std::string choice = fmt::format(
            "--psf-part {0}N takes plane N, from 0 to {1}, and --psf-part {0}all takes the planes as channels", prefix,
            planes - 1);
        if (planes != kColours) fail(path_, fmt::format("{}, and a PSF is one image: {}", cube, choice));
        PsfImages colours = *planes_of(image, kAllPlanes);
        colours.warnings.push_back(
            fmt::format("{}: {}, which are the PSFs of red, green and blue; {}", path_.string(), cube, choice));
        return colours;
    }

    [[nodiscard]] std::optional<PsfImages> planes_of(const fits::FitsImage& image, std::string_view wanted) const
    {
        const std::int64_t planes = image.planes();
        if (wanted == kAllPlanes) {
            if (planes > kMaxChannels)
                fail(path_, fmt::format("{} holds {} planes, which would be a PSF's channels; it may have {}",
                                        in_words(image), planes, kMaxChannels));
            return PsfImages{image.hdu, numbers_below(static_cast<int>(planes)), {}};
        }
        const std::optional<int> plane = parse_number<int>(wanted);
        if (!plane || *plane < 0 || *plane >= planes) return std::nullopt;
        return PsfImages{image.hdu, {*plane}, {}};
    }

    /// By number, EXTNAME, or EXTNAME,EXTVER; null if there is none.
    [[nodiscard]] const fits::FitsImage* named(const std::string& wanted) const
    {
        const std::optional<int> number = parse_number<int>(wanted);
        const auto found = std::ranges::find_if(images_, [&](const fits::FitsImage& image) {
            if (number && image.hdu - 1 == *number) return true;
            return !image.name.empty() && (equals_in_any_case(image.name, wanted) ||
                                           equals_in_any_case(fmt::format("{},{}", image.name, image.version), wanted));
        });
        return found == images_.end() ? nullptr : &*found;
    }

    /// "HDU 1 PSF (41x41)"
    [[nodiscard]] static std::string in_words(const fits::FitsImage& image)
    {
        return fmt::format("HDU {}{}{} ({})", image.hdu - 1, image.name.empty() ? "" : " ", image.name,
                           fmt::join(image.axes, "x"));
    }

    [[nodiscard]] std::string listed() const
    {
        std::vector<std::string> words;
        for (const fits::FitsImage& image : images_) {
            if (words.size() == kMaxListed) {
                words.emplace_back("...");
                break;
            }
            words.push_back(in_words(image));
        }
        return fmt::format("{} image{}: {}", images_.size(), images_.size() == 1 ? "" : "s", fmt::join(words, ", "));
    }

    const std::filesystem::path& path_;
    std::vector<fits::FitsImage> images_;
};

}  // namespace

PsfImages psf_images(const std::filesystem::path& path, const std::string& wanted)
{
    if (fits::is_fits(path)) return FitsImages(path, fits::File(path).layout().images).chosen(wanted);
    const int part = Parts(path, count_parts(path)).chosen(wanted);
    return {0, {part}, {}};
}

}  // namespace clconv::oiio
