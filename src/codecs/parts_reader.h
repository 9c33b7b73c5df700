// SPDX-License-Identifier: Apache-2.0
// Reads several parts of one file: pages, frames, OpenEXR's parts.
#pragma once

#include "codecs/image_file.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <vector>

namespace clconv {

class PartsReader {
public:
    /// `parts`: their numbers, counted from 0. Reads the header of each. Throws InputError as read_image() does;
    /// messages about one part name it.
    PartsReader(std::filesystem::path path, std::vector<int> parts, Light light = Light::stored,
                const DecodeRules& rules = {});
    ~PartsReader();
    PartsReader(const PartsReader&) = delete;
    PartsReader& operator=(const PartsReader&) = delete;

    /// The parts without samples, in the requested order.
    [[nodiscard]] const std::vector<Image>& headers() const;
    /// The number of parts in the file.
    [[nodiscard]] int parts_in_file() const;

    /// Whether several threads may read at a time, in any order. Otherwise one thread reads the parts from first to
    /// last.
    [[nodiscard]] bool reads_in_any_order() const;

    /// The part `which` of headers(), as read_image() gives it. Throws InputError.
    [[nodiscard]] Image read(std::size_t which, const AllocateSamples& allocate = allocate_samples) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Whether each pattern of a list matches a channel of the file of `image`.
[[nodiscard]] bool has_all_channels(const Image& image, const ChannelRule& rule);

}  // namespace clconv
