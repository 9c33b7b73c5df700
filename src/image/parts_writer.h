// Writes a file of several parts: pages of a TIFF, parts of an OpenEXR file, frames of a GIF.
#pragma once

#include "image/image_file.h"
#include "image/row_sink.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace clconv {

/// A part as it will be written.
struct PartToWrite {
    Image header;  ///< without samples; its metadata are those of the part of the input
    WriteOptions options = {};
    bool by_rows = false;  ///< by rows(), not at once
};

/// What the parts come from.
struct PartsSource {
    std::filesystem::path path;
    int parts = 1;            ///< that it holds
    std::vector<int> chosen;  ///< those that are written, counted from 0

    /// Whether all of them are written, in their order.
    [[nodiscard]] bool is_whole() const;
};

/// Whether files of the format that `output`'s name chooses can hold several parts and the file at `input`, of which
/// `image` is a part, is of that format too.
[[nodiscard]] bool holds_parts(const std::filesystem::path& output, const Image& image);

class PartsWriter {
public:
    /// Begins a file of these parts, which holds_parts(). Each is as write_image() or RowWriter would make it alone.
    /// Frames keep how long they are shown, films how often they begin again; texts that count a file's images are made
    /// true or left out. Throws InputError as write_image() does.
    PartsWriter(const std::filesystem::path& path, const std::vector<PartToWrite>& parts, const PartsSource& source);
    /// Without finish(), nothing is left of the file.
    ~PartsWriter();
    PartsWriter(const PartsWriter&) = delete;
    PartsWriter& operator=(const PartsWriter&) = delete;

    /// Whether a text that counted the images was left out because nothing true could be made of it.
    [[nodiscard]] bool has_lost_description() const;

    /// The next part. Throws InputError.
    void write(const Image& part);
    /// The next part by rows, of the type of its header's samples; finish() of what is returned ends it.
    [[nodiscard]] std::unique_ptr<RowSink> rows();

    /// Completes the file, which now appears under its name. Throws InputError.
    void finish();

private:
    struct State;
    class PartRows;
    std::unique_ptr<State> state_;
};

}  // namespace clconv
