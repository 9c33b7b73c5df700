// SPDX-License-Identifier: Apache-2.0
// Plans: that they fit the device and cover the problem, for hundreds of random ones.

#include "plan/plan.h"

#include "base/errors.h"
#include "fft/lane_line.h"
#include "plan/devices.h"
#include "plan/plan_memory.h"
#include "plan/tools.h"
#include "support/repetitions.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>

namespace clconv::test {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::Ge;
using testing::HasSubstr;
using testing::Le;

Problem photograph()
{
    return {.image = {640, 480},
            .channels = 3,
            .input = SampleType::u8,
            .output = SampleType::u8,
            .psf = {101, 101},
            .origin = {50, 50}};
}

Decisions by_fft()
{
    Decisions decisions;
    decisions.method = Method::fft;
    return decisions;
}

class Random {
public:
    explicit Random(unsigned seed) : engine_(seed) {}

    int between(int minimum, int maximum) { return std::uniform_int_distribution(minimum, maximum)(engine_); }

    template <class T>
    T one_of(std::initializer_list<T> values)
    {
        return values.begin()[between(0, static_cast<int>(values.size()) - 1)];
    }

    template <class T, std::size_t count>
    T one_of(const std::array<T, count>& values)
    {
        return values[static_cast<std::size_t>(between(0, static_cast<int>(count) - 1))];
    }

    Problem problem()
    {
        Problem p;
        p.image = {size(3000), size(3000)};
        p.channels = between(1, 4);
        p.input = one_of({SampleType::u8, SampleType::u16, SampleType::half, SampleType::float32});
        p.output = one_of({SampleType::u8, SampleType::float32});
        p.psf = {size(600), size(600)};
        p.origin = {between(0, p.psf.width - 1), between(0, p.psf.height - 1)};
        p.psf_channels = one_of({1, p.channels});
        p.border = one_of(all_values<Border>());
        p.mode = one_of(all_values<Mode>());
        if (p.psf > p.image || p.psf.width > p.image.width || p.psf.height > p.image.height) p.mode = Mode::full;
        return p;
    }

private:
    /// Small and large ones alike.
    int size(int maximum) { return between(1, one_of({3, 40, maximum})); }

