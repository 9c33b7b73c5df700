// SPDX-License-Identifier: Apache-2.0
// Reads an image file by rows: for images too large to be held whole.
#pragma once

#include "base/warning.h"
#include "image/decode_rules.h"
#include "image/image.h"

#include <filesystem>
#include <memory>
#include <optional>

namespace clconv {

class RowReader {
public:
    /// Opens the file. Throws InputError as read_image() does.
    explicit RowReader(const std::filesystem::path& path, Light light = Light::stored, const DecodeRules& rules = {});
    ~RowReader();
    RowReader(const RowReader&) = delete;
    RowReader& operator=(const RowReader&) = delete;

    /// The result of read_image(), without samples.
    [[nodiscard]] const Image& header() const;

    /// A warning of samples that were read so far, and that float does not hold.
    [[nodiscard]] std::optional<Warning> rounding() const;

    /// Whether rows can be read in any order at little cost. Otherwise going back starts again at the first row.
    [[nodiscard]] bool seeks() const;

    /// Reads rows first .. first + count - 1, as read_image() does, to `samples`, without gaps. For a file with a
    /// split, reads the copied channels to `kept`. Throws InputError.
    void read(int first, int count, std::byte* samples, std::byte* kept = nullptr);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace clconv
