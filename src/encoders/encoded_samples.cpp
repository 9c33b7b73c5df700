// SPDX-License-Identifier: Apache-2.0
#include "encoders/encoded_samples.h"

#include "codecs/nodata_samples.h"
#include "codecs/white_zero.h"
#include "encoders/output_light.h"
#include "image/light_codes.h"

#include <cstring>
#include <utility>
#include <vector>

namespace clconv::oiio {
namespace {

AlphaLayout colours_under_alpha(const Image& image, const ChannelChoice& channels)
{
    AlphaLayout layout{channels.count(), channels.alpha, {}};
    const int depth = depth_channel(image);
    for (int channel = 0; channel < channels.count(); ++channel)
        if (channel != channels.alpha && (depth < 0 || channels.sources[static_cast<std::size_t>(channel)] != depth))
            layout.colours.push_back(channel);
    return layout;
}

Bytes inverted(const ImageView& view, const GrayLayout& layout)
{
    Bytes samples(view.bytes());
    std::memcpy(samples.data(), view.samples, view.bytes());
    invert_gray(samples.data(), view.type, view.extent.pixels(), layout);
    return samples;
}

}  // namespace

EncodedSamples::EncodedSamples(const Image& image, const ImageView& samples, const FileEncoding& encoding,
                               int first_row)
    : samples_(samples.samples)
{
    const FileType type = encoding.type;
    const ChannelChoice& channels = encoding.channels;
    ImageView view = samples;
    if (!channels.is_everything(image.channels)) {
        own(select_channels(view, channels.sources));
        view = {samples.extent, channels.count(), samples.type, samples_};
    }
    std::vector<std::size_t> missing;
    if (image.nodata) missing = missing_places(view, channels.alpha);
    encode(image, view, encoding, first_row);
    if (missing.empty()) return;
    if (owned_.size() == 0) {
        own(Bytes(view.bytes()));
        std::memcpy(owned_.data(), view.samples, view.bytes());
    }
    put_nodata(*image.nodata, type, missing, owned_.data());
}

void EncodedSamples::encode(const Image& image, const ImageView& view, const FileEncoding& encoding, int first_row)
{
    const auto& [type, channels, straight, transfer, profile, seed, inverts] = encoding;
    const bool encodes = is_encoded_by_writer(image.light, transfer.get());
    GrayLayout gray = gray_layout(image);
    if (straight) gray.alpha = -1;
    if (file_type_of(view.type) == type && !straight && !encodes) {
        if (inverts) own(inverted(view, gray));
        return;
    }
    Bytes floats = to_float(view);
    const AlphaLayout layout = colours_under_alpha(image, channels);
    const bool has_alpha = channels.alpha >= 0;
    const bool multiplies = encodes && has_alpha && !straight;
    if (straight || multiplies) unassociate(floats.as<float>(), layout);
    if (encodes)
        encode_light(floats.as<float>(), layout, transfer, seed || multiplies ? std::nullopt : largest_code(type));
    if (multiplies) associate(floats.as<float>(), layout);
    if (inverts) invert_gray(floats.data(), SampleType::float32, view.extent.pixels(), gray);
    if (!seed || !is_integer(type)) {
        own(from_float(floats.as<float>(), type));
        return;
    }
    const std::uint64_t before = static_cast<std::uint64_t>(first_row) * static_cast<std::uint64_t>(view.extent.width) *
                                 static_cast<std::uint64_t>(view.channels);
    own(dithered(floats.as<float>(), type, {*seed, before, view.channels, channels.alpha}));
}

void EncodedSamples::own(Bytes samples)
{
    owned_ = std::move(samples);
    samples_ = owned_.data();
}

}  // namespace clconv::oiio
