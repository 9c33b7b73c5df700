// SPDX-License-Identifier: Apache-2.0
// What clconv warm builds programs for: small images, as clconv run and clconv bloom would convolve them.
#pragma once

#include "base/light.h"
#include "conv/problem.h"
#include "engine/image_problem.h"
#include "engine/menu.h"
#include "psf/psf.h"

#include <memory>
#include <string>
#include <vector>

namespace clconv {

struct WarmOptions {
    std::vector<std::string> devices;
    std::vector<std::string> types = {"u8"};
    std::vector<int> channels = {3, 4};
    std::vector<std::string> psf_sizes = {"15", "31", "63", "255"};
    bool linear = false;                        ///< also those of `run --linear`
    std::vector<std::string> resolutions = {};  ///< those of bloom
    bool list = false;
    bool clear = false;
};

/// A small image, and what is done with it.
struct WarmWork {
    Extent image;
    int channels = 3;
    int alpha_channel = -1;
    SampleType type = SampleType::u8;
    Light light = Light::stored;
    std::shared_ptr<const Psf> psf;
    ConvolveSettings settings;

    [[nodiscard]] ImageView view(const std::byte* samples) const;
    /// The programs that such images of any size use.
    [[nodiscard]] std::vector<Recipe> programs(const DeviceTraits& traits) const;
};

/// One for each combination: of run, on request in linear light too, and of bloom with each way to mix at each
/// resolution. Throws InvalidProblem.
[[nodiscard]] std::vector<WarmWork> warm_work(const WarmOptions& options);

}  // namespace clconv
