// SPDX-License-Identifier: Apache-2.0
// What a user should know about an image, although it was made.
#pragma once

#include "base/fields.h"
#include "base/names.h"

#include <string>
#include <utility>

namespace clconv {

/// What a warning is about. The first kinds are unrequested differences between an input and its output.
enum class WarningKind {
    type,         ///< the type of samples: u16 -> u8
    bits,         ///< bits a sample, within one type: 8 -> 1
    range,        ///< the largest code: 1023 -> 255
    photometric,  ///< what samples mean: white is zero -> black is zero
    channels,     ///< channels that are left out, or whose types change
    alpha,        ///< straight, associated, or none
    compression,  ///< a codec that loses, or loses more: lossless -> lossy
    order,        ///< the order of rows and columns in the file
    window,       ///< results end where the data window does, before the frame does
    parts,        ///< images of the file
    tags,         ///< metadata
    colour,       ///< transfer function, primaries or profile
    damage,       ///< samples that could not be read
    clamped,      ///< results that the output's type does not hold
    accuracy,     ///< noise of results, a lower resolution, rounding by float, doubts about a deconvolution
    copied,       ///< nothing of the image was convolved
    other,
};
template <>
inline constexpr auto kNames<WarningKind> =
    std::to_array<Named<WarningKind>>({{"type", WarningKind::type},
                                       {"bits", WarningKind::bits},
                                       {"range", WarningKind::range},
                                       {"photometric", WarningKind::photometric},
                                       {"channels", WarningKind::channels},
                                       {"alpha", WarningKind::alpha},
                                       {"compression", WarningKind::compression},
                                       {"order", WarningKind::order},
                                       {"window", WarningKind::window},
                                       {"parts", WarningKind::parts},
                                       {"tags", WarningKind::tags},
                                       {"colour", WarningKind::colour},
                                       {"damage", WarningKind::damage},
                                       {"clamped", WarningKind::clamped},
                                       {"accuracy", WarningKind::accuracy},
                                       {"copied", WarningKind::copied},
                                       {"other", WarningKind::other}});

struct Warning {
    Warning() = default;
    Warning(std::string text) : message(std::move(text)) {}
    Warning(const char* text) : message(text) {}
    Warning(WarningKind of, std::string text, std::string before = {}, std::string after = {})
        : message(std::move(text)), kind(of), from(std::move(before)), to(std::move(after))
    {
    }

    std::string message;  ///< a sentence that names the file
    WarningKind kind = WarningKind::other;
    std::string from = {};  ///< of a difference: what the input has
    std::string to = {};    ///< and what the output has

    friend bool operator==(const Warning&, const Warning&) = default;
};
CLCONV_FIELDS(Warning, message, kind, from, to)

}  // namespace clconv
