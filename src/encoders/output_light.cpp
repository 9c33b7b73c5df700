// SPDX-License-Identifier: Apache-2.0
#include "encoders/output_light.h"

#include "codecs/decoding.h"
#include "codecs/file_formats.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace clconv {
namespace {

/// `before`: the format of the input. Empty if it is not known, as for `plan`; it is then assumed to stay.
bool keeps_tag(const FileFormat& format, std::string_view before, const Transfer& own, bool strips_metadata)
{
    const bool stays = format.name == before || before.empty();
    switch (own.tag) {
        case Transfer::Tag::none: return true;
        case Transfer::Tag::icc: return format.holds_profiles && !strips_metadata;
        case Transfer::Tag::gamma:
            // DPX names its curve, and has no number for those that are neither linear nor video's.
            if (format.name == "dpx") return stays && own.shape == Transfer::Shape::linear && !strips_metadata;
            return format.name == "png" && !strips_metadata;
        case Transfer::Tag::exif:
        case Transfer::Tag::cicp: return stays && !strips_metadata;
    }
    return false;
}

}  // namespace

std::shared_ptr<const Transfer> output_transfer(const Image& image, const std::filesystem::path& output, FileType type,
                                                bool strips_metadata)
{
    if (!image.transfer) return nullptr;
    const FileFormat& format = file_format_of(output);
    const std::string_view before = image.metadata ? std::string_view(image.metadata->format) : std::string_view();
    if ((type != FileType::u8 && type != FileType::u16) || format.is_light) return linear_transfer();
    const Transfer& own = *image.transfer;
    if (own.shape == Transfer::Shape::linear && own.tag == Transfer::Tag::none) return srgb_transfer();
    const bool is_said = keeps_tag(format, before, own, strips_metadata) ||
                         (!strips_metadata && !oiio::made_profile(image, format, type, &own).empty());
    return is_said ? image.transfer : srgb_transfer();
}

Light engine_light(const Image& image, const Transfer* output)
{
    if (output == nullptr || image.light == Light::stored) return Light::stored;
    const bool to_srgb = output->shape == Transfer::Shape::srgb;
    if (image.light == Light::srgb) return to_srgb ? Light::srgb : Light::from_srgb;
    return to_srgb && image.alpha_channel < 0 ? Light::to_srgb : Light::linear;
}

}  // namespace clconv
