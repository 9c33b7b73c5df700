// SPDX-License-Identifier: Apache-2.0
#include "engine/joined_parts.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <utility>

namespace clconv {
namespace {

/// Copies `extent` samples of `bytes` each from a plane `from_width` wide to one `to_width` wide.
void copy(const std::byte* from, std::size_t from_width, std::byte* to, std::size_t to_width, Extent extent,
          std::size_t bytes)
{
    for (int y = 0; y < extent.height; ++y, from += from_width * bytes, to += to_width * bytes)
        std::memcpy(to, from, static_cast<std::size_t>(extent.width) * bytes);
}

/// The bytes from the first sample of a plane to the one at `at`.
std::size_t offset_of(Position at, int width, std::size_t bytes)
{
    return (static_cast<std::size_t>(at.y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(at.x)) * bytes;
}

}  // namespace

JoinedParts::JoinedParts(const ImageView& image, const OverlappingParts& parts, SampleType output,
                         const Allocate& memory)
    : image_(image), parts_(parts), pixel_bytes_(static_cast<std::size_t>(image.channels) * bytes_of(output))
{
    whole_.extent = image.extent;
    whole_.samples = memory(image.extent.pixels() * pixel_bytes_);
}

CutPart JoinedParts::cut(int number) const
{
    const Extent extent = parts_.extent();
    const std::size_t pixel = static_cast<std::size_t>(image_.channels) * bytes_of(image_.type);
    const int across = parts_.columns.count();
    CutPart part{Bytes(extent.pixels() * pixel), parts_.first(number % across, number / across), image_};
    copy(image_.samples + offset_of(part.first, image_.extent.width, pixel),
         static_cast<std::size_t>(image_.extent.width), part.samples.data(), static_cast<std::size_t>(extent.width),
         extent, pixel);
    part.view.extent = extent;
    part.view.samples = part.samples.data();
    part.view.facts = nullptr;
    part.view.id = 0;
    return part;
}

void JoinedParts::place(int number, const ConvolvedImage& result)
{
    const int across = parts_.columns.count(), column = number % across, row = number / across;
    const Position first = parts_.first(column, row), fresh = parts_.first_new(column, row);
    copy(result.samples.data() + offset_of({fresh.x - first.x, fresh.y - first.y}, result.extent.width, pixel_bytes_),
         static_cast<std::size_t>(result.extent.width),
         whole_.samples.data() + offset_of(fresh, whole_.extent.width, pixel_bytes_),
         static_cast<std::size_t>(whole_.extent.width), {parts_.columns.size, parts_.rows.size}, pixel_bytes_);
    for (const StageTime& time : result.times) add_time(whole_.times, time.stage, time.time);
    const double share =
        static_cast<double>(parts_.columns.size) * parts_.rows.size / static_cast<double>(parts_.extent().pixels());
    whole_.clamped += static_cast<std::size_t>(std::ceil(share * static_cast<double>(result.clamped)));
    if (number == 0) {
        whole_.plan = fmt::format("in {} x {} parts of {} that overlap by {}, each\n{}", across, parts_.rows.count(),
                                  to_string(parts_.extent()), to_string(parts_.halo), result.plan);
        whole_.plan_origin = result.plan_origin;
        whole_.plan_check = result.plan_check;
        whole_.residuals = std::vector<double>(result.residuals.size());
    }
    for (std::size_t k = 0; k < whole_.residuals.size(); ++k)
        whole_.residuals[k] += result.residuals[k] / parts_.count();
}

ConvolvedImage JoinedParts::take() { return std::move(whole_); }

}  // namespace clconv
