// SPDX-License-Identifier: Apache-2.0
#include "batch/result_header.h"

#include "base/message.h"
#include "image/image.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace clconv {
namespace {

/// A header of which every field but metadata, which only a reader can make, differs from its default.
ImageHeader full_header()
{
    ImageHeader header;
    header.extent = {20, 30};
    header.channels = 4;
    header.alpha_channel = 3;
    header.type = SampleType::u16;
    header.stored_type = FileType::i16;
    header.straight_alpha = true;
    header.light = Light::srgb;
    header.transfer =
        std::make_shared<const Transfer>(Transfer{"name", Transfer::Tag::gamma, Transfer::Shape::srgb, 2, 3});
    header.says_linear = true;
    header.orientation = 6;
    header.place = {1, 2};
    header.subimages = 7;
    header.parts = {2, 5};
    header.has_levels = true;
    header.overflowed = 8;
    header.damage = "damage";
    header.lost_description = true;
    header.warnings = {"warning"};
    header.split = std::make_shared<const ChannelSplit>(
        ChannelSplit{{20, 30}, {"R", "Z"}, {FileType::u8, FileType::half}, {0}, {1}, 1, true});
    header.keeps_alpha = true;
    header.layers = {{Colour::green, 1}};
    header.nodata = Nodata{-9999, FileType::i16, true, "-9999"};
    header.has_nonfinite = true;
    return header;
}

/// Whether two values are equal; what shared pointers point to counts, not where.
template <class Value>
bool is_equal(const Value& a, const Value& b)
{
    MessageWriter one;
    MessageWriter other;
    one.put(a);
    other.put(b);
    return one.bytes() == other.bytes();
}

/// For each field, in the order of the list, whether it differs.
std::vector<bool> differences(const ImageHeader& a, const ImageHeader& b)
{
    std::vector<bool> found;
    std::apply(
        [&](const auto&... of_a) {
            std::apply([&](const auto&... of_b) { (found.push_back(!is_equal(of_a, of_b)), ...); }, fields_of(b));
        },
        fields_of(a));
    return found;
}

std::size_t number_of(const ImageHeader& header, const void* member)
{
    const std::vector<const void*> members =
        std::apply([](const auto&... each) { return std::vector<const void*>{&each...}; }, fields_of(header));
    return static_cast<std::size_t>(std::ranges::find(members, member) - members.begin());
}

TEST(ImageHeaders, TheTestsHeaderHasNoFieldOfItsDefaultValue)
{
    const ImageHeader header = full_header();
    std::vector<bool> expected(std::tuple_size_v<decltype(fields_of(header))>, true);
    expected[number_of(header, &header.metadata)] = false;
    EXPECT_EQ(differences(header, ImageHeader{}), expected);
}

TEST(ImageHeaders, AllFieldsButMetadataReachAnotherProcess)
{
    const ImageHeader header = full_header();
    MessageWriter writer;
    writer.put(header);
    const auto again = MessageReader(writer.bytes()).take<ImageHeader>();
    EXPECT_EQ(differences(header, again), std::vector<bool>(differences(header, again).size(), false));
    EXPECT_EQ(again.split->names, header.split->names);
    EXPECT_EQ(again.transfer->gamma, 2);
    EXPECT_EQ(again.layers, header.layers);
}

TEST(ImageHeaders, AnImageWithoutSamplesHasAllFieldsOfItsHeader)
{
    Image image;
    static_cast<ImageHeader&>(image) = full_header();
    image.samples = Bytes(16);
    const Image header = without_samples(image);
    EXPECT_EQ(differences(header, image), std::vector<bool>(differences(header, image).size(), false));
    EXPECT_EQ(header.samples.size(), 0);
}

TEST(ResultHeaders, KeepTheInputsFieldsExceptThoseOfTheResultItself)
{
    const ImageHeader input = full_header();
    Problem problem;
    problem.image = input.extent;
    problem.psf = {3, 5};
    problem.origin = {1, 2};
    problem.mode = Mode::full;
    const ImageHeader result = result_header(input, problem, {SampleType::float32, FileType::float64, Light::linear});
    EXPECT_EQ(result.extent, (Extent{22, 34}));
    EXPECT_EQ(result.place, (Position{-1, -2}));
    EXPECT_EQ(result.type, SampleType::float32);
    EXPECT_EQ(result.stored_type, FileType::float64);
    EXPECT_EQ(result.light, Light::linear);
    EXPECT_EQ(result.overflowed, 0);
    EXPECT_EQ(result.damage, "");
    EXPECT_TRUE(result.warnings.empty());

    std::vector<bool> expected(differences(result, input).size(), false);
    for (const void* own : {static_cast<const void*>(&input.extent), static_cast<const void*>(&input.place),
                            static_cast<const void*>(&input.type), static_cast<const void*>(&input.stored_type),
                            static_cast<const void*>(&input.light), static_cast<const void*>(&input.overflowed),
                            static_cast<const void*>(&input.damage), static_cast<const void*>(&input.warnings)})
        expected[number_of(input, own)] = true;
    EXPECT_EQ(differences(result, input), expected);
}

TEST(ResultHeaders, CodesThatTheDeviceDecodesAreStoredAgain)
{
    ImageHeader input = full_header();
    Problem problem;
    problem.image = input.extent;
    EXPECT_EQ(result_header(input, problem, samples_of(input)).light, Light::stored);
}

}  // namespace
}  // namespace clconv
