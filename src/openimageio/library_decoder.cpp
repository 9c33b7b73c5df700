// SPDX-License-Identifier: Apache-2.0
#include "openimageio/library_decoder.h"

#include "openimageio/conversions.h"

#include <string>
#include <string_view>
#include <utility>

namespace clconv::oiio {
namespace {

/// The header without what the library's reader of TIFF (2.4) makes of a lens (Exif's LensSpecification, four numbers):
/// one float, which is half of an address. Its writer crashes when it hands such a float to libtiff, and other files
/// would differ from run to run. clconv copies the tag of a TIFF itself (formats/tiff_tags.h).
FileHeader header_read(const OIIO::ImageSpec& spec)
{
    constexpr const char* lens = "Exif:LensSpecification";
    constexpr std::size_t numbers = 4;
    FileHeader header = header_of(spec);
    const OIIO::ParamValue* const found = header.find_attribute(lens);
    if (found != nullptr && found->type().basevalues() != numbers) header.erase_attribute(lens);
    return header;
}

class LibraryDecoder final : public Decoder {
public:
    explicit LibraryDecoder(std::unique_ptr<OIIO::ImageInput> input)
        : input_(std::move(input)), header_(header_read(input_->spec()))
    {
        input_->threads(1);
    }

    [[nodiscard]] std::string_view format() const override { return input_->format_name(); }
    [[nodiscard]] const FileHeader& header() const override { return header_; }
    [[nodiscard]] int part() const override { return input_->current_subimage(); }
    [[nodiscard]] int level() const override { return input_->current_miplevel(); }

    bool seek(int part, int level) override
    {
        // The GIF reader draws a frame onto the one that it was at. After a jump, what the frames between draw would be
        // missing.
        if (format() == "gif" && part < this->part() && !input_->seek_subimage(0, 0)) return false;
        for (int between = this->part() + 1; format() == "gif" && between < part; ++between)
            if (!input_->seek_subimage(between, 0)) return false;
        if (!input_->seek_subimage(part, level)) return false;
        header_ = header_read(input_->spec());
        return true;
    }

    int stated_parts() override { return input_->spec(0).get_int_attribute("oiio:subimages"); }

    bool read_rows(RowRange rows, OIIO::TypeDesc type, std::byte* samples) override
    {
        return input_->read_scanlines(part(), level(), header_.y + rows.begin, header_.y + rows.end, header_.z, 0,
                                      header_.nchannels, type, samples);
    }

    bool read_tile_rows(RowRange rows, OIIO::TypeDesc type, std::byte* samples) override
    {
        const FileHeader& h = header_;
        return input_->read_tiles(part(), level(), h.x, h.x + h.width, h.y + rows.begin, h.y + rows.end, h.z, h.z + 1,
                                  0, h.nchannels, type, samples);
    }

    bool read_image(OIIO::TypeDesc type, std::byte* samples) override
    {
        return input_->read_image(part(), level(), 0, header_.nchannels, type, samples);
    }

    [[nodiscard]] bool has_error() const override { return input_->has_error(); }
    std::string take_error() override { return input_->geterror(); }
    void add_error(const std::string& line) override { input_->errorfmt("{}", line); }

private:
    std::unique_ptr<OIIO::ImageInput> input_;
    FileHeader header_;
};

}  // namespace

std::unique_ptr<Decoder> make_decoder(std::unique_ptr<OIIO::ImageInput> input)
{
    return std::make_unique<LibraryDecoder>(std::move(input));
}

}  // namespace clconv::oiio
