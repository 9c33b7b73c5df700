// SPDX-License-Identifier: Apache-2.0
// The meaning of channels, from their names: colours of triples, and numbers whose averages mean nothing.
//
// Names are OpenEXR's: layers and channel separated by dots ("ViewLayer.Normal.X").
#pragma once

#include "base/channels.h"

#include <span>
#include <string>
#include <vector>

namespace clconv {

/// What is known about a file's channels before its samples are read.
struct ChannelNames {
    std::vector<std::string> names;
    std::string part = {};                       ///< the name of the file's part; empty: none
    std::vector<std::string> cryptomattes = {};  ///< the layers that Cryptomatte metadata name
};

/// Whether channel `number` holds depth, normals, positions (also on textures: UV), motion vectors, ids or Cryptomatte,
/// according to its name, its layer's name and the metadata.
[[nodiscard]] bool is_copied_by_default(const ChannelNames& channels, std::size_t number);

/// What each channel is in its layer, if the layer has all of R, G and B (or red, green, blue), in upper or lower case:
/// one of them, or A (or alpha).
[[nodiscard]] std::vector<LayerChannel> layers_of(std::span<const std::string> names);

}  // namespace clconv
