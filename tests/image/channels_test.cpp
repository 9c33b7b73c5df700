// SPDX-License-Identifier: Apache-2.0
// Which channels a list names, and what names of channels tell.
#include "base/errors.h"
#include "image/channel_kinds.h"
#include "image/channel_rule.h"
#include "image/kept_channels.h"

#include <gmock/gmock.h>

#include <array>

namespace clconv {
namespace {

using testing::ElementsAre;

std::vector<std::string> texts_of(const ChannelRule& rule)
{
    std::vector<std::string> texts;
    for (const ChannelPattern& pattern : rule.patterns) texts.push_back(pattern.text());
    return texts;
}

TEST(ChannelRule, IsTheDefaultForAnEmptyText) { EXPECT_EQ(parse_channels("").kind, ChannelRule::Kind::by_default); }

TEST(ChannelRule, PartsAListAtCommasButNotWithinExpressions)
{
    EXPECT_THAT(texts_of(parse_channels("R,diffuse.*,/^Z{1,2}$/,/a,b/,G")),
                ElementsAre("R", "diffuse.*", "/^Z{1,2}$/", "/a,b/", "G"));
}

TEST(ChannelRule, RefusesListsThatMakeNoSense)
{
    for (const char* text : {",", "R,", ",R", "R,,G", "/", "//", "/R", "R,/[/"})
        EXPECT_THROW((void)parse_channels(text), InvalidProblem) << text;
}

TEST(ChannelRule, TakesANameLiterallyAGlobWhollyAndAnExpressionAnywhere)
{
    EXPECT_TRUE(ChannelPattern("a[0].R").matches("a[0].R"));
    EXPECT_FALSE(ChannelPattern("R").matches("r"));
    EXPECT_FALSE(ChannelPattern("R").matches("diffuse.R"));
    EXPECT_TRUE(ChannelPattern("*.R").matches("a/b.c.R"));
    EXPECT_FALSE(ChannelPattern("diff*.[RG]").matches("diffuse.B"));
    EXPECT_TRUE(ChannelPattern("/use/").matches("diffuse.B"));
    EXPECT_FALSE(ChannelPattern("/^use/").matches("diffuse.B"));
}

/// Whether a channel of this name, alone with X in the file, is copied by default.
bool is_kept(const std::string& name, const std::string& part = "")
{
    return is_copied_by_default({{"X", name}, part, {}}, 1);
}

TEST(ChannelKinds, KeepWhatIsNoPicture)
{
    for (const char* name : {"Z",
                             "depth",
                             "depth.Z",
                             "RenderLayer.Depth.Z",
                             "scene.Depth.left.Z",
                             "N",
                             "N.R",
                             "normal.X",
                             "Normals.B",
                             "WorldNormal.x",
                             "P.X",
                             "Position.Y",
                             "world_pos.Z",
                             "forward.u",
                             "motion.x",
                             "Velocity.R",
                             "RenderLayer.Vector.W",
                             "UV.U",
                             "id",
                             "ID",
                             "objectId",
                             "materialID",
                             "object_id.R",
                             "RenderLayer.IndexOB.X",
                             "matid.R",
                             "IDMask.R",
                             "crypto_object00.R",
                             "uCryptoMaterial01.a",
                             "cryptomatte.r",
                             "NX",
                             "__Nworld.r"})
        EXPECT_TRUE(is_kept(name)) << name;
}

TEST(ChannelKinds, ConvolveWhatOnlySoundsLikeIt)
{
    for (const char* name : {"R",
                             "G",
                             "B",
                             "A",
                             "Y",
                             "diffuse.R",
                             "grid.R",
                             "liquid.R",
                             "Idle.G",
                             "composition.R",
                             "depth_of_field.R",
                             "motion_blur.R",
                             "abnormal.R",
                             "normalized.R",
                             "encrypted.R",
                             "zone.R",
                             "channel4",
                             "Combined.R",
                             "RenderLayer.Noisy Image.R",
                             "exposition.R",
                             "particles.R",
                             "noise.V"})
        EXPECT_FALSE(is_kept(name)) << name;
}

TEST(ChannelKinds, KnowAPartByItsNameWhereChannelsHaveNoLayer)
{
    EXPECT_TRUE(is_kept("R", "depth"));
    EXPECT_FALSE(is_kept("R", "beauty"));
    EXPECT_FALSE(is_kept("diffuse.R", "depth"));
}

TEST(ChannelKinds, TakeCoordinatesForColoursUnlessTheirLayerSaysMore)
{
    EXPECT_FALSE(is_copied_by_default({{"X", "Y", "Z"}}, 2));
    EXPECT_TRUE(is_copied_by_default({{"Y", "Z"}}, 1));
    EXPECT_FALSE(is_copied_by_default({{"sun.X", "sun.Y", "sun.Z"}}, 2));
    EXPECT_TRUE(is_copied_by_default({{"X", "Y", "sun.Z"}}, 2));
    EXPECT_TRUE(is_copied_by_default({{"P.X", "P.Y", "P.Z"}}, 0));
    EXPECT_FALSE(is_copied_by_default({{"Y", "U", "V"}}, 1));
    EXPECT_TRUE(is_copied_by_default({{"R", "u", "v"}}, 1));
}

TEST(ChannelKinds, FollowCryptomatteMetadata)
{
    const ChannelNames names{{"mask00.R", "mask.R", "masked.R", "mask00"}, "", {"mask"}};
    EXPECT_TRUE(is_copied_by_default(names, 0));
    EXPECT_TRUE(is_copied_by_default(names, 1));
    EXPECT_FALSE(is_copied_by_default(names, 2));
    EXPECT_FALSE(is_copied_by_default(names, 3));
}

TEST(ChannelKinds, FindTheTripleOfEachLayer)
{
    using enum Colour;
    const std::vector<std::string> names{"R", "G", "B", "A", "a.red", "a.Green", "a.BLUE", "b.R", "b.G", "Z"};
    const LayerChannel other{none};
    EXPECT_THAT(layers_of(names),
                ElementsAre(LayerChannel{red, 0}, LayerChannel{green, 0}, LayerChannel{blue, 0}, LayerChannel{alpha},
                            LayerChannel{red, 1}, LayerChannel{green, 1}, LayerChannel{blue, 1}, other, other, other));
}

TEST(PixelCopy, MovesFieldsOfAnySizeBetweenLayouts)
{
    const std::array<std::uint8_t, 12> from{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    std::array<std::uint8_t, 8> to{};
    PixelCopy copy;
    copy.add({1, 0, 1});
    copy.add({2, 1, 2});  // joined with the one before
    copy.add({0, 3, 1});
    copy.copy(reinterpret_cast<const std::byte*>(from.data()), 6, reinterpret_cast<std::byte*>(to.data()), 4, 2);
    EXPECT_THAT(to, ElementsAre(2, 3, 4, 1, 8, 9, 10, 7));
}

}  // namespace
}  // namespace clconv
