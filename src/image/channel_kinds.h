// The meaning of channels, from their names: colours of triples, and numbers whose averages mean nothing.
//
// Names are OpenEXR's: layers and channel separated by dots ("ViewLayer.Normal.X").
#pragma once

#include "psf/by_colour.h"

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
[[nodiscard]] bool is_usually_kept(const ChannelNames& channels, std::size_t number);

/// The colour of each channel in its layer's triple. The layer must have all of R, G and B (or red, green, blue), in
/// upper or lower case.
[[nodiscard]] std::vector<Colour> colours_of_triples(std::span<const std::string> names);

}  // namespace clconv
