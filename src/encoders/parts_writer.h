// SPDX-License-Identifier: Apache-2.0
// Writes a file of several parts: pages of a TIFF, parts of an OpenEXR file, frames of a GIF or WebP.
#pragma once

#include "image/image.h"
#include "image/row_sink.h"
#include "image/write_options.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace clconv {

/// A part as it will be written.
struct PartToWrite {
    Image header;  ///< without samples; its metadata are those of the input's part
    WriteOptions options = {};
    bool by_rows = false;  ///< whether it is written by rows(), not at once
};

/// The source of the parts.
struct PartsSource {
    std::filesystem::path path;
    int parts = 1;            ///< number of parts in it
    std::vector<int> chosen;  ///< the written ones, counted from 0

    /// Whether all of them are written, in their order.
    [[nodiscard]] bool is_whole() const;
};

/// Whether the format of `output`'s name can hold several parts, and the file of which `image` is a part has the same
/// format.
[[nodiscard]] bool holds_parts(const std::filesystem::path& output, const Image& image);

class PartsWriter {
public:
    /// Begins a file of these parts; holds_parts() must be true. Each part is as from write_image() or RowWriter.
    /// Frames keep their durations, and animations their repetitions. Texts that count a file's images are corrected or
    /// left out. Throws InputError as write_image() does.
    PartsWriter(const std::filesystem::path& path, const std::vector<PartToWrite>& parts, const PartsSource& source);
    /// Without finish(), nothing is left of the file.
    ~PartsWriter();
    PartsWriter(const PartsWriter&) = delete;
    PartsWriter& operator=(const PartsWriter&) = delete;

    /// Whether a text that counted the images was left out because it could not be corrected.
    [[nodiscard]] bool has_lost_description() const;

    /// Writes the next part. Throws InputError.
    void write(const Image& part);
    /// Writes the next part by rows, of the type of its header's samples. finish() of the returned object ends it.
    [[nodiscard]] std::unique_ptr<RowSink> rows();

    /// Completes the file, which now appears under its name. Throws InputError.
    void finish();

private:
    struct State;
    class PartRows;
    std::unique_ptr<State> state_;
};

}  // namespace clconv
