// SPDX-License-Identifier: Apache-2.0
// Integers of 32 bits that float, in which they are convolved, does not hold. Private to src/codecs.
#pragma once

#include "base/warning.h"
#include "image/image_header.h"

#include <filesystem>
#include <optional>
#include <span>

namespace clconv::oiio {

class WideIntegers {
public:
    /// For an image whose samples become those of `header`.
    explicit WideIntegers(const ImageHeader& header);

    /// Whether the samples of such a file may be rounded.
    [[nodiscard]] bool may_be_rounded() const { return may_be_rounded_; }
    /// Looks at decoded samples.
    void add(std::span<const float> samples);
    /// None if no sample so far is rounded.
    [[nodiscard]] std::optional<Warning> warning(const std::filesystem::path& path) const;

private:
    FileType type_;
    bool may_be_rounded_;
    float largest_ = 0;
};

}  // namespace clconv::oiio
