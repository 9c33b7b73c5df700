// SPDX-License-Identifier: Apache-2.0
#include "formats/form_readers.h"

#include "formats/exif_block.h"
#include "formats/file_head.h"
#include "formats/photoshop_resources.h"
#include "formats/tiff_directories.h"
#include "formats/tiff_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace clconv::oiio {
namespace {

/// Names of metadata. Other tags below 32768 say how samples are stored, or nothing that is kept.
constexpr std::pair<std::uint16_t, const char*> kTags[] = {{269, "DocumentName"},
                                                           {270, "ImageDescription"},
                                                           {271, "Make"},
                                                           {272, "Model"},
                                                           {280, "MinSampleValue"},
                                                           {281, "MaxSampleValue"},
                                                           {290, "GrayResponseUnit"},
                                                           {291, "GrayResponseCurve"},
                                                           {301, "TransferFunction"},
                                                           {321, "HalftoneHints"},
                                                           {306, "DateTime"},
                                                           {315, "Artist"},
                                                           {340, "SMinSampleValue"},
                                                           {341, "SMaxSampleValue"},
                                                           {700, "XMP"},
                                                           {33432, "Copyright"},
                                                           {33723, kIptc},
                                                           {34377, "Photoshop's resources"},
                                                           {34665, "Exif"},
                                                           {34853, "GPS"}};
constexpr std::uint16_t kAcross = 282;  // dots in a unit
constexpr std::uint16_t kDown = 283;
constexpr std::uint16_t kUnit = 296;
constexpr std::uint16_t kPlaceAcross = 286;
constexpr std::uint16_t kPlaceDown = 287;

constexpr std::uint16_t kFullWidth = 33300;  ///< Pixar's, of the frame

/// Private tags about samples: Photoshop's and libtiff's own, and those of tiles in other codecs.
constexpr std::uint16_t kOfSamples[] = {32995, 32996, 32997, 32998, 33300, 33301, 33302,
                                        33303, 33304, 33305, 33306, 37724, 50674};

/// Calls `take` with the number and the directory of each page up to `last`.
template <class Take>
void each_page(const TiffFile& file, int last, const Take& take)
{
    std::uint64_t place = file.offset_at(file.first_place());
    constexpr int max_pages = 100'000;
    int page = 0;
    for (int i = 0; i < max_pages && place != 0 && page <= last; ++i) {
        const std::optional<TiffDirectory> directory = file.directory(place);
        if (!directory) return;
        if (!is_reduced(file, *directory)) take(page++, *directory);
        place = directory->next;
    }
}

std::string colours_of(std::uint64_t photometric)
{
    switch (photometric) {
        case 0: return "white is zero";
        case 1: return "gray";
        case 2: return "RGB";
        case 6: return "YCbCr";
        case 3: return "palette";
        case 5: return "inks";
        case 8:
        case 9:
        case 10: return "Lab";
        case 4: return "a mask";
        case 32803: return "a mosaic of a sensor's colours";
        case 34892: return "a sensor's colours";
        default: return fmt::format("photometric {}", photometric);
    }
}

void read_codec(std::uint64_t compression, StoredForm& form)
{
    const bool is_jpeg = compression == 6 || compression == 7;
    const bool is_jpeg2000 = compression >= 33003 && compression <= 33005;
    form.is_lossy = is_jpeg || is_jpeg2000 || compression == 34712 || compression == 34892 || compression == 50001;
    form.codec = is_jpeg ? "JPEG" : form.is_lossy ? fmt::format("TIFF's codec {}", compression) : "lossless";
}

/// Whether a description is what OpenImageIO makes of a texture's samples.
bool is_of_texture(const TiffFile& file, const TiffField& field)
{
    constexpr std::uint64_t maximum = 4096;
    constexpr std::uint16_t description = 270;
    if (field.tag != description) return false;
    const std::string text = file.bytes(field.place, std::min(field.count, maximum));
    return text.find("oiio:SHA-1=") != std::string::npos || text.find("oiio:AverageColor=") != std::string::npos;
}

/// Whether Photoshop's resources hold IPTC, as JPEG files have it.
bool has_iptc(const TiffFile& file, const TiffField& field)
{
    constexpr std::uint64_t maximum = std::uint64_t{1} << 20U;
    constexpr std::uint16_t resources = 34377;
    return field.tag == resources && field.count <= maximum && !iptc_in(file.bytes(field.place, field.count)).empty();
}

void read_tags(const TiffFile& file, const TiffDirectory& directory, StoredForm& form)
{
    for (const TiffField& field : directory.fields) {
        if (is_of_texture(file, field)) continue;
        if (has_iptc(file, field)) form.tags.insert(kIptc);
        const auto* const known = std::ranges::find(kTags, field.tag, &std::pair<std::uint16_t, const char*>::first);
        if (known != std::end(kTags))
            form.tags.insert(known->second);
        else if (field.tag >= 32768 && field.tag != kProfile &&
                 std::ranges::find(kOfSamples, field.tag) == std::end(kOfSamples))
            form.tags.insert(fmt::format("tag {}", field.tag));
    }
}

/// A field of two whole numbers; 0 if there is none.
double ratio_of(const TiffFile& file, const TiffDirectory& directory, std::uint16_t tag)
{
    constexpr std::uint64_t size = 8;
    const TiffField* const field = directory.field(tag);
    if (field == nullptr || field->value_bytes() != static_cast<int>(size)) return 0;
    const std::string bytes = file.bytes(field->place, size);
    const ByteOrder order = file.is_little() ? ByteOrder::little : ByteOrder::big;
    const std::uint64_t divisor = number_in(bytes, 4, 4, order);
    return divisor == 0 ? 0 : static_cast<double>(number_in(bytes, 0, 4, order)) / static_cast<double>(divisor);
}

void read_dots(const TiffFile& file, const TiffDirectory& directory, StoredForm& form)
{
    constexpr std::uint64_t inches = 2;
    constexpr std::uint64_t centimetres = 3;
    constexpr double per_inch = 2.54;
    const std::uint64_t unit = file.value(directory, kUnit, inches);
    const double scale = unit == inches ? 1 : unit == centimetres ? per_inch : 0;
    const double across = ratio_of(file, directory, kAcross);
    const double down = ratio_of(file, directory, kDown);
    if (scale > 0)
        read_resolution(across * scale, down * scale, form);
    else if (across > 0 && down > 0)
        form.aspect = down / across;
}

StoredForm page_form(const TiffFile& file, const TiffDirectory& directory)
{
    StoredForm form;
    const auto value = [&](std::uint16_t tag, std::uint64_t otherwise, std::uint64_t index = 0) {
        const TiffField* const field = directory.field(tag);
        return field ? file.value(*field, index) : otherwise;
    };
    constexpr std::array<Numbers, 4> numbers{Numbers::unsigned_integers, Numbers::unsigned_integers,
                                             Numbers::signed_integers, Numbers::floats};
    constexpr std::uint64_t ycbcr = 6;
    const std::uint64_t photometric = value(kPhotometric, 1);
    form.bits = static_cast<int>(value(kBitsPerSample, 1));
    form.numbers = numbers[std::min<std::uint64_t>(value(kSampleFormat, 1), 4) % 4];
    form.colours = colours_of(photometric);
    if (form.colours == "palette") form.bits = std::max(form.bits, 8);
    read_codec(value(kCompression, 1), form);
    if (form.colours == "YCbCr" && form.codec == "JPEG") form.colours = "RGB";  // as JPEG stores it
    if (photometric == ycbcr)
        form.chroma = 1.0 / static_cast<double>(
                                std::max<std::uint64_t>(1, value(kChromaSampling, 2) * value(kChromaSampling, 2, 1)));
    constexpr std::uint64_t none = 3;
    const std::uint64_t extra = value(kExtraSamples, none);
    form.alpha = extra == 0 ? kUnspecifiedAlpha : extra == 1 ? "associated" : extra == 2 ? "straight" : "";
    form.orientation = static_cast<int>(std::clamp<std::uint64_t>(value(kOrientation, 1), 1, 8));
    form.has_profile = directory.field(kProfile) != nullptr;
    read_tags(file, directory, form);
    read_dots(file, directory, form);
    const double left = ratio_of(file, directory, kPlaceAcross);
    const double above = ratio_of(file, directory, kPlaceDown);
    if (left > 0 || above > 0) form.window = fmt::format("at {:g}, {:g}", left, above);
    form.has_frame = directory.field(kFullWidth) != nullptr;
    return form;
}

}  // namespace

