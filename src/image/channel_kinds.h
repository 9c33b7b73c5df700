// What channels are by their names: colours of triples, and numbers that mean nothing when they are averaged.
//
// Names are OpenEXR's: layers and channel separated by dots ("ViewLayer.Normal.X").
#pragma once

#include "psf/by_colour.h"

#include <span>
#include <string>
#include <vector>

namespace clconv {

/// What is known of a file's channels before its samples.
struct ChannelNames {
    std::vector<std::string> names;
    std::string part = {};                       ///< the name of the file's part; empty: none
    std::vector<std::string> cryptomattes = {};  ///< the layers that Cryptomatte metadata name
};

/// Whether channel `number` holds depth, normals, positions (also on textures: UV), motion vectors, ids or Cryptomatte,
/// as its name, its layer's name and the metadata tell.
[[nodiscard]] bool is_usually_kept(const ChannelNames& channels, std::size_t number);

/// Which colour of its layer's triple each channel is: the layer has all of R, G and B (or red, green, blue), in any
/// case of letters.
[[nodiscard]] std::vector<Colour> colours_of_triples(std::span<const std::string> names);

}  // namespace clconv
