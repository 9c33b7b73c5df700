// SPDX-License-Identifier: Apache-2.0
// The direct method in both shapes, against direct double sums: patches of the result, taps written out and in loops,
// and PSFs too large for blocks.

#include "support/convolution_case.h"

#include "passes/recipes.h"

#include <gmock/gmock.h>

#include <set>
#include <string>

namespace clconv::test {
namespace {

using testing::ElementsAre;
using testing::StartsWith;

DirectPlan direct_plan_of(const Case& c, const std::shared_ptr<Device>& device)
{
    return make_plan(problem_of(c), device->info().traits, c.decisions).direct();
}

TEST(Direct, BlocksAreRightWithEveryBorderAndMode)
{
    constexpr Mode modes[] = {Mode::same, Mode::full, Mode::valid};
    int next = 0;
    for (const Border border : all_values<Border>()) {
        const Mode mode = modes[next++ % 3];
        const Case c{{150, 40}, 2, {7, 4}, {2, 3}, 2, border, mode, with_method(Method::direct)};
        ASSERT_TRUE(direct_plan_of(c, gpu()).patches && direct_plan_of(c, gpu()).unrolled);
        expect_right(c, gpu());
        expect_right(c, test_device());
    }
}

TEST(Direct, InsideTheImageAndAtItsEdgesIsRight)
{
    const Case c{{500, 100}, 1, {3, 5}, {1, 2}, 1, Border::mirror, Mode::same, with_method(Method::direct)};
    expect_right(c, gpu());
    expect_right(c, test_device());
}

TEST(Direct, AWindowThatEndsOneSampleBeyondTheImageIsAtItsEdge)
{
    Case c{
        {500, 100}, 1, {3, 5}, {1, 2}, 1, Border::zero, Mode::same, in_general_programs(with_method(Method::direct))};
    const Extent patch = direct_plan_of(c, gpu()).patch;
    for (const int beyond : {0, 1}) {  // of the second window, which begins inside
        c.image = {2 * patch.width + 1 - beyond, 3 * patch.height};
        expect_right(c, gpu());
        c.image = {3 * patch.width, 2 * patch.height + 2 - beyond};
        expect_right(c, gpu());
    }
}

TEST(Direct, TapsInLoopsAreRight)
{
    for (const int width : {13, 14, 15, 16}) {  // four, and what is left of them
        const Case c{{137, 35}, 1, {width, 17}, {2, 9}, 1, Border::clamp, Mode::same, with_method(Method::direct)};
        ASSERT_FALSE(direct_plan_of(c, gpu()).unrolled);
        expect_right(c, gpu());
    }
    expect_right({{137, 35}, 1, {15, 17}, {2, 9}, 1, Border::clamp, Mode::same, with_method(Method::direct)},
                 test_device());
}

TEST(Direct, AProgramOfACpuTakesEveryPsfThatItHasRoomFor)
{
    DeviceTraits cpu = test_device()->info().traits;
    cpu.is_cpu = true;
    std::set<std::string> names;
    for (const Extent psf : {Extent{1, 1}, {16, 1}, {1, 16}, {9, 13}, {16, 16}}) {
        const Case c{
            {137, 35}, 2, psf, {0, psf.height - 1}, 2, Border::mirror, Mode::same, with_method(Method::direct)};
        names.insert(recipes_of(make_plan(problem_of(c), cpu, c.decisions), cpu).front().name);
        expect_right(c, test_device());
    }
    EXPECT_THAT(names, ElementsAre(StartsWith("direct-to16x16-")));
}

TEST(Direct, APsfThatNoRoomSuitsHasAProgramOfItsOwn)
{
    DeviceTraits cpu = test_device()->info().traits;
    cpu.is_cpu = true;
    const auto room_of = [&](Extent psf, std::uint64_t local_memory) {
        cpu.local_memory = local_memory;
        const Case c{{700, 600}, 1, psf, {0, 0}, 1, Border::zero, Mode::same, with_method(Method::direct)};
        const DirectPlan plan = make_plan(problem_of(c), cpu, c.decisions).direct();
        EXPECT_LE(plan.local_bytes, local_memory);
        return plan.room;
    };
    EXPECT_EQ(room_of({17, 3}, 1 << 20), (Extent{32, 32}));
    EXPECT_EQ(room_of({17, 3}, 32 << 10), (Extent{17, 3})) << "of 32x32, 40 KiB";
    EXPECT_EQ(room_of({257, 1}, 1 << 20), (Extent{257, 1}));
}

TEST(Direct, NarrowPsfsOfEveryWidthAreRight)
{
    for (const int width : {1, 2, 4, 5})
        expect_right({{131, 33}, 1, {width, 2}, {0, 1}, 1, Border::zero, Mode::same, with_method(Method::direct)},
                     gpu());
}

TEST(Direct, PsfsTooLargeForBlocksAreRight)
{
    const Case c{{60, 45}, 3, {61, 50}, {20, 30}, 3, Border::wrap, Mode::same, with_method(Method::direct)};
    ASSERT_FALSE(direct_plan_of(c, small_gpu()).patches);
    expect_right(c, small_gpu());
}

TEST(Direct, TinyImagesAndPsfsLargerThanTheImageAreRight)
{
    for (const Border border : {Border::zero, Border::reflect, Border::renormalize}) {
        expect_right({{1, 1}, 1, {3, 5}, {1, 1}, 1, border, Mode::full, with_method(Method::direct)}, gpu());
        expect_right({{5, 3}, 1, {15, 17}, {9, 3}, 1, border, Mode::same, with_method(Method::direct)}, gpu());
        expect_right({{5, 3}, 1, {15, 17}, {9, 3}, 1, border, Mode::same, with_method(Method::direct)}, test_device());
    }
}

}  // namespace
}  // namespace clconv::test
