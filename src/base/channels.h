// SPDX-License-Identifier: Apache-2.0
// How many channels a pixel has, which of them is alpha, and which belong together in layers.
#pragma once

#include "base/fields.h"

namespace clconv {

/// What a channel is in its layer.
enum class Colour : char { none, red, green, blue, alpha };

[[nodiscard]] constexpr bool is_of_triple(Colour colour) { return colour != Colour::none && colour != Colour::alpha; }

/// A channel of a file that may have several layers, each with red, green and blue of its own.
struct LayerChannel {
    Colour colour = Colour::none;
    int triple = -1;  ///< the number of its layer's triple, the same for red, green and blue; -1: none of these

    friend bool operator==(const LayerChannel&, const LayerChannel&) = default;
};
CLCONV_FIELDS(LayerChannel, colour, triple)

struct Channels {
    int count = 0;
    int alpha = -1;  ///< the number of the channel that is alpha; -1: none

    [[nodiscard]] int colours() const { return count - (alpha >= 0 ? 1 : 0); }

    friend bool operator==(const Channels&, const Channels&) = default;
};

}  // namespace clconv
