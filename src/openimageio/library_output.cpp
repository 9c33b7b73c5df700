// SPDX-License-Identifier: Apache-2.0
#include "openimageio/library_output.h"

#include "openimageio/conversions.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace clconv::oiio {
namespace {

class LibraryOutput final : public ImageOutput {
public:
    explicit LibraryOutput(std::unique_ptr<OIIO::ImageOutput> output) : output_(std::move(output))
    {
        output_->threads(1);
    }

    [[nodiscard]] std::string_view format() const override { return output_->format_name(); }
    [[nodiscard]] bool takes_stream() const override { return output_->supports("ioproxy") != 0; }
    [[nodiscard]] bool takes_tiles() const override { return output_->supports("tiles") != 0; }
    [[nodiscard]] const FileHeader& header() const override { return header_; }

    bool open(const std::string& name, const std::vector<FileHeader>& headers) override
    {
        if (stream() != nullptr) output_->set_ioproxy(stream());
        std::vector<OIIO::ImageSpec> specs;
        std::ranges::transform(headers, std::back_inserter(specs), spec_of);
        const bool opened = specs.size() == 1 ? output_->open(name, specs.front())
                                              : output_->open(name, static_cast<int>(specs.size()), specs.data());
        return noted(opened);
    }

    bool open_next(const std::string& name, const FileHeader& header) override
    {
        return noted(output_->open(name, spec_of(header), OIIO::ImageOutput::AppendSubimage));
    }

    bool write_rows(RowRange rows, OIIO::TypeDesc type, const std::byte* samples) override
    {
        return output_->write_scanlines(header_.y + rows.begin, header_.y + rows.end, header_.z, type, samples);
    }

    bool write_image(OIIO::TypeDesc type, const std::byte* samples) override
    {
        return output_->write_image(type, samples);
    }

    bool write_tile(int x, int y, OIIO::TypeDesc type, const std::byte* samples) override
    {
        return output_->write_tile(header_.x + x, header_.y + y, header_.z, type, samples);
    }

    bool write_tile_rows(RowRange rows, OIIO::TypeDesc type, const std::byte* samples) override
    {
        return output_->write_tiles(header_.x, header_.x + header_.width, header_.y + rows.begin, header_.y + rows.end,
                                    header_.z, header_.z + 1, type, samples);
    }

    bool close() override { return output_->close(); }
    std::string take_error() override { return output_->geterror(); }

private:
    bool noted(bool opened)
    {
        header_ = header_of(output_->spec());
        return opened;
    }

    std::unique_ptr<OIIO::ImageOutput> output_;
    FileHeader header_;
};

}  // namespace

std::unique_ptr<ImageOutput> make_output(std::unique_ptr<OIIO::ImageOutput> output)
{
    return std::make_unique<LibraryOutput>(std::move(output));
}

}  // namespace clconv::oiio
