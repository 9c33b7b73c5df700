// SPDX-License-Identifier: Apache-2.0
// Files are decoded some rows at a time: their samples are those that the library gives when it reads all at
// once.
#include "codecs/row_reader.h"
#include "test_files.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <random>

namespace clconv::testing {
namespace {

using OIIO::ImageSpec;
using OIIO::TypeDesc;

struct Stored {
    const char* name;
    const char* extension;
    TypeDesc::BASETYPE type;
    std::function<void(ImageSpec&)> change = [](ImageSpec& /*header*/) {};
};

void PrintTo(const Stored& stored, std::ostream* out) { *out << stored.name; }

void set_tiles(ImageSpec& header) { header.tile_width = header.tile_height = 64; }

void set_strips(ImageSpec& header)
{
    header.attribute("tiff:RowsPerStrip", 7);
    header.attribute("compression", "zip");
}

void set_one_strip(ImageSpec& header) { header.attribute("tiff:RowsPerStrip", header.height); }

/// Every step of decoding leaves a row over at the end.
void set_row_over(ImageSpec& header)
{
    header.attribute("tiff:RowsPerStrip", 32);
    header.height = header.full_height = 32 * 40 + 1;
}

/// A strip a row, rows of more than is decoded at a time.
void set_long_rows(ImageSpec& header)
{
    header.attribute("tiff:RowsPerStrip", 1);
    header.width = header.full_width = 45001;
    header.height = header.full_height = 7;
}

void set_origin(ImageSpec& header)
{
    header.x = 5;
    header.y = -13;
}

void set_mixed_types(ImageSpec& header) { header.channelformats = {TypeDesc::HALF, TypeDesc::FLOAT, TypeDesc::HALF}; }

/// Too large to be decoded in one go, of a height that no step divides.
const ImageSpec kHeader(701, 1303, 3, TypeDesc::UINT8);

/// Random bytes. After a prime number of them they repeat, because making them would take longer than decoding them.
std::vector<unsigned char> noise(std::size_t count)
{
    std::mt19937 random(7);
    std::vector<unsigned char> block(65521);
    for (unsigned char& sample : block) sample = static_cast<unsigned char>(random() >> 24U);
    std::vector<unsigned char> samples(count);
    for (std::size_t first = 0; first < count; first += block.size())
        std::copy_n(block.begin(), std::min(block.size(), count - first),
                    samples.begin() + static_cast<std::ptrdiff_t>(first));
    return samples;
}

std::vector<float> by_the_library(const std::filesystem::path& file)
{
    const auto input = OIIO::ImageInput::open(file.string());
    const std::size_t count = input->spec().image_pixels() * static_cast<std::size_t>(input->spec().nchannels);
    if (input->spec().format == TypeDesc::UINT32) {  // as floats, the library gives fractions
        std::vector<std::uint32_t> whole(count);
        EXPECT_TRUE(input->read_image(0, 0, 0, -1, TypeDesc::UINT32, whole.data()));
        return {whole.begin(), whole.end()};
    }
    std::vector<float> samples(count);
    EXPECT_TRUE(input->read_image(0, 0, 0, -1, TypeDesc::FLOAT, samples.data()));
    return samples;
}

class DecodedByRows : public ImageFile, public ::testing::WithParamInterface<Stored> {
protected:
    std::filesystem::path stored() const
    {
        ImageSpec header = kHeader;
        header.set_format(GetParam().type);
        GetParam().change(header);
        auto file = path(std::string("picture.") + GetParam().extension);
        write_with_library(file, header, noise(header.image_pixels() * static_cast<std::size_t>(header.nchannels)));
        return file;
    }
};

Image read_in_bands(const std::filesystem::path& file)
{
    RowReader reader(file, Light::stored);
    Image image = without_samples(reader.header());
    image.samples = Bytes(image.view().bytes());
    const std::size_t row = image.samples.size() / static_cast<std::size_t>(image.extent.height);
    constexpr int band = 100;
    for (int first = 0; first < image.extent.height; first += band)
        reader.read(first, std::min(band, image.extent.height - first),
                    image.samples.data() + static_cast<std::size_t>(first) * row);
    return image;
}

/// Both from one file, because writing it takes longer than reading it.
TEST_P(DecodedByRows, GivesTheLibrarysSamplesAtOnceAndInBands)
{
    const auto file = stored();
    const std::vector<float> expected = by_the_library(file);
    EXPECT_TRUE(values(read_image(file)) == expected);
    EXPECT_TRUE(values(read_in_bands(file)) == expected) << "in bands";
}

INSTANTIATE_TEST_SUITE_P(
    Files, DecodedByRows,
    ::testing::Values(Stored{"PngU8", "png", TypeDesc::UINT8}, Stored{"PngU16", "png", TypeDesc::UINT16},
                      Stored{"Jpeg", "jpg", TypeDesc::UINT8}, Stored{"TiffU8", "tif", TypeDesc::UINT8},
                      Stored{"TiffStrips", "tif", TypeDesc::UINT16, set_strips},
                      Stored{"TiffOneStrip", "tif", TypeDesc::UINT8, set_one_strip},
                      Stored{"TiffTiles", "tif", TypeDesc::UINT8, set_tiles},
                      Stored{"TiffU32", "tif", TypeDesc::UINT32}, Stored{"TiffDouble", "tif", TypeDesc::DOUBLE},
                      Stored{"TiffDoubleRowOver", "tif", TypeDesc::DOUBLE, set_row_over},
                      Stored{"TiffDoubleLongRows", "tif", TypeDesc::DOUBLE, set_long_rows},
                      Stored{"ExrHalf", "exr", TypeDesc::HALF},
                      Stored{"ExrFloatElsewhere", "exr", TypeDesc::FLOAT, set_origin},
                      Stored{"ExrMixed", "exr", TypeDesc::HALF, set_mixed_types},
                      Stored{"ExrTiles", "exr", TypeDesc::HALF, set_tiles}, Stored{"Targa", "tga", TypeDesc::UINT8}),
    [](const auto& of) { return std::string(of.param.name); });

}  // namespace
}  // namespace clconv::testing
