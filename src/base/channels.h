// How many channels a pixel has, and which of them is alpha.
#pragma once

namespace clconv {

struct Channels {
    int count = 0;
    int alpha = -1;  ///< the number of the channel that is alpha; -1: none

    [[nodiscard]] int colours() const { return count - (alpha >= 0 ? 1 : 0); }

    friend bool operator==(const Channels&, const Channels&) = default;
};

}  // namespace clconv
