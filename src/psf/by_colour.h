// A PSF of three colours for images of several layers, each with a triple of its own.
#pragma once

#include "psf/psf.h"

#include <span>

namespace clconv {

/// What an image's channel is in the triple of its layer.
enum class Colour : char { none, red, green, blue };

/// A PSF with a channel for each of `colours`: red, green and blue have that of `psf`, which has three, others their
/// mean. It fits images of these channels as it is, whichever is alpha.
[[nodiscard]] Psf by_colour(const Psf& psf, std::span<const Colour> colours);

}  // namespace clconv
