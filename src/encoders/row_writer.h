// SPDX-License-Identifier: Apache-2.0
// Writes an image file by rows: for images too large to be held whole.
#pragma once

#include "image/image.h"
#include "image/row_sink.h"
#include "image/write_options.h"

#include <filesystem>
#include <memory>

namespace clconv {

class RowWriter final : public RowSink {
public:
    /// Begins a file like that of write_image(), but never in tiles of which a row takes more than 16 MiB, and never a
    /// progressive JPEG. `header`: an image
    /// without samples. Throws InputError as write_image() does.
    RowWriter(const std::filesystem::path& path, const Image& header, const WriteOptions& options = {});
    /// Without finish(), nothing is left of the file.
    ~RowWriter() override;
    RowWriter(const RowWriter&) = delete;
    RowWriter& operator=(const RowWriter&) = delete;

    /// Writes the next `count` rows, of header.type, without gaps. `kept`: for an image with a split, the copied
    /// channels of the input's rows at these positions, as whole rows, and 0 if there is none. Throws InputError.
    void write(const std::byte* samples, int count, const std::byte* kept = nullptr) override;

    /// Completes the file, which now appears under its name. Throws InputError.
    void finish() override;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Whether the format of this name can be written by rows, in bounded memory. Throws InputError if there is none.
[[nodiscard]] bool writes_by_rows(const std::filesystem::path& path);

}  // namespace clconv
