// SPDX-License-Identifier: Apache-2.0
#include "plan/overlapping_parts.h"

#include "base/errors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace clconv {
namespace {

auto room_for(std::uint64_t pixels)
{
    return [pixels](Extent extent) { return extent.pixels() <= pixels; };
}

/// How often each pixel is new in a part. Also checks that a part reaches as far around it as the image and the halo.
std::vector<int> times_new(const OverlappingParts& parts)
{
    std::vector<int> times(parts.image.pixels());
    const Extent extent = parts.extent();
    for (int row = 0; row < parts.rows.count(); ++row)
        for (int column = 0; column < parts.columns.count(); ++column) {
            const Position first = parts.first(column, row), fresh = parts.first_new(column, row);
            EXPECT_LE(first.x, std::max(0, fresh.x - parts.halo.width));
            EXPECT_LE(first.y, std::max(0, fresh.y - parts.halo.height));
            EXPECT_GE(first.x + extent.width,
                      std::min(parts.image.width, fresh.x + parts.columns.size + parts.halo.width));
            EXPECT_GE(first.y + extent.height,
                      std::min(parts.image.height, fresh.y + parts.rows.size + parts.halo.height));
            EXPECT_LE(first.x + extent.width, parts.image.width);
            EXPECT_LE(first.y + extent.height, parts.image.height);
            for (int y = fresh.y; y < fresh.y + parts.rows.size; ++y)
                for (int x = fresh.x; x < fresh.x + parts.columns.size; ++x)
                    ++times[static_cast<std::size_t>(y) * static_cast<std::size_t>(parts.image.width) +
                            static_cast<std::size_t>(x)];
        }
    return times;
}

TEST(OverlappingParts, TheirNewSamplesCoverTheImage)
{
    for (const Extent image : {Extent{300, 200}, {200, 301}, {997, 101}}) {
        const OverlappingParts parts = overlapping_parts(image, {10, 7}, room_for(image.pixels() / 4));
        EXPECT_LE(parts.extent().pixels(), image.pixels() / 4);
        EXPECT_GT(parts.count(), 3);
        for (const int times : times_new(parts)) EXPECT_GE(times, 1);
    }
}

TEST(OverlappingParts, OneIsEnoughIfTheWholeFits)
{
    const OverlappingParts parts = overlapping_parts({300, 200}, {10, 10}, room_for(60000));
    EXPECT_EQ(parts.count(), 1);
    EXPECT_EQ(parts.extent(), (Extent{300, 200}));
}

TEST(OverlappingParts, ThatAreLittleButOverlapAreRefused)
{
    EXPECT_THROW((void)overlapping_parts({300, 200}, {40, 40}, room_for(6000)), TooLarge);
}

TEST(OverlappingParts, OfANarrowImageAreCutAlongItsLengthOnly)
{
    for (const auto& [image, halo] : {std::pair{Extent{64, 2000}, Extent{80, 80}}, {{2000, 64}, {80, 80}}}) {
        const OverlappingParts parts = overlapping_parts(image, halo, room_for(image.pixels() / 4));
        EXPECT_EQ(std::min(parts.columns.count(), parts.rows.count()), 1);
        for (const int times : times_new(parts)) EXPECT_GE(times, 1);
    }
}

}  // namespace
}  // namespace clconv