    std::mt19937 engine_;
};

void expect_covered(const LinePlan& pass, const Axis& axis, AxisProblem along)
{
    along.parts = axis.parts;
    EXPECT_EQ(std::accumulate(pass.radices.begin(), pass.radices.end(), 1, std::multiplies<>()), axis.length);
    const auto circular = circular_axis(along);
    EXPECT_TRUE(axis.length >= padded_axis(along).length || axis == circular);
    EXPECT_EQ(axis.output, output_count(along));
}

void expect_work_group_fits(const LinePlan& pass, const DeviceTraits& traits)
{
    if (pass.residence == Residence::global) return;
    EXPECT_LE(pass.local.cells * cell_bytes(pass.local) * pass.lines, traits.local_memory);
    EXPECT_LE(static_cast<std::uint64_t>(pass.local.items) * pass.lines, traits.max_work_group);
    for (const int radix : pass.radices) EXPECT_LE(radix, pass.local.values);
}

/// A work-item holds a row and its spectrum, or a vector of columns, in local memory.
void expect_lanes_fit(const Plan& plan, const DeviceTraits& traits)
{
    const FftPlan& fft = plan.fft();
    EXPECT_LE(16ull * fft.x.length, traits.local_memory);
    EXPECT_LE(8ull * fft.lanes * fft.y.length, traits.local_memory);
    EXPECT_EQ(fft.spectrum.bundle_columns, fft.lanes);
    EXPECT_EQ(fft.rows.radices.back(), kLanes);  // the step across the lanes
    EXPECT_EQ(fft.x.length % (kLanes * kLanes), 0);
    const int largest = plan.programs == Programs::general ? kMaxLaneRadix : kMaxForcedLaneRadix;
    EXPECT_THAT(fft.rows.radices, Each(Le(largest)));
    EXPECT_THAT(fft.columns.radices, Each(Le(largest)));
}

void expect_sound(const Plan& plan, const DeviceTraits& traits)
{
    const Problem& p = plan.problem;
    EXPECT_EQ(plan.output, output_extent(p));
    EXPECT_FALSE(plan.reasons.empty());
    if (!plan.is_fft()) return;  // tiles: plan_tiled_test.cpp
    const FftPlan& fft = plan.fft();
    expect_covered(fft.rows, fft.x, along_x(p));
    expect_covered(fft.columns, fft.y, along_y(p));
    if (!fft.by_lanes()) {
        expect_work_group_fits(fft.rows, traits);
        expect_work_group_fits(fft.columns, traits);
    } else {
        expect_lanes_fit(plan, traits);
    }

    const Spectrum& s = fft.spectrum;
    EXPECT_EQ(s.columns, fft.x.length / 2 + 1);
    EXPECT_GE(s.bundles * s.bundle_columns, s.columns);
    EXPECT_LT((s.bundles - 1) * s.bundle_columns, s.columns);
    EXPECT_GE(s.packs * s.rows_together, std::max({p.image.height, plan.output.height, fft.y.psf_count}));
    EXPECT_EQ(s.rows_together % 2, 0);                   // a pair of rows is one cell of 16 bytes
    EXPECT_EQ(s.bundle_columns % fft.columns.lines, 0);  // a work-group's columns lie in one bundle
    EXPECT_EQ(s.rows_together, 2 * fft.rows.lines);      // a work-group of the row pass fills a pack
    EXPECT_EQ(p.channels % fft.planes, 0);
    EXPECT_LE(s.cells() * fft.planes * 8, traits.max_allocation);
    EXPECT_LE(fft.transfer_cells() * p.psf_channels * 8, traits.max_allocation);
    EXPECT_LE(plan.scratch_bytes(), traits.global_memory);
    EXPECT_GE(fft.transfer_cells(), static_cast<std::uint64_t>(s.columns) * fft.y.length);
}

TEST(Plan, FitsTheDeviceAndCoversTheProblem)
{
    Random random(1);
    for (int i = 0; i < repetitions(400); ++i) {
        const Problem problem = random.problem();
        Decisions decisions;
        if (random.between(0, 1)) decisions.method = Method::fft;
        if (random.between(0, 3) == 0) decisions.residence = Residence::global;
        for (const DeviceTraits& traits : {kNvidia, kSmallGpu, kCpu}) {
            SCOPED_TRACE(token(problem));
            expect_sound(make_plan(problem, traits, decisions), traits);
        }
    }
}

TEST(Plan, FitsWithEveryLargestRadix)
{
    Random random(2);
    for (const int largest : {2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 18, 20, 24, 32, 64, 128, 256, 512, 1024})
        for (int i = 0; i < repetitions(10); ++i) {
            const Problem problem = random.problem();
            Decisions decisions;
            decisions.radix_x.largest = decisions.radix_y.largest = largest;
            SCOPED_TRACE(token(problem) + " radix " + std::to_string(largest));
            const Plan plan = make_plan(problem, kSmallGpu, decisions);
            expect_sound(plan, kSmallGpu);
            EXPECT_THAT(plan.fft().rows.radices, Contains(largest));
            EXPECT_THAT(plan.fft().columns.radices, Contains(largest));
        }
}

TEST(Plan, AForcedSequenceIsUsedAsItIs)
{
    Decisions decisions;
    decisions.radix_x.sequence = {4, 16, 13};
    decisions.radix_y.sequence = {9, 8, 11};
    const Plan plan = make_plan(photograph(), kNvidia, decisions);
    EXPECT_EQ(plan.method(), Method::fft);
    EXPECT_THAT(plan.fft().rows.radices, ElementsAre(4, 16, 13));
    EXPECT_THAT(plan.fft().columns.radices, ElementsAre(9, 8, 11));
    EXPECT_EQ(plan.fft().x.length, 832);
    EXPECT_EQ(plan.fft().y.length, 792);
}

TEST(Plan, TheRowsBackMayHaveRadicesOfTheirOwn)
{
    Decisions decisions;
    decisions.radix_x.sequence = {13, 16, 4};
    decide(decisions, "back-radices=8.8.13");
    decide(decisions, "back-items=52");
    const Plan plan = make_plan(photograph(), kNvidia, decisions);
    EXPECT_THAT(plan.fft().rows.radices, ElementsAre(13, 16, 4));
    EXPECT_THAT(plan.fft().rows_back.radices, ElementsAre(8, 8, 13));
    EXPECT_EQ(plan.fft().rows_back.local.items, 52);
    EXPECT_EQ(plan.fft().rows_back.lines, plan.fft().rows.lines);
}

TEST(Plan, RadicesBackOfAnotherLengthAreRefusedWithBothLengths)
{
    Decisions decisions;
    decisions.radix_x.sequence = {13, 16, 4};
    decide(decisions, "back-radices=8.8.12");
    const std::string message = complaint([&] { (void)make_plan(photograph(), kNvidia, decisions); });
    EXPECT_THAT(message, HasSubstr("768"));
    EXPECT_THAT(message, HasSubstr("832"));
}

TEST(Plan, ASequenceThatIsTooShortIsRefusedWithItsProductAndTheLengthThatIsNeeded)
{
    Decisions decisions;
    decisions.radix_y.sequence = {16, 32};
    const std::string message = complaint([&] { (void)make_plan(photograph(), kNvidia, decisions); });
    EXPECT_THAT(message, HasSubstr("--radix-y 16,32"));
    EXPECT_THAT(message, HasSubstr("512"));
    EXPECT_THAT(message, HasSubstr("580"));  // 480 rows and 100 of the clamped border
}

TEST(Plan, AForcedLocalResidenceThatDoesNotFitIsRefusedWithTheLimits)
{
    Problem wide = photograph();
    wide.image = {100000, 10};
    wide.channels = 1;
    Decisions decisions;
    decisions.residence = Residence::local;
    const std::string message = complaint([&] { (void)make_plan(wide, kSmallGpu, decisions); });
    EXPECT_THAT(message, HasSubstr("residence=local"));
    EXPECT_THAT(message, HasSubstr("32768 bytes"));
    EXPECT_THAT(message, HasSubstr("256 work-items"));
}

TEST(Plan, ALineThatFitsNoWorkGroupGoesThroughGlobalMemory)
{
    Problem wide = photograph();
    wide.image = {30000, 100};
    const Plan plan = make_plan(wide, kSmallGpu, by_fft());
    EXPECT_EQ(plan.fft().rows.residence, Residence::global);
    EXPECT_EQ(plan.fft().columns.residence, Residence::local);
    EXPECT_THAT(describe(plan), HasSubstr("x through global memory"));
    expect_sound(plan, kSmallGpu);
}

TEST(Plan, ADeviceWithTooLittleMemoryGetsOneChannelAtATime)
{
    const Plan all = make_plan(photograph(), kNvidia, by_fft());
    ASSERT_EQ(all.fft().planes, 3);
    DeviceTraits traits = kNvidia;
    traits.max_allocation = all.fft().spectrum.cells() * 3 * 8 - 1;
    const Plan one = make_plan(photograph(), traits, by_fft());
    EXPECT_EQ(one.fft().planes, 1);
    EXPECT_THAT(describe(one), HasSubstr("one channel at a time"));
}

TEST(Plan, ADeviceWithMuchTooLittleMemoryIsRefusedWithTheNumbers)
{
    DeviceTraits traits = kNvidia;
    traits.max_allocation = traits.global_memory = 1 << 20;
    const std::string message = complaint([&] { (void)make_plan(photograph(), traits, by_fft()); });
    EXPECT_THAT(message, HasSubstr(token(photograph())));
    EXPECT_THAT(message, HasSubstr("may use 1M (1M at once)"));
}

TEST(Plan, AProblemThatMakesNoSenseIsRefused)
{
    Problem problem = photograph();
    problem.origin = {200, 0};
    EXPECT_THROW((void)make_plan(problem, kNvidia), InvalidProblem);
}

TEST(Plan, ATinyPsfIsSummedDirectlyAndALargeOneTransformed)
{
    Problem problem = photograph();
    EXPECT_EQ(make_plan(problem, kNvidia).method(), Method::fft);
    problem.psf = {3, 3};
    problem.origin = {1, 1};
    EXPECT_EQ(make_plan(problem, kNvidia).method(), Method::direct);
    EXPECT_EQ(make_plan(problem, kCpu).method(), Method::direct);
}

TEST(Plan, APsfThatNoLargeImageFitsStillHasAMethod)
{
    const Problem problem{{16, 16}, 3, SampleType::u8, SampleType::u8, {1'048'000, 1}, {524'000, 0}};
    EXPECT_EQ(make_plan(problem, kCpu).method(), Method::direct);
}

TEST(Plan, StepsBetweenAConvolutionAndItsAdjointSpeakForTransformsWhoseRowsTakeThem)
{
    Problem masked;
    masked.image = {1054, 1054};
    masked.psf = {31, 31};
    masked.origin = {15, 15};
    masked.border = Border::zero;
    masked.mode = Mode::valid;
    EXPECT_EQ(make_plan(masked, kCpu, {}).method(), Method::tiled);
    masked.alternates = true;
    EXPECT_EQ(make_plan(masked, kCpu, {}).method(), Method::fft);
    masked.mode = Mode::same;
    EXPECT_EQ(make_plan(masked, kCpu, {}).method(), Method::fft);
    masked.border = Border::mirror;  // its adjoint folds, after each convolution
    EXPECT_EQ(make_plan(masked, kCpu, {}).method(), Method::tiled);
    masked.border = Border::zero;
    masked.psf = {9, 9};
    masked.origin = {4, 4};
    EXPECT_NE(make_plan(masked, kCpu, {}).method(), Method::fft);
}

TEST(Plan, ASmoothPeriodNeedsNoPadding)
{
    Problem problem = photograph();
    problem.border = Border::wrap;
    Decisions special = by_fft();
    special.programs = Programs::special;
    const Plan plan = make_plan(problem, kNvidia, special);
    EXPECT_EQ(plan.fft().x.length, 640);
    EXPECT_EQ(plan.fft().y.length, 480);
    problem.image = {1280, 720};  // both on the menu
    EXPECT_EQ(make_plan(problem, kNvidia, by_fft()).fft().x.length, 1280);
    EXPECT_EQ(make_plan(problem, kNvidia, by_fft()).fft().y.length, 720);
    problem.image.width = 641;  // a prime: padded like the other borders
    EXPECT_GT(make_plan(problem, kNvidia, by_fft()).fft().x.length, 641);
}

Decisions decisions_from(const std::vector<std::string>& key_values)
{
    Decisions decisions = by_fft();
    for (const std::string& key_value : key_values) decide(decisions, key_value);
    return decisions;
}

TEST(Plan, AShapeThatOnlyWorkGroupsHaveLeavesTheLanes)
{
    for (const char* decision : {"padding=2", "row-exchange=split", "column-exchange=ping-pong", "row-items=16"}) {
        EXPECT_EQ(make_plan(photograph(), kCpu, decisions_from({decision})).fft().lanes, 1) << decision;
        const std::string message = complaint([&] {
            (void)make_plan(photograph(), kCpu, decisions_from({decision, "lanes=8"}));
        });
        EXPECT_THAT(message, HasSubstr(std::string("lanes=8 and ") + decision));
        EXPECT_THAT(message, HasSubstr("use lanes=1"));
    }
    EXPECT_EQ(
        make_plan(photograph(), kCpu, decisions_from({"butterflies=direct", "radix-order=ascending"})).fft().lanes, 8);
}

/// Rows end with the step across the eight lanes, so a smaller largest radix leaves them.
TEST(Plan, ALargestRadixFromEightOnKeepsTheLanes)
{
    Random random(5);
    for (const int largest : {8, 9, 10, 11, 12, 13, 14, 16, 18, 20, 24, 32})
        for (int i = 0; i < repetitions(10); ++i) {
            Problem problem = random.problem();
            problem.precision = Precision::float32;
            Decisions decisions = by_fft();
            decisions.radix_x.largest = decisions.radix_y.largest = largest;
            SCOPED_TRACE(token(problem) + " radix " + std::to_string(largest));
            const Plan plan = make_plan(problem, kCpu, decisions);
            expect_sound(plan, kCpu);
            EXPECT_EQ(plan.fft().lanes, 8);
            for (const std::vector<int>& radices : {plan.fft().rows.radices, plan.fft().columns.radices}) {
                EXPECT_THAT(radices, Contains(largest));
                EXPECT_THAT(radices, Each(Le(largest)));
            }
        }
    for (const char* largest : {"row-largest=7", "column-largest=64", "row-largest=4"})
        EXPECT_EQ(make_plan(photograph(), kCpu, decisions_from({largest})).fft().lanes, 1) << largest;
    EXPECT_EQ(make_plan(photograph(), kCpu, decisions_from({"column-largest=4"})).fft().lanes, 8);
    EXPECT_THAT(describe(make_plan(photograph(), kCpu, decisions_from({"row-largest=4"}))),
                HasSubstr("work-items share lines: in lanes, rows are multiples of 64 that end with radix 8"));
}

TEST(Plan, TheLanesOfColumnsAreAsManyAsAVectorHasFloats)
{
    DeviceTraits wide = kCpu;
    wide.vector_floats = 16;
    EXPECT_EQ(make_plan(photograph(), kCpu, by_fft()).fft().lanes, 8);
    const Plan plan = make_plan(photograph(), wide, by_fft());
    EXPECT_EQ(plan.fft().lanes, 16);
    expect_sound(plan, wide);
    EXPECT_THAT(describe(plan), HasSubstr("16 lanes"));

    Problem precise = photograph();
    precise.precision = Precision::float64;
    EXPECT_EQ(make_plan(precise, wide, by_fft()).fft().lanes, 8);

    wide.local_memory = std::uint64_t{16} * 8 * plan.fft().y.length - 1;  // of sixteen columns
    EXPECT_EQ(make_plan(photograph(), wide, by_fft()).fft().lanes, 16) << "where global memory has such columns, too";
}

/// A part loads rows of the image, which lie so far below the results of the parts before it that these do not
/// overwrite them.
TEST(Plan, PartsOfColumnsInLanesDoNotOverwriteWhatLaterOnesLoad)
{
    for (const Border border : all_values<Border>())
        for (const Mode mode : all_values<Mode>())
            for (const int parts : {2, 3, 7}) {
                Problem tall{.image = {60, 1000}, .psf = {9, 101}, .origin = {4, 20}, .border = border, .mode = mode};
                const Decisions decisions =
                    decisions_from({"method=fft", "lanes=8", fmt::format("column-parts={}", parts)});
                const FftPlan fft = make_plan(tall, kCpu, decisions).fft();
                ASSERT_EQ(fft.y.parts, parts);
                const std::vector<int> rows = source_table(fft.y, border);
                for (int part = 1; part < parts; ++part) {
                    const auto first = rows.begin() + part * fft.y.part;
                    std::vector<int> loaded(first, first + fft.y.loaded);
                    std::erase(loaded, -1);
                    EXPECT_THAT(loaded, Each(Ge(part * fft.y.part - fft.image_row))) << name_of(border);
                }
                EXPECT_GE(2 * fft.spectrum.packs, fft.image_row + fft.y.count);
                EXPECT_EQ(fft.intermediates(), 1);
            }
}

TEST(Plan, ColumnsInLanesAreInPartsWhereThatIsCheaper)
{
    const auto parts_of = [](Extent image, int psf) {
        const Problem problem{.image = image, .psf = {psf, psf}, .origin = {psf / 2, psf / 2}};
        return make_plan(problem, kCpu, by_fft()).fft().y.parts;
    };
    EXPECT_EQ(parts_of({400, 500}, 301), 1) << "parts would have twice the work";
    EXPECT_GT(parts_of({400, 6000}, 255), 4);
    EXPECT_GT(parts_of({400, 12000}, 511), parts_of({400, 6000}, 511));
    Problem alternating{.image = {400, 6000}, .psf = {255, 255}, .origin = {127, 127}};
    alternating.alternates = true;
    EXPECT_EQ(make_plan(alternating, kCpu, by_fft()).fft().y.parts, 1) << "columns alternate in place";
}

TEST(Plan, AShapeOfWorkGroupsIsSaidToBeUnusedThroughGlobalMemory)
{
    const std::string text =
        describe(make_plan(photograph(), kNvidia, decisions_from({"padding=2", "residence=global"})));
    EXPECT_THAT(text, HasSubstr("padding=2 as requested, but not for lines through global memory"));
}

TEST(Plan, AShapeThatKeepsLinesFromAWorkGroupIsRefused)
{
    for (const char* decision : {"padding=512", "row-lines=300", "column-items=4096"}) {
        const std::string message = complaint([&] {
            (void)make_plan(photograph(), kNvidia, decisions_from({decision, "tile-columns=4"}));
        });
        EXPECT_THAT(message, HasSubstr(std::string(decision) + ": a line of"));
        EXPECT_THAT(message, HasSubstr("use less, or residence=global"));
    }
    Problem wide = photograph();
    wide.image.width = 40'000;  // through global memory in any case
    EXPECT_THAT(describe(make_plan(wide, kNvidia, decisions_from({"padding=1"}))),
                HasSubstr("padding=1 as requested, but not for lines through global memory"));
}

TEST(Plan, AscendingRadicesAreTheDescendingOnesReversed)
{
    for (const DeviceTraits& traits : {kNvidia, kCpu}) {
        const auto decisions = [](const char* order) { return decisions_from({order}); };
        const Plan down = make_plan(photograph(), traits, decisions("radix-order=descending"));
        const Plan up = make_plan(photograph(), traits, decisions("radix-order=ascending"));
        EXPECT_TRUE(std::is_sorted(down.fft().columns.radices.rbegin(), down.fft().columns.radices.rend()));
        EXPECT_TRUE(std::is_sorted(up.fft().columns.radices.begin(), up.fft().columns.radices.end()));
        EXPECT_THAT(up.fft().columns.radices, testing::UnorderedElementsAreArray(down.fft().columns.radices));
        EXPECT_THAT(up.fft().rows.radices, testing::UnorderedElementsAreArray(down.fft().rows.radices));
    }
}

TEST(Plan, DirectButterfliesAreNotChosenAboveSixteen)
{
    const Plan plan = make_plan(photograph(), kNvidia, decisions_from({"butterflies=direct"}));
    EXPECT_LE(*std::max_element(plan.fft().rows.radices.begin(), plan.fft().rows.radices.end()), 16);
    EXPECT_EQ(plan.fft().columns.butterflies, Butterflies::direct);
    EXPECT_EQ(make_plan(photograph(), kNvidia, decisions_from({"butterflies=direct", "row-largest=32"}))
                  .fft()
                  .rows.radices.front(),
              32);
}

TEST(Plan, SeparatePassesNeedMemoryForTheColumnsSpectra)
{
    const Plan fused = make_plan(photograph(), kNvidia, decisions_from({"passes=fused"}));
    const Plan separate = make_plan(photograph(), kNvidia, decisions_from({"passes=separate"}));
    EXPECT_EQ(separate.scratch_bytes() - fused.scratch_bytes(), fused.fft().transfer_cells() * 3 * 8);
    EXPECT_EQ(make_plan(photograph(), kNvidia, decisions_from({"residence=global"})).fft().passes, Passes::separate);
    EXPECT_THAT(complaint([&] {
                    (void)make_plan(photograph(), kNvidia, decisions_from({"passes=fused", "residence=global"}));
                }),
                HasSubstr("use separate"));
}

TEST(Plan, OnlyColumnsThatAWorkGroupHoldsAreTransformedInPlace)
{
    const Plan plan = make_plan(photograph(), kNvidia, decisions_from({"order=dif-dit"}));
    EXPECT_EQ(plan.fft().columns.local.order, LineOrder::in_place);
    EXPECT_EQ(plan.fft().rows.local.order, LineOrder::autosort);
    EXPECT_EQ(make_plan(photograph(), kCpu, decisions_from({"order=dif-dit"})).fft().lanes,
              8);  // they are in place already
    EXPECT_EQ(make_plan(photograph(), kCpu, decisions_from({"order=autosort"})).fft().lanes, 1);
    for (const char* decision : {"residence=global", "column-exchange=ping-pong"})
        EXPECT_THAT(complaint([&] {
                        (void)make_plan(photograph(), kNvidia, decisions_from({"order=dif-dit", decision}));
                    }),
                    HasSubstr("order=dif-dit: only for columns"))
            << decision;
}

TEST(Plan, TwoChannelsALineMakeHalfThePlanesOfTwiceTheColumns)
{
    const Plan rows = make_plan(photograph(), kNvidia, decisions_from({"packing=rows"}));
    const Plan plan = make_plan(photograph(), kNvidia, decisions_from({"packing=channels"}));
    EXPECT_EQ(plan.fft().planes_of(3), 2);  // the third channel has a line to itself
    EXPECT_EQ(plan.fft().planes, 2);
    EXPECT_EQ(plan.fft().planes_of(1), 1);
    EXPECT_EQ(plan.fft().spectrum.columns, 2 * rows.fft().spectrum.columns);
    EXPECT_EQ(2 * plan.fft().spectrum.rows_together, rows.fft().spectrum.rows_together);
    Problem gray = photograph();
    gray.channels = 1;
    EXPECT_THAT(complaint([&] { (void)make_plan(gray, kNvidia, decisions_from({"packing=channels"})); }),
                HasSubstr("use rows"));
    EXPECT_THAT(complaint([&] {
                    (void)make_plan(photograph(), kNvidia, decisions_from({"packing=channels", "residence=global"}));
                }),
                HasSubstr("use rows"));
}

TEST(Plan, WholePixelsAreStoredByAWorkGroupWithTheLinesOfAllChannels)
{
    Problem photo = photograph();
    photo.layout = Layout::interleaved;
    const Plan plan = make_plan(photo, kNvidia, decisions_from({"storing=pixels"}));
    EXPECT_EQ(plan.fft().channels_back(photo.channels), 3);
    const LinePlan& back = plan.fft().rows_back;
    EXPECT_LE(3 * cell_bytes(back.local) * back.local.cells * back.lines, kNvidia.local_memory);
    EXPECT_LE(3 * back.local.items * back.lines, static_cast<int>(kNvidia.max_work_group));
    EXPECT_THAT(describe(plan), HasSubstr("stores whole pixels"));

    const auto refusal = [](const Problem& problem, const std::vector<std::string>& decisions) {
        return complaint([&] { (void)make_plan(problem, kNvidia, decisions_from(decisions)); });
    };
    Problem gray = photo, planar = photo;
    gray.channels = 1;
    planar.layout = Layout::planar;
    EXPECT_THAT(refusal(gray, {"storing=pixels"}), HasSubstr("use channels"));
    EXPECT_THAT(refusal(planar, {"storing=pixels"}), HasSubstr("use channels"));
    EXPECT_THAT(refusal(photo, {"storing=pixels", "packing=channels"}), HasSubstr("use packing=rows"));
    EXPECT_THAT(refusal(photo, {"storing=pixels", "row-radices=16.16.24"}), HasSubstr("use storing=channels"));
}

TEST(Plan, WholePixelsNeedAllChannelsInOneLaunch)
{
    Problem photo = photograph();
    photo.layout = Layout::interleaved;
    DeviceTraits small = kNvidia;
    small.global_memory = device_bytes(make_plan(photo, kNvidia, decisions_from({"storing=pixels"}))).together;
    const Plan plan = make_plan(photo, small, decisions_from({"storing=pixels"}));
    EXPECT_EQ(plan.fft().planes, 1);
    EXPECT_EQ(plan.fft().channels_back(photo.channels), 1);
}

TEST(Plan, AnInverseHasRoomForTheTransfersThatItIsMadeOf)
{
    Problem photo = photograph();
    const Plan plain = make_plan(photo, kNvidia, decisions_from({"method=fft"}));
    photo.support = KernelSupport::infinite;
    const Plan inverse = make_plan(photo, kNvidia, decisions_from({"method=fft"}));
    const auto besides = [](const Plan& plan) { return device_bytes(plan).together - plan.transfer_bytes(); };
    EXPECT_EQ(besides(inverse) - 2 * inverse.transfer_bytes(), besides(plain));
}

TEST(Plan, HasRoomForThePartOfThePsfThatMeetsSamplesAndForWhatItsUserKeeps)
{
    Problem photo = photograph();
    photo.border = Border::zero;
    const auto together = [](const Problem& problem) {
        return device_bytes(make_plan(problem, kNvidia, decisions_from({"method=fft"}))).together;
    };
    const std::uint64_t plain = together(photo);
    photo.border = Border::renormalize;
    EXPECT_EQ(together(photo), plain + photo.image.pixels() * sizeof(float));
    photo.extra_bytes = 1000;
    EXPECT_EQ(together(photo), plain + photo.image.pixels() * sizeof(float) + 1000);
}

TEST(Plan, ADirectSumTakesWeightsFromConstantMemoryWhileTheyFitIt)
{
    Problem photo = photograph();
    photo.psf = {128, 128};
    EXPECT_TRUE(make_plan(photo, kCpu, decisions_from({"method=direct"})).direct().patches);
    photo.psf = {129, 128};
    EXPECT_FALSE(make_plan(photo, kCpu, decisions_from({"method=direct"})).direct().patches);
}

TEST(Plan, JointSpectraOfTwoChannelsTakeAsManyColumnsAsALineHasValues)
{
    const Plan gray = make_plan(photograph(), kNvidia, decisions_from({"product=gray"}));
    EXPECT_EQ(gray.fft().packing, Packing::channels);
    EXPECT_EQ(gray.fft().passes, Passes::fused);
    EXPECT_EQ(gray.fft().spectrum.columns, gray.fft().x.length);
    EXPECT_NE(describe(gray).find("two channels a line, product=gray"), std::string::npos) << describe(gray);
    EXPECT_EQ(make_plan(photograph(), kNvidia, decisions_from({"product=integrated"})).fft().passes, Passes::separate);
}

TEST(Plan, AProductOfJointSpectraIsRefusedWhereItIsNone)
{
    const auto refusal = [](const Problem& problem, const std::vector<std::string>& decisions) {
        return complaint([&] { (void)make_plan(problem, kNvidia, decisions_from(decisions)); });
    };
    Problem one_channel = photograph(), three_psfs = photograph();
    one_channel.channels = 1;
    three_psfs.psf_channels = 3;
    EXPECT_THAT(refusal(three_psfs, {"product=gray"}), HasSubstr("--psf-gray"));
    for (const char* product : {"product=gray", "product=integrated"}) {
        EXPECT_THAT(refusal(one_channel, {product}), HasSubstr("one channel; use split"));
        EXPECT_THAT(refusal(photograph(), {product, "packing=rows"}), HasSubstr("use packing=channels"));
        EXPECT_THAT(refusal(photograph(), {product, "residence=global"}), HasSubstr("use split"));
        EXPECT_THAT(refusal(photograph(), {product, "lanes=8"}), HasSubstr("use lanes=1"));
    }
    EXPECT_THAT(refusal(photograph(), {"product=integrated", "passes=fused"}), HasSubstr("use passes=separate"));
    EXPECT_THAT(refusal(photograph(), {"product=integrated", "order=dif-dit"}), HasSubstr("use order=autosort"));
    EXPECT_THAT(refusal(photograph(), {"product=integrated", "column-radices=64.16"}), HasSubstr("use split"));
}

/// The decisions as a user types them.
Decisions typed(const Decisions& decisions)
{
    Decisions result;
    for (const std::string& key_value : decided(decisions)) decide(result, key_value);
    return result;
}

TEST(DecisionsOf, APlanMakeItAgain)
{
    Random random(3);
    for (int i = 0; i < repetitions(150); ++i) {
        Problem problem = random.problem();
        if (random.between(0, 2) == 0) problem.psf = {random.between(1, 40), random.between(1, 40)};
        problem.origin = {problem.psf.width / 2, problem.psf.height / 2};
        if (problem.psf.width > problem.image.width || problem.psf.height > problem.image.height)
            problem.mode = Mode::full;
        for (const DeviceTraits& traits : {kNvidia, kSmallGpu, kCpu}) {
            SCOPED_TRACE(token(problem));
            const Plan plan = make_plan(problem, traits);
            const Plan again = make_plan(problem, traits, typed(decisions_of(plan)));
            EXPECT_TRUE(again.how == plan.how) << describe(plan) << describe(again);
            EXPECT_EQ(again.programs, plan.programs);
        }
    }
}

/// Every decision that lists its values, with each of them, and some numbers.
std::vector<std::string> forced_decisions()
{
    std::vector<std::string> list = {"tile-items=512", "back-items=40", "padding=2", "row-lines=2", "tile-columns=2"};
    for (const std::string_view name : decision_names())
        for (const std::string& value : listed_values(name)) list.push_back(std::string(name) + "=" + value);
    return list;
}

TEST(DecisionsOf, APlanMakeItAgainWhateverWasForced)
{
    Problem problem = photograph();
    problem.psf = {9, 7};
    problem.origin = {4, 3};
    for (const Border border : {Border::clamp, Border::wrap}) {
        problem.border = border;
        for (const std::string& decision : forced_decisions())
            for (const DeviceTraits& traits : {kNvidia, kSmallGpu, kCpu}) {
                Decisions requested;
                if (decision.starts_with("tile=") || decision.starts_with("tile-items"))
                    requested.method = Method::tiled;
                if (decision.find("-items") != std::string::npos) requested.lanes = 1;
                decide(requested, decision);
                Plan plan;
                try {
                    plan = make_plan(problem, traits, requested);
                } catch (const InvalidProblem&) {  // not on this device
                    continue;
                }
                SCOPED_TRACE(decision);
                const Plan again = make_plan(problem, traits, typed(decisions_of(plan)));
                EXPECT_TRUE(again.how == plan.how) << describe(plan) << describe(again);
            }
    }
}

TEST(DecisionsOf, ATiledPlanNameItsTile)
{
    Decisions tiled;
    tiled.method = Method::tiled;
    Problem problem = photograph();
    problem.psf = {9, 9};
    problem.origin = {4, 4};
    EXPECT_THAT(decided(decisions_of(make_plan(problem, kCpu, tiled))),
                ElementsAre("method=tiled", "lanes=8", "tile=192x192", "programs=general"));
    EXPECT_THAT(
        decided(decisions_of(make_plan(problem, kNvidia, tiled))),
        ElementsAre("method=tiled", "lanes=1", HasSubstr("tile="), HasSubstr("tile-items="), "programs=general"));
}

TEST(DecisionsOf, APlanAreThoseItWasForcedToAndThoseItChose)
{
    const Decisions chosen =
        decisions_of(make_plan(photograph(), kNvidia, decisions_from({"padding=2", "row-lines=1"})));
    const auto list = decided(chosen);
    EXPECT_THAT(list, testing::IsSupersetOf({"method=fft", "residence=local", "lanes=1", "row-lines=1", "padding=2",
                                             "butterflies=embedded"}));
    EXPECT_EQ(describe(make_plan(photograph(), kNvidia, chosen)),
              describe(make_plan(photograph(), kNvidia, decisions_from(list))));
}

TEST(Plan, EqualQuestionsGetEqualAnswers)
{
    EXPECT_EQ(describe(make_plan(photograph(), kNvidia)), describe(make_plan(photograph(), kNvidia)));
}

TEST(Plan, HalfTakesHalfTheMemoryOfFloatAndDoubleTwice)
{
    for (const DeviceTraits& traits : {kNvidia, kCpu}) {
        Problem problem = photograph();
        const auto bytes = [&](Precision precision) {
            problem.precision = precision;
            const Plan plan = make_plan(problem, traits, by_fft());
            // The tiles, and the overhang of the last one, may differ.
            return static_cast<double>(plan.scratch_bytes());
        };
        EXPECT_NEAR(bytes(Precision::half) / bytes(Precision::float32), 0.5, 0.02);
        EXPECT_NEAR(bytes(Precision::float64) / bytes(Precision::float32), 2, 0.02);
    }
}

TEST(Plan, LinesInDoubleTakeTwiceTheLocalMemoryAndFitIt)
{
    Problem problem = photograph();
    problem.precision = Precision::float64;
    for (const Extent image : {Extent{640, 480}, Extent{3840, 2160}, Extent{6000, 4000}}) {
        problem.image = image;
        const Plan plan = make_plan(problem, kNvidia, by_fft());
        for (const LinePlan& pass : {plan.fft().rows, plan.fft().columns}) {
            if (pass.residence == Residence::global) continue;
            EXPECT_EQ(cell_bytes(pass.local), pass.local.exchange == ExchangeForm::split ? 8u : 16u);
            EXPECT_LE(pass.local.cells * cell_bytes(pass.local) * pass.lines, kNvidia.local_memory);
        }
    }
}

TEST(Plan, DoubleNeedsADeviceThatHasIt)
{
    Problem problem = photograph();
    problem.precision = Precision::float64;
    EXPECT_THROW((void)make_plan(problem, kSmallGpu), DeviceError);
    EXPECT_NO_THROW((void)make_plan(problem, kNvidia));
}

TEST(Plan, DecisionsAtTheEndsOfTheirRangesAreRefusedOrPlannedWithoutOverflow)
{
    Problem long_lines = photograph();
    long_lines.image = {500000, 3};
    for (const Problem& problem : {photograph(), long_lines})
        for (const DeviceTraits& traits : {kNvidia, kSmallGpu, kCpu})
            for (const char* order : {"autosort", "dif-dit"})
                for (const char* number : {"padding=512", "tile-columns=4096", "row-lines=4096", "column-lines=4096",
                                           "row-items=4096", "column-items=4096"}) {
                    Decisions decisions = by_fft();
                    decide(decisions, std::string("order=") + order);
                    decide(decisions, number);
                    try {
                        const Plan plan = make_plan(problem, traits, decisions);
                        EXPECT_GE(plan.fft().x.length, problem.image.width);
                        EXPECT_LE(plan.scratch_bytes(), traits.global_memory);
                    } catch (const InvalidProblem&) {
                    }
                }
}

}  // namespace
}  // namespace clconv::test
