// SPDX-License-Identifier: Apache-2.0
// Whether results may lie outside of an integer's range, so that they are counted.
#include "engine/clamped.h"

#include <gtest/gtest.h>

namespace clconv::test {
namespace {

/// Of an image of bytes, for a PSF of one weight.
bool may_clamp_bytes(const ConvolveSettings& settings, double weight)
{
    const ImageView image{.extent = {4, 4}, .channels = 1, .type = SampleType::u8};
    const PsfSupport support = support_of({"one", {1, 1}, 1, {0, 0}, {weight}});
    return may_clamp(image, support, settings, SampleType::u8);
}

TEST(MayClamp, WhereAConstantBorderLiesOutside)
{
    ConvolveSettings settings;
    settings.border = Border::constant;
    settings.border_value = {0.5};
    EXPECT_FALSE(may_clamp_bytes(settings, 1));
    settings.border_value = {-0.5};
    EXPECT_TRUE(may_clamp_bytes(settings, 1));
    settings.border_value = {1.5};
    EXPECT_TRUE(may_clamp_bytes(settings, 1));
}

TEST(MayClamp, WhereAMixTakesMoreOfTheImageThanItLeaves)
{
    ConvolveSettings settings;
    settings.blending.blend = Blend::sum;
    settings.blending.gain = {2};
    settings.blending.leave = 1;
    EXPECT_FALSE(may_clamp_bytes(settings, 0.25));
    settings.blending.leave = 2;
    EXPECT_TRUE(may_clamp_bytes(settings, 0.25));
}

TEST(MayClamp, WhereWeightsBelow0AreDividedByTheirSum)
{
    ConvolveSettings settings;
    settings.border = Border::renormalize;
    EXPECT_FALSE(may_clamp_bytes(settings, 3));
    EXPECT_TRUE(may_clamp_bytes(settings, -1));
}

}  // namespace
}  // namespace clconv::test
