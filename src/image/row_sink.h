// SPDX-License-Identifier: Apache-2.0
// Takes the rows of an image from the top down.
#pragma once

#include <cstddef>

namespace clconv {

class RowSink {
public:
    RowSink() = default;
    RowSink(const RowSink&) = delete;
    RowSink& operator=(const RowSink&) = delete;
    virtual ~RowSink() = default;

    /// Writes the next `count` rows, without gaps. `kept`: for an image with a split, the copied channels of the
    /// input's rows at these positions, as whole rows. Throws InputError.
    virtual void write(const std::byte* samples, int count, const std::byte* kept = nullptr) = 0;

    /// Call it after all rows are written. Throws InputError.
    virtual void finish() = 0;
};

}  // namespace clconv