void read_resolution(double across, double down, StoredForm& form)
{
    constexpr double unknown = 72;
    constexpr double rounding = 0.1;  // of dots a metre
    if (across <= 0 || down <= 0) return;
    form.aspect = down / across;
    if (std::abs(across - unknown) > rounding || std::abs(down - unknown) > rounding) form.tags.insert(kResolution);
}

void read_exif(const std::string& block, StoredForm& form)
{
    form.orientation = std::max(1, exif_orientation(block));
    const TiffFile file{std::string(block)};
    if (!file.is_tiff()) return;
    const std::optional<TiffDirectory> directory = file.page(0);
    if (!directory) return;
    StoredForm alone;
    read_tags(file, *directory, alone);
    form.exif_tags = alone.tags;
    read_dots(file, *directory, alone);
    if (!form.states_aspect) form.aspect = alone.aspect;
    form.tags.merge(alone.tags);
}

std::vector<StoredForm> tiff_forms(const std::filesystem::path& path, std::span<const int> pages)
{
    std::vector<StoredForm> forms(pages.size());
    const TiffFile file(path);
    if (!file.is_tiff() || pages.empty()) return forms;
    std::multimap<int, std::size_t> places;
    for (std::size_t i = 0; i < pages.size(); ++i) places.emplace(pages[i], i);
    each_page(file, places.rbegin()->first, [&](int page, const TiffDirectory& directory) {
        const auto [first, last] = places.equal_range(page);
        for (auto place = first; place != last; ++place) forms[place->second] = page_form(file, directory);
    });
    return forms;
}

}  // namespace clconv::oiio
