// SPDX-License-Identifier: Apache-2.0
// A PSF of three colours for images of several layers with a colour triple each.
#pragma once

#include "base/channels.h"
#include "psf/psf.h"

#include <span>

namespace clconv {

/// A PSF with a channel for each of `channels`. Red, green and blue have that colour's channel of `psf`, which has
/// three. Others have the mean. It fits images of these channels without further matching, alpha included.
[[nodiscard]] Psf by_colour(const Psf& psf, std::span<const LayerChannel> channels);

}  // namespace clconv
