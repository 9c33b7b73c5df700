// SPDX-License-Identifier: Apache-2.0
#include "codecs/psf_file.h"
#include "encoders/write_image.h"
#include "test_files.h"

#include <fstream>

namespace clconv::testing {
namespace {

using ::testing::DoubleEq;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pointwise;

Psf read_psf(const std::filesystem::path& path) { return read_psf_file(path).psf; }

TEST_F(ImageFile, APsfIsReadFromIntegersAsZeroToOnePlaneByPlane)
{
    write_with_library(path("spot.png"), OIIO::ImageSpec(2, 1, 3, OIIO::TypeDesc::UINT8), {0, 51, 102, 153, 204, 255});
    const Psf psf = read_psf(path("spot.png"));
    EXPECT_EQ(psf.name, "spot");
    EXPECT_EQ(psf.extent, (Extent{2, 1}));
    EXPECT_EQ(psf.channels, 3);
    EXPECT_EQ(psf.origin, (Position{0, 0}));
    EXPECT_THAT(psf.weights, Pointwise(DoubleNear(1e-7), {0.0, 0.6, 0.2, 0.8, 0.4, 1.0}));
}

TEST_F(ImageFile, APsfsAlphaIsDroppedAndItsColoursAreTakenAsStored)
{
    OIIO::ImageSpec header(1, 1, 2, OIIO::TypeDesc::UINT8);
    header.attribute("oiio:UnassociatedAlpha", 1);
    write_with_library(path("spot.png"), header, {255, 51});
    const Psf psf = read_psf(path("spot.png"));
    EXPECT_EQ(psf.channels, 1);
    EXPECT_THAT(psf.weights, ElementsAre(DoubleEq(1.0)));
}

TEST_F(ImageFile, APsfOfFloatsKeepsNegativeAndLargeWeights)
{
    Image image = test_image({2, 1}, 1, SampleType::float32);
    image.samples.as<float>()[0] = -3.5F;
    image.samples.as<float>()[1] = 1000.0F;
    write_image(path("sharpen.tif"), image);
    EXPECT_THAT(read_psf(path("sharpen.tif")).weights, ElementsAre(-3.5, 1000.0));
}

TEST_F(ImageFile, TextPsfsAreKnownByTheirContentWhateverTheirExtension)
{
    for (const char* name : {"blur.txt", "blur.psf", "blur.CSV", "blur.dat"}) {
        std::ofstream(path(name)) << "# box\n1, 2\n3, 4\n";
        const Psf psf = read_psf(path(name));
        EXPECT_EQ(psf.name, "blur");
        EXPECT_THAT(psf.weights, ElementsAre(1, 2, 3, 4));
    }
}

TEST_F(ImageFile, APsfThatNoImageFormatClaimsIsReadAsText)
{
    std::ofstream(path("blur.kernel")) << "1 2 1\n";
    EXPECT_EQ(read_psf(path("blur.kernel")).extent, (Extent{3, 1}));
    std::ofstream(path("blur")) << "1 2 1\n";
    EXPECT_EQ(read_psf(path("blur")).extent, (Extent{3, 1}));
}

TEST_F(ImageFile, ErrorsInATextPsfNameFileAndLine)
{
    std::ofstream(path("bad.txt")) << "1 2\n3 x\n";
    EXPECT_THAT(input_error([&] { static_cast<void>(read_psf(path("bad.txt"))); }), HasSubstr("bad.txt:2: 'x'"));
}

TEST_F(ImageFile, AMissingPsfIsNamed)
{
    for (const char* name : {"gone.txt", "gone.png", "gone"})
        EXPECT_THAT(input_error([&] { static_cast<void>(read_psf(path(name))); }),
                    HasSubstr(std::string(name) + ": cannot be read: No such file"));
}

}  // namespace
}  // namespace clconv::testing
