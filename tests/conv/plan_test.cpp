// Plans: that they fit the device and cover the problem, for hundreds of random ones.

#include "conv/plan.h"

#include "base/errors.h"
#include "conv/devices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>

namespace clconv::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

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

template <class Action>
std::string complaint(Action action)
{
    try {
        action();
    } catch (const InvalidProblem& error) {
        return error.what();
    }
    return "nothing was thrown";
}

class Random {
public:
    explicit Random(unsigned seed) : engine_(seed) {}

    int between(int least, int most) { return std::uniform_int_distribution(least, most)(engine_); }

    template <class T>
    T one_of(std::initializer_list<T> values)
    {
        return values.begin()[between(0, static_cast<int>(values.size()) - 1)];
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
        p.border = one_of({Border::zero, Border::constant, Border::clamp, Border::wrap, Border::mirror, Border::reflect,
                           Border::renormalize});
        p.mode = one_of({Mode::same, Mode::full, Mode::valid});
        if (p.psf > p.image || p.psf.width > p.image.width || p.psf.height > p.image.height) p.mode = Mode::full;
        return p;
    }

private:
    /// Small and large ones alike.
    int size(int most) { return between(1, one_of({3, 40, most})); }

    std::mt19937 engine_;
};

void expect_covered(const LinePlan& pass, const Axis& axis, const AxisProblem& along)
{
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

/// A work-item holds a row and its spectrum, or eight columns, in local memory.
void expect_lanes_fit(const Plan& plan, const DeviceTraits& traits)
{
    EXPECT_LE(16ull * plan.x.length, traits.local_memory);
    EXPECT_LE(8ull * plan.lanes * plan.y.length, traits.local_memory);
    EXPECT_EQ(plan.rows.radices.back(), plan.lanes);  // the step across the lanes
    EXPECT_EQ(plan.x.length % (plan.lanes * plan.lanes), 0);
    for (const auto& radices : {plan.rows.radices, plan.columns.radices})
        EXPECT_LE(*std::max_element(radices.begin(), radices.end()), 8);
}

void expect_sound(const Plan& plan, const DeviceTraits& traits)
{
    const Problem& p = plan.problem;
    EXPECT_EQ(plan.output, output_extent(p));
    EXPECT_FALSE(plan.reasons.empty());
    if (plan.method != Method::fft) return;  // tiles: plan_tiled_test.cpp
    expect_covered(plan.rows, plan.x, along_x(p));
    expect_covered(plan.columns, plan.y, along_y(p));
    if (plan.lanes == 1) {
        expect_work_group_fits(plan.rows, traits);
        expect_work_group_fits(plan.columns, traits);
    } else {
        expect_lanes_fit(plan, traits);
    }

    const Spectrum& s = plan.spectrum;
    EXPECT_EQ(s.columns, plan.x.length / 2 + 1);
    EXPECT_GE(s.tiles * s.tile_columns, s.columns);
    EXPECT_LT((s.tiles - (plan.lanes > 1 ? 2 : 1)) * s.tile_columns, s.columns);  // lanes: rounded up to odd
    EXPECT_GE(s.packs * s.rows_together, std::max({p.image.height, plan.output.height, plan.y.psf_count}));
    EXPECT_EQ(s.rows_together % 2, 0);                  // a pair of rows is one cell of 16 bytes
    EXPECT_EQ(s.tile_columns % plan.columns.lines, 0);  // a work-group's columns lie in one tile
    EXPECT_EQ(s.rows_together, 2 * plan.rows.lines);    // a work-group of the row pass fills a pack
    EXPECT_EQ(p.channels % plan.planes, 0);
    EXPECT_LE(s.cells() * plan.planes * 8, traits.max_allocation);
    EXPECT_LE(plan.transfer_cells() * p.psf_channels * 8, traits.max_allocation);
    EXPECT_LE(plan.scratch_bytes(), traits.global_memory);
    EXPECT_GE(plan.transfer_cells(), static_cast<std::uint64_t>(s.columns) * plan.y.length);
}

TEST(Plan, FitsTheDeviceAndCoversTheProblem)
{
    Random random(1);
    for (int i = 0; i < 400; ++i) {
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
        for (int i = 0; i < 10; ++i) {
            const Problem problem = random.problem();
            Decisions decisions;
            decisions.radix_x.largest = decisions.radix_y.largest = largest;
            SCOPED_TRACE(token(problem) + " radix " + std::to_string(largest));
            const Plan plan = make_plan(problem, kSmallGpu, decisions);
            expect_sound(plan, kSmallGpu);
            EXPECT_THAT(plan.rows.radices, Contains(largest));
            EXPECT_THAT(plan.columns.radices, Contains(largest));
        }
}

TEST(Plan, AForcedSequenceIsUsedAsItIs)
{
    Decisions decisions;
    decisions.radix_x.sequence = {4, 16, 13};
    decisions.radix_y.sequence = {9, 8, 11};
    const Plan plan = make_plan(photograph(), kNvidia, decisions);
    EXPECT_EQ(plan.method, Method::fft);
    EXPECT_THAT(plan.rows.radices, ElementsAre(4, 16, 13));
    EXPECT_THAT(plan.columns.radices, ElementsAre(9, 8, 11));
    EXPECT_EQ(plan.x.length, 832);
    EXPECT_EQ(plan.y.length, 792);
}

TEST(Plan, TheRowsBackMayHaveRadicesOfTheirOwn)
{
    Decisions decisions;
    decisions.radix_x.sequence = {13, 16, 4};
    decide(decisions, "back-radices=8.8.13");
    decide(decisions, "back-items=52");
    const Plan plan = make_plan(photograph(), kNvidia, decisions);
    EXPECT_THAT(plan.rows.radices, ElementsAre(13, 16, 4));
    EXPECT_THAT(plan.rows_back.radices, ElementsAre(8, 8, 13));
    EXPECT_EQ(plan.rows_back.local.items, 52);
    EXPECT_EQ(plan.rows_back.lines, plan.rows.lines);
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
    EXPECT_EQ(plan.rows.residence, Residence::global);
    EXPECT_EQ(plan.columns.residence, Residence::local);
    EXPECT_THAT(describe(plan), HasSubstr("x through global memory"));
    expect_sound(plan, kSmallGpu);
}

TEST(Plan, ADeviceWithTooLittleMemoryGetsOneChannelAtATime)
{
    const Plan all = make_plan(photograph(), kNvidia, by_fft());
    ASSERT_EQ(all.planes, 3);
    DeviceTraits traits = kNvidia;
    traits.max_allocation = all.spectrum.cells() * 3 * 8 - 1;
    const Plan one = make_plan(photograph(), traits, by_fft());
    EXPECT_EQ(one.planes, 1);
    EXPECT_THAT(describe(one), HasSubstr("one channel at a time"));
}

TEST(Plan, ADeviceWithMuchTooLittleMemoryIsRefusedWithTheNumbers)
{
    DeviceTraits traits = kNvidia;
    traits.max_allocation = traits.global_memory = 1 << 20;
    const std::string message = complaint([&] { (void)make_plan(photograph(), traits, by_fft()); });
    EXPECT_THAT(message, HasSubstr(token(photograph())));
    EXPECT_THAT(message, HasSubstr("the device has 1 (1 at once)"));
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
    EXPECT_EQ(make_plan(problem, kNvidia).method, Method::fft);
    problem.psf = {3, 3};
    problem.origin = {1, 1};
    EXPECT_EQ(make_plan(problem, kNvidia).method, Method::direct);
    EXPECT_EQ(make_plan(problem, kCpu).method, Method::direct);
}

TEST(Plan, ASmoothPeriodNeedsNoPadding)
{
    Problem problem = photograph();
    problem.border = Border::wrap;
    const Plan plan = make_plan(problem, kNvidia, by_fft());
    EXPECT_EQ(plan.x.length, 640);
    EXPECT_EQ(plan.y.length, 480);
    problem.image.width = 641;  // a prime: padded like the other borders
    EXPECT_GT(make_plan(problem, kNvidia, by_fft()).x.length, 641);
}

Decisions told(const std::vector<std::string>& key_values)
{
    Decisions decisions = by_fft();
    for (const std::string& key_value : key_values) decide(decisions, key_value);
    return decisions;
}

TEST(Plan, AShapeThatOnlyWorkGroupsHaveLeavesTheLanes)
{
    for (const char* decision : {"padding=2", "row-exchange=split", "column-exchange=ping-pong", "row-items=16"}) {
        EXPECT_EQ(make_plan(photograph(), kCpu, told({decision})).lanes, 1) << decision;
        const std::string message = complaint([&] {
            (void)make_plan(photograph(), kCpu, told({decision, "lanes=8"}));
        });
        EXPECT_THAT(message, HasSubstr(std::string("lanes=8 and ") + decision));
        EXPECT_THAT(message, HasSubstr("use lanes=1"));
    }
    EXPECT_EQ(make_plan(photograph(), kCpu, told({"butterflies=direct", "radix-order=ascending"})).lanes, 8);
}

TEST(Plan, AShapeOfWorkGroupsIsSaidToBeUnusedThroughGlobalMemory)
{
    const std::string text = describe(make_plan(photograph(), kNvidia, told({"padding=2", "residence=global"})));
    EXPECT_THAT(text, HasSubstr("padding=2 as asked for, but not for lines through global memory"));
}

TEST(Plan, AscendingRadicesAreTheDescendingOnesTurned)
{
    for (const DeviceTraits& traits : {kNvidia, kCpu}) {
        const auto decisions = [](const char* order) { return told({order}); };
        const Plan down = make_plan(photograph(), traits, decisions("radix-order=descending"));
        const Plan up = make_plan(photograph(), traits, decisions("radix-order=ascending"));
        EXPECT_TRUE(std::is_sorted(down.columns.radices.rbegin(), down.columns.radices.rend()));
        EXPECT_TRUE(std::is_sorted(up.columns.radices.begin(), up.columns.radices.end()));
        EXPECT_THAT(up.columns.radices, testing::UnorderedElementsAreArray(down.columns.radices));
        EXPECT_THAT(up.rows.radices, testing::UnorderedElementsAreArray(down.rows.radices));
    }
}

TEST(Plan, DirectButterfliesAreNotChosenAboveSixteen)
{
    const Plan plan = make_plan(photograph(), kNvidia, told({"butterflies=direct"}));
    EXPECT_LE(*std::max_element(plan.rows.radices.begin(), plan.rows.radices.end()), 16);
    EXPECT_EQ(plan.columns.butterflies, Butterflies::direct);
    EXPECT_EQ(make_plan(photograph(), kNvidia, told({"butterflies=direct", "row-largest=32"})).rows.radices.front(),
              32);
}

TEST(Plan, SeparatePassesNeedMemoryForTheColumnsSpectra)
{
    const Plan fused = make_plan(photograph(), kNvidia, told({"passes=fused"}));
    const Plan separate = make_plan(photograph(), kNvidia, told({"passes=separate"}));
    EXPECT_EQ(separate.scratch_bytes() - fused.scratch_bytes(), fused.transfer_cells() * 3 * 8);
    EXPECT_EQ(make_plan(photograph(), kNvidia, told({"residence=global"})).passes, Passes::separate);
    EXPECT_THAT(complaint([&] {
                    (void)make_plan(photograph(), kNvidia, told({"passes=fused", "residence=global"}));
                }),
                HasSubstr("use separate"));
}

TEST(Plan, OnlyColumnsThatAWorkGroupHoldsAreTransformedInPlace)
{
    const Plan plan = make_plan(photograph(), kNvidia, told({"order=dif-dit"}));
    EXPECT_EQ(plan.columns.local.order, LineOrder::in_place);
    EXPECT_EQ(plan.rows.local.order, LineOrder::autosort);
    EXPECT_EQ(make_plan(photograph(), kCpu, told({"order=dif-dit"})).lanes, 8);  // they are in place already
    EXPECT_EQ(make_plan(photograph(), kCpu, told({"order=autosort"})).lanes, 1);
    for (const char* decision : {"residence=global", "column-exchange=ping-pong"})
        EXPECT_THAT(complaint([&] {
                        (void)make_plan(photograph(), kNvidia, told({"order=dif-dit", decision}));
                    }),
                    HasSubstr("order=dif-dit: only for columns"))
            << decision;
}

TEST(Plan, TwoChannelsALineMakeHalfThePlanesOfTwiceTheColumns)
{
    const Plan rows = make_plan(photograph(), kNvidia, told({"packing=rows"}));
    const Plan plan = make_plan(photograph(), kNvidia, told({"packing=channels"}));
    EXPECT_EQ(plan.image_planes(), 2);  // the third channel has a line to itself
    EXPECT_EQ(plan.planes, 2);
    EXPECT_EQ(plan.psf_planes(), 1);
    EXPECT_EQ(plan.spectrum.columns, 2 * rows.spectrum.columns);
    EXPECT_EQ(2 * plan.spectrum.rows_together, rows.spectrum.rows_together);
    Problem gray = photograph();
    gray.channels = 1;
    EXPECT_THAT(complaint([&] { (void)make_plan(gray, kNvidia, told({"packing=channels"})); }), HasSubstr("use rows"));
    EXPECT_THAT(complaint([&] {
                    (void)make_plan(photograph(), kNvidia, told({"packing=channels", "residence=global"}));
                }),
                HasSubstr("use rows"));
}

TEST(DecisionsOf, APlanAreThoseItWasForcedToAndThoseItChose)
{
    const Decisions chosen = decisions_of(make_plan(photograph(), kNvidia, told({"padding=2", "row-lines=1"})));
    const auto list = decided(chosen);
    EXPECT_THAT(list, testing::IsSupersetOf({"method=fft", "residence=local", "lanes=1", "row-lines=1", "padding=2",
                                             "butterflies=embedded"}));
    EXPECT_EQ(describe(make_plan(photograph(), kNvidia, chosen)),
              describe(make_plan(photograph(), kNvidia, told(list))));
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
            // Tiles, and what their last one has too much, may differ.
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
        for (const LinePlan& pass : {plan.rows, plan.columns}) {
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

}  // namespace
}  // namespace clconv::test
