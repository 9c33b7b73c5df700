// SPDX-License-Identifier: Apache-2.0
// The options of `clconv deconvolve` beside those of `run`.
#pragma once

#include "base/names.h"
#include "settings/option_list.h"

#include <optional>
#include <string>

namespace clconv {

/// `--method` of deconvolve.
enum class Deconvolution { automatic, wiener, tikhonov, rl };
template <>
inline constexpr auto kNames<Deconvolution> = std::to_array<Named<Deconvolution>>({
    {"auto", Deconvolution::automatic},
    {"wiener", Deconvolution::wiener},
    {"tikhonov", Deconvolution::tikhonov},
    {"rl", Deconvolution::rl},
});

/// `--accelerate`.
enum class Accelerate { automatic, none, momentum, biggs_andrews };
template <>
inline constexpr auto kNames<Accelerate> = std::to_array<Named<Accelerate>>({
    {"auto", Accelerate::automatic},
    {"none", Accelerate::none},
    {"momentum", Accelerate::momentum},
    {"biggs-andrews", Accelerate::biggs_andrews},
});

/// `--colour`.
enum class ColourPlanes { channels, luminance };
template <>
inline constexpr auto kNames<ColourPlanes> = std::to_array<Named<ColourPlanes>>({
    {"channels", ColourPlanes::channels},
    {"luminance", ColourPlanes::luminance},
});

/// `--like`: the conventions of a peer.
enum class Like { skimage };
template <>
inline constexpr auto kNames<Like> = std::to_array<Named<Like>>({{"skimage", Like::skimage}});

/// --border masked: what lies outside is not known.
inline constexpr const char* kMasked = "masked";

/// The options as typed. Defaults depend on the method.
struct DeconvolveOptions {
    Deconvolution method = Deconvolution::automatic;
    std::optional<Like> like;
    std::string border;
    std::string noise;
    std::optional<double> lambda;
    std::optional<int> iterations;
    std::optional<Accelerate> accelerate;
    ColourPlanes colour = ColourPlanes::channels;
    std::optional<double> tv;
    std::optional<double> stop;
    std::string background;
    std::string weight;
    std::string start;
};

void add_deconvolve_options(OptionList& list, DeconvolveOptions& options);

}  // namespace clconv
