// SPDX-License-Identifier: Apache-2.0
#include "encoders/file_changes.h"

#include <gtest/gtest.h>

namespace clconv {
namespace {

using oiio::Numbers;
using oiio::StoredForm;

StoredForm form(const char* format, int bits)
{
    StoredForm made;
    made.format = format;
    made.bits = bits;
    made.colours = "RGB";
    return made;
}

std::vector<Warning> changes(const StoredForm& before, const StoredForm& after, const FormRequest& requested = {})
{
    return form_changes("in/a", before, "out/b", after, requested);
}

/// The kinds of the changes.
std::vector<WarningKind> kinds(const StoredForm& before, const StoredForm& after, const FormRequest& requested = {})
{
    std::vector<WarningKind> found;
    for (const Warning& change : changes(before, after, requested)) found.push_back(change.kind);
    return found;
}

using Kinds = std::vector<WarningKind>;

TEST(FileChanges, FilesThatSayTheSameHaveNone)
{
    StoredForm same = form("png", 16);
    same.tags = {"Exif", "text Author"};
    same.alpha = "straight";
    EXPECT_EQ(kinds(same, same), Kinds{});
}

TEST(FileChanges, ANarrowerSampleIsOneAndInAnotherFormatAWiderIsNone)
{
    EXPECT_EQ(kinds(form("png", 1), form("png", 8)), Kinds{WarningKind::bits});
    EXPECT_EQ(kinds(form("png", 16), form("targa", 8)), Kinds{WarningKind::bits});
    EXPECT_EQ(kinds(form("png", 1), form("targa", 8)), Kinds{});
    StoredForm half = form("openexr", 16);
    half.numbers = Numbers::floats;
    EXPECT_EQ(kinds(form("png", 8), half), Kinds{});
    EXPECT_EQ(kinds(form("png", 16), half), Kinds{WarningKind::type});
    StoredForm is_signed = form("tiff", 16);
    is_signed.numbers = Numbers::signed_integers;
    EXPECT_EQ(kinds(is_signed, form("png", 16)), Kinds{WarningKind::type});
    EXPECT_EQ(kinds(form("png", 16), is_signed), Kinds{WarningKind::type});
}

TEST(FileChanges, FloatsWithSharedExponentsHoldOnlyTheirLike)
{
    StoredForm radiance = form("hdr", 8);
    radiance.numbers = Numbers::floats;
    radiance.shares_exponents = true;
    StoredForm floats = form("tiff", 32);
    floats.numbers = Numbers::floats;
    StoredForm halves = form("openexr", 16);
    halves.numbers = Numbers::floats;
    EXPECT_EQ(kinds(floats, radiance), Kinds{WarningKind::bits});
    EXPECT_EQ(kinds(form("png", 8), radiance), Kinds{WarningKind::type});
    EXPECT_EQ(kinds(radiance, radiance), Kinds{});
    EXPECT_EQ(kinds(radiance, floats), Kinds{});
    EXPECT_EQ(kinds(radiance, halves), Kinds{WarningKind::bits});
}

TEST(FileChanges, RequestedChangesHaveNoWarnings)
{
    StoredForm before = form("webp", 16);
    before.tags = {"Exif"};
    StoredForm after = form("webp", 8);
    after.is_lossy = true;
    after.codec = "lossy WebP";
    EXPECT_EQ(kinds(before, after), (Kinds{WarningKind::compression, WarningKind::bits, WarningKind::tags}));
    EXPECT_EQ(kinds(before, after, {SampleType::u8, true, true}), Kinds{});
}

TEST(FileChanges, ALargestCodeMayGrowInAnotherFormatAlone)
{
    StoredForm ten = form("pnm", 16);
    ten.largest = 1023;
    StoredForm all = form("pnm", 16);
    all.largest = 65535;
    EXPECT_EQ(kinds(ten, form("png", 16)), Kinds{});
    EXPECT_EQ(kinds(ten, all), Kinds{WarningKind::range});
    const std::vector<Warning> found = changes(all, ten);
    ASSERT_EQ(found.size(), 1);
    EXPECT_EQ(found[0].kind, WarningKind::range);
    EXPECT_EQ(found[0].from, "65535");
    EXPECT_EQ(found[0].to, "1023");
    EXPECT_EQ(kinds(form("png", 16), ten), Kinds{WarningKind::range});
}

TEST(FileChanges, ColoursThatAreShownOtherwiseAreOne)
{
    StoredForm gray = form("tiff", 8);
    gray.colours = "gray";
    StoredForm negative = gray;
    negative.colours = "white is zero";
    StoredForm palette = gray;
    palette.colours = "palette";
    StoredForm unknown = gray;
    unknown.colours = "";
    EXPECT_EQ(kinds(negative, gray), Kinds{WarningKind::photometric});
    EXPECT_EQ(kinds(gray, negative), Kinds{WarningKind::photometric});
    EXPECT_EQ(kinds(form("tiff", 8), palette), Kinds{WarningKind::photometric});
    EXPECT_EQ(kinds(palette, form("png", 8)), Kinds{});
    StoredForm ycbcr = gray;
    ycbcr.colours = "YCbCr";
    EXPECT_EQ(kinds(ycbcr, form("tiff", 8)), Kinds{WarningKind::photometric});
    EXPECT_EQ(kinds(ycbcr, form("png", 8)), Kinds{});
    EXPECT_EQ(kinds(palette, form("tiff", 8)), Kinds{WarningKind::photometric});
    EXPECT_EQ(kinds(gray, form("webp", 8)), Kinds{});
    EXPECT_EQ(kinds(negative, unknown), Kinds{});
}

TEST(FileChanges, AlphaThatIsLostOrMultipliedInIsOneInAnyFormat)
{
    StoredForm straight;
    straight.alpha = "straight";
    StoredForm associated;
    associated.alpha = "associated";
    EXPECT_EQ(kinds(straight, associated), Kinds{WarningKind::alpha});
    EXPECT_EQ(kinds(straight, {}), Kinds{WarningKind::alpha});
    EXPECT_EQ(kinds(associated, {}), Kinds{WarningKind::alpha});
    EXPECT_EQ(kinds(associated, straight), Kinds{});
    EXPECT_EQ(kinds({}, straight), Kinds{});
    StoredForm unspecified;
    unspecified.alpha = oiio::kUnspecifiedAlpha;
    EXPECT_EQ(kinds(unspecified, straight), Kinds{WarningKind::alpha});
    EXPECT_EQ(kinds(unspecified, associated), Kinds{});
    EXPECT_EQ(kinds(unspecified, unspecified), Kinds{});
}

TEST(FileChanges, ALossyCodecIsOneUnlessTheFormatHasNoOther)
{
    StoredForm lossless = form("webp", 8);
    lossless.codec = "lossless WebP";
    StoredForm lossy = lossless;
    lossy.codec = "lossy WebP";
    lossy.is_lossy = true;
    lossy.chroma = 0.25;
    StoredForm jpeg = form("jpeg", 8);
    jpeg.codec = "JPEG";
    jpeg.is_lossy = true;
    StoredForm fine = jpeg;
    jpeg.chroma = 0.25;
    EXPECT_EQ(kinds(lossless, lossy), Kinds{WarningKind::compression});
    EXPECT_EQ(kinds(form("png", 8), lossy), Kinds{WarningKind::compression});
    EXPECT_EQ(kinds(lossy, lossless), Kinds{});
    EXPECT_EQ(kinds(form("png", 8), jpeg), Kinds{});
    EXPECT_EQ(kinds(fine, jpeg), Kinds{WarningKind::compression});
    EXPECT_EQ(kinds(jpeg, fine), Kinds{});
    EXPECT_EQ(kinds({}, lossy), Kinds{WarningKind::compression}) << "of a format that is not known";
    EXPECT_EQ(kinds({}, jpeg), Kinds{});
}

TEST(FileChanges, OrderAndOrientationAreTwo)
{
    StoredForm before = form("hdr", 8);
    before.order = "+Y +X";
    StoredForm after = before;
    after.order = "-Y +X";
    EXPECT_EQ(kinds(before, after), Kinds{WarningKind::order});
    before = form("jpeg", 8);
    before.orientation = 6;
    EXPECT_EQ(kinds(before, form("bmp", 8)), Kinds{WarningKind::order});
}

TEST(FileChanges, MetadataThatAnotherFormatLacksIsOneByPeoplesNames)
{
    StoredForm before = form("png", 8);
    before.tags = {"Exif", "XMP", "text Author"};
    StoredForm png = form("png", 8);
    png.tags = {"Exif"};
    const std::vector<Warning> within = changes(before, png);
    ASSERT_EQ(within.size(), 1);
    EXPECT_EQ(within[0].from, "XMP, text Author");
    const std::vector<Warning> across = changes(before, form("bmp", 8));
    ASSERT_EQ(across.size(), 1);
    EXPECT_EQ(across[0].from, "Exif, XMP, author");
    EXPECT_NE(across[0].message.find("in/a"), std::string::npos);
    EXPECT_NE(across[0].message.find("out/b"), std::string::npos);
}

TEST(FileChanges, MetadataThatAnotherFormatHoldsByItsOwnNameStay)
{
    StoredForm exr = form("openexr", 16);
    exr.tags = {"owner", "comments", "capDate", "worldToCamera", "Software"};
    StoredForm png = form("png", 16);
    png.tags = {"text Copyright", "text Description", "tIME"};
    exr.numbers = Numbers::floats;
    png.numbers = Numbers::floats;
    const std::vector<Warning> lost = changes(exr, png);
    ASSERT_EQ(lost.size(), 1);
    EXPECT_EQ(lost[0].from, "worldToCamera") << "which program wrote the file is no loss";
}

TEST(FileChanges, WhatExifHeldIsLostWithIt)
{
    StoredForm jpeg = form("jpeg", 8);
    jpeg.tags = {"Exif", "ImageDescription", "Artist"};
    jpeg.exif_tags = {"Exif", "ImageDescription"};
    const std::vector<Warning> lost = changes(jpeg, form("bmp", 8));
    ASSERT_EQ(lost.size(), 1);
    EXPECT_EQ(lost[0].from, "Exif, author");
    StoredForm tiff = form("tiff", 8);
    tiff.tags = {"Exif"};
    const std::vector<Warning> kept = changes(jpeg, tiff);
    ASSERT_EQ(kept.size(), 1);
    EXPECT_EQ(kept[0].from, "author, description");
}

TEST(FileChanges, LightThatIsTakenForCodesIsOneUnlessItIsEncoded)
{
    StoredForm light = form("openexr", 16);
    light.numbers = Numbers::floats;
    light.curve = "light";
    StoredForm linear = form("png", 8);
    linear.curve = "linear";
    EXPECT_EQ(kinds(light, form("jpeg", 8)), (Kinds{WarningKind::type, WarningKind::colour}));
    EXPECT_EQ(kinds(light, form("jpeg", 8), {.light = true}), Kinds{WarningKind::type});
    EXPECT_EQ(kinds(light, linear), Kinds{WarningKind::type}) << "it says that it is light";
    EXPECT_EQ(kinds(form("jpeg", 8), light), Kinds{}) << "codes stay codes until --linear asks for light";
}

TEST(FileChanges, ACurveThatAnotherFormatDoesNotStateIsOne)
{
    StoredForm png = form("png", 8);
    png.curve = "gamma 1.8";
    EXPECT_EQ(kinds(png, form("jpeg", 8)), Kinds{WarningKind::colour});
    StoredForm with_profile = form("jpeg", 8);
    with_profile.has_profile = true;
    EXPECT_EQ(kinds(png, with_profile), Kinds{});
    png.curve = "sRGB";
    EXPECT_EQ(kinds(png, form("jpeg", 8)), Kinds{});
}

TEST(FileChanges, AWindowAndAnAspectThatAnotherFormatDoesNotStateAreTwo)
{
    StoredForm exr = form("openexr", 8);
    exr.window = "36x20 at 10, 6 of 100x50 at 0, 0";
    exr.aspect = 2;
    EXPECT_EQ(kinds(exr, form("targa", 8)), (Kinds{WarningKind::window, WarningKind::tags}));
    StoredForm moved = form("tiff", 8);
    moved.window = "at 10, 6";
    moved.aspect = 2;
    EXPECT_EQ(kinds(exr, moved), Kinds{});
    exr.has_frame = true;
    EXPECT_EQ(kinds(exr, moved), Kinds{WarningKind::window});
    moved.has_frame = true;
    EXPECT_EQ(kinds(exr, moved), Kinds{});
}

TEST(FileChanges, SeveralImagesOfWhichOneIsWrittenAreOne)
{
    StoredForm before = form("ico", 8);
    before.images = 3;
    EXPECT_EQ(kinds(before, form("ico", 8)), Kinds{WarningKind::parts});
}

TEST(FileChanges, AFileOfFewerBitsHasAnotherTypeThanBelieved)
{
    EXPECT_EQ(true_type(form("targa", 8), FileType::u16), FileType::u8);
    EXPECT_EQ(true_type(form("png", 16), FileType::u16), FileType::u16);
    EXPECT_EQ(true_type({}, FileType::u16), FileType::u16);
}

}  // namespace
}  // namespace clconv
