// SPDX-License-Identifier: Apache-2.0
#include "image_commands/page_gallery.h"

#include "base/errors.h"
#include "base/message.h"
#include "batch/isolated_reading.h"
#include "codecs/image_file.h"
#include "encoders/picture_uri.h"
#include "files/part_choice.h"
#include "image/picture.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <deque>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>

namespace clconv {

CLCONV_FIELDS(PagePicture, uri, width, height)
CLCONV_FIELDS(PagePictures, entry, overviews, details, detail_x, detail_y, shown_from, shown_to)

namespace {

using nlohmann::ordered_json;

constexpr int kMaxThumbnailSide = 320;  ///< pixels on the longer side of an image that was made smaller
constexpr int kDetail = 176;            ///< pixels on each side of a detail
constexpr std::size_t kAtATime = 4;     ///< processes that read
constexpr Seconds kPictureTime{30};     ///< for the files of one image
constexpr std::uint64_t kMaxPixels = std::uint64_t{1} << 28U;
constexpr std::uint64_t kMaxMemory = std::uint64_t{4} << 30U;

/// The part that `--parts` chooses for an item without a part of its own.
int first_part_of(const std::string& parts)
{
    try {
        const PartChoice choice(parts);
        return choice.named() && !choice.named()->empty() ? choice.named()->front() : 0;
    } catch (const InvalidProblem&) {
        return 0;  // of a report that others made
    }
}

std::string text_of(const ordered_json& entry, const char* field)
{
    const auto value = entry.find(field);
    return value != entry.end() && value->is_string() ? value->get<std::string>() : "";
}

int number_of(const ordered_json& entry, const char* field, int otherwise)
{
    const auto value = entry.find(field);
    const bool fits = value != entry.end() && value->is_number_unsigned() &&
                      value->get<std::uint64_t>() <= std::numeric_limits<int>::max();
    return fits ? value->get<int>() : otherwise;
}

Image read_part(const std::filesystem::path& file, int part)
{
    DecodeRules rules;
    rules.part = part;
    rules.max_pixels = kMaxPixels;
    rules.max_memory = kMaxMemory;
    rules.keeps_damaged = true;
    rules.refuses_inks = true;
    Image image = read_image(file, kNoLimit, allocate_samples, Light::stored, rules);
    if (image.samples.size() == 0 || image.channels == 0) throw InputError("no samples to show");
    return image;
}

PagePicture page_picture(const ReducedImage& image, const Tone& tone, int orientation)
{
    const Picture picture = shown(image, tone, orientation);
    return {picture_uri(picture), picture.extent.width, picture.extent.height};
}

/// Of a gray picture; 1 if it is black.
double largest_colour(const ReducedImage& image)
{
    double largest = 0;
    for (std::size_t i = 0; i < image.samples.size(); i += 4) largest = std::max<double>(largest, image.samples[i]);
    return largest > 0 ? largest : 1;
}

/// Where `area` of an image is in another, whose centre is that of the first.
PictureArea same_area(const PictureArea& area, const Extent& from, const Extent& to)
{
    const auto place = [](int position, int length, int before, int after) {
        return std::clamp(position + (after - before) / 2, 0, std::max(0, after - length));
    };
    return {{place(area.place.x, area.extent.width, from.width, to.width),
             place(area.place.y, area.extent.height, from.height, to.height)},
            {std::min(area.extent.width, to.width), std::min(area.extent.height, to.height)}};
}

/// Runs in a process of its own. Throws anything.
PagePictures pictures_of(const PicturedFiles& files)
{
    const Image first = read_part(files.first, files.first_part);
    const Image second = read_part(files.second, files.second_part);
    const auto whole_of = [](const Image& image) { return reduced(image, {{}, image.extent}, kMaxThumbnailSide); };
    const ReducedImage small = whole_of(first);
    const Tone tone = tone_of(small, !is_integer(first.stored_type));
    // What is shown alike can be compared. Integers made of floats are codes, with a range of their own.
    const ReducedImage second_small = whole_of(second);
    const bool are_alike = is_integer(first.stored_type) == is_integer(second.stored_type);
    const Tone other = are_alike ? tone : tone_of(second_small, !is_integer(second.stored_type));
    PagePictures pictures{files.entry, {}, {}, 0, 0, tone.from, tone.to};
    pictures.overviews.push_back(page_picture(small, tone, first.orientation));
    pictures.overviews.push_back(page_picture(second_small, other, second.orientation));
    if (std::max(first.extent.width, first.extent.height) > kMaxThumbnailSide) {
        const PictureArea area = busiest_area(small, first.extent, kDetail);
        pictures.detail_x = area.place.x;
        pictures.detail_y = area.place.y;
        pictures.details.push_back(page_picture(reduced(first, area, kDetail), tone, first.orientation));
        const PictureArea second_area = same_area(area, first.extent, second.extent);
        pictures.details.push_back(page_picture(reduced(second, second_area, kDetail), other, second.orientation));
    }
    if (files.has_difference && first.extent == second.extent && first.channels == second.channels) {
        const ReducedImage difference = reduced_difference(first, second, kMaxThumbnailSide);
        pictures.overviews.push_back(
            page_picture(difference, {0, largest_colour(difference), false}, first.orientation));
    }
    return pictures;
}

std::vector<PicturedFiles> spread(const std::vector<PicturedFiles>& files, std::size_t maximum)
{
    if (files.size() <= maximum) return files;
    std::vector<PicturedFiles> chosen;
    for (std::size_t i = 0; i < maximum; ++i) chosen.push_back(files[i * files.size() / maximum]);
    return chosen;
}

bool is_there(const std::filesystem::path& file)
{
    std::error_code failure;
    return std::filesystem::is_regular_file(file, failure);
}

}  // namespace

std::vector<PicturedFiles> pictured_files(const ordered_json& report)
{
    std::vector<PicturedFiles> files;
    if (kind_of_report(report) == ReportKind::comparison) {
        for (std::size_t i = 0; i < report["pairs"].size(); ++i) {
            const ordered_json& pair = report["pairs"][i];
            if (!pair.contains("error")) files.push_back({i, text_of(pair, "a"), text_of(pair, "b"), 0, 0, true});
        }
        return files;
    }
    const auto options = report.find("options");
    const int part = options != report.end() && options->is_object() ? first_part_of(text_of(*options, "--parts")) : 0;
    for (std::size_t i = 0; i < report["items"].size(); ++i) {
        const ordered_json& item = report["items"][i];
        if (text_of(item, "status") != "done") continue;
        files.push_back({i, text_of(item, "input"), text_of(item, "output"), number_of(item, "part", part)});
    }
    return files;
}

PageGallery gallery_of(const std::vector<PicturedFiles>& files, std::size_t maximum)
{
    PageGallery gallery;
    std::deque<IsolatedCall> calls;
    const auto take = [&] {
        try {
            gallery.pictures.push_back(MessageReader(calls.front().result(kPictureTime)).take<PagePictures>());
        } catch (const Error&) {
            ++gallery.missing;
        }
        calls.pop_front();
    };
    for (const PicturedFiles& chosen : spread(files, maximum)) {
        if (!is_there(chosen.first) || !is_there(chosen.second)) {
            ++gallery.missing;
            continue;
        }
        if (calls.size() == kAtATime) take();
        calls.emplace_back(chosen.first, [chosen] {
            MessageWriter writer;
            writer.put(pictures_of(chosen));
            return writer.bytes();
        });
    }
    while (!calls.empty()) take();
    return gallery;
}

}  // namespace clconv
