// SPDX-License-Identifier: Apache-2.0
// Which parts of an image go into a file, and how its rows are encoded. Private to src/encoders.
#pragma once

#include "codecs/file_formats.h"
#include "codecs/image_output.h"
#include "encoders/encoded_samples.h"
#include "encoders/merged_rows.h"
#include "encoders/output_header.h"
#include "image/image.h"
#include "image/write_options.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

namespace clconv::oiio {

class WrittenImage {
public:
    /// `given`: with or without samples, which are not kept. Throws InputError if the format cannot hold it.
    WrittenImage(const std::filesystem::path& path, const FileFormat& format, const Image& given,
                 const WriteOptions& options);

    /// The image as given, without samples.
    [[nodiscard]] const Image& given() const { return given_; }
    /// The image that is written, without samples. Without a split if its copied channels are completed.
    [[nodiscard]] const Image& image() const { return image_; }
    [[nodiscard]] FileType type() const { return encoding_.type; }
    /// Whether the file's codes are of another transfer function than the input's.
    [[nodiscard]] bool is_recoded() const { return encoding_.transfer && encoding_.transfer != image_.transfer; }
    /// What the samples of a TIFF mean, if the library's writer does not say so.
    [[nodiscard]] SampleMeaning meaning() const;
    [[nodiscard]] FileHeader header(const WriteOptions& options) const;
    /// Which writer makes the file, if its format has two.
    [[nodiscard]] Writer writer() const;
    /// The header of a file that holds this image alone. Texts of microscopes and of tifffile state its true size and
    /// type.
    [[nodiscard]] FileHeader header_alone(const WriteOptions& options) const;

    /// Encodes `rows` of the given image, from output row `first_row` on, and passes them to `write`. `kept`: the
    /// copied channels of an image with a split.
    void encode(const ImageView& rows, int first_row, const KeptRows& kept,
                const std::function<void(const std::byte*)>& write) const;

    /// The kept rows at `kept`, as whole rows, from output row `first_row` on.
    [[nodiscard]] KeptRows kept_rows_at(const std::byte* kept, int first_row) const;

private:
    const FileFormat& format_;
    Image given_;
    std::optional<Merge> merge_;
    Image image_;
    FileEncoding encoding_;
};

}  // namespace clconv::oiio
