// SPDX-License-Identifier: Apache-2.0
// The menu of passes, and how its times are taken, with an arena that makes them up.

#include "tune/pass_tuner.h"

#include "fft/factorize.h"
#include "plan/gpu_menu.h"
#include "plan/pass_costs.h"
#include "tune/gpu.h"
#include "tune/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace clconv::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr DeviceTraits kCpu{.local_memory = 1 << 20,
                            .max_work_group = 4096,
                            .global_memory = 8ull << 30,
                            .max_allocation = 2ull << 30,
                            .is_cpu = true};
/// Its lines are shorter, so its menu is made at once.
constexpr DeviceTraits kSmallGpu{.local_memory = 16384,
                                 .max_work_group = 1024,
                                 .global_memory = 1u << 30,
                                 .max_allocation = 1u << 28,
                                 .is_nvidia = true};

/// Every pass takes three times what the model says. Plans whose rows end with `bad` compute wrongly, or all plans.
class MadeUp : public PassArena {
public:
    std::vector<PlanTimes> measure(const Problem& problem, const std::vector<Plan>& plans,
                                   const std::vector<double>& shares,
                                   const std::function<bool(std::size_t)>& out_of_time) override
    {
        std::vector<PlanTimes> times;
        for (const Plan& plan : plans) {
            EXPECT_EQ(plan.problem, problem);
            PlanTimes entry;
            if (out_of_time(times.size())) {
                entry.complaint = kOutOfTime;
            } else if (all_are_bad || plan.fft().rows.radices.back() == bad) {
                entry.complaint = "computes wrongly";
            } else {
                ++measured;
                const std::vector<PassLoad> loads = loads_of(problem, plan.fft());
                for (std::size_t i = 0; i < loads.size(); ++i)
                    for (const double share : shares)
                        entry.passes[i].push_back({share, share * 3 * model_ns(loads[i], kGpu)});
            }
            times.push_back(entry);
        }
        return times;
    }
    std::size_t measured = 0;
    int bad = 0;
    bool all_are_bad = false;
};

const std::vector<MenuItem>& gpu_menu()
{
    static const std::vector<MenuItem> menu = pass_menu(kGpu, {});
    return menu;
}

const std::vector<MenuItem>& short_menu()
{
    static const std::vector<MenuItem> menu = pass_menu(kSmallGpu, {});
    return menu;
}

std::set<int> lengths_of(const std::vector<MenuItem>& menu, bool columns)
{
    std::set<int> lengths;
    for (const MenuItem& item : menu)
        for (const Decisions& plan : item.plans)
            lengths.insert(line_length(columns ? plan.radix_y.sequence : plan.radix_x.sequence));
    return lengths;
}

TEST(LengthsOfTheMenu, AreTheCheapestOfTheirSize)
{
    EXPECT_THAT(good_lengths({{64, 10}, {65, 9}, {70, 8}, {100, 20}, {101, 30}}, 64, 200), ElementsAre(70, 100, 101))
        << "and the longest";
    EXPECT_THAT(good_lengths({{64, 10}}, 100, 200), IsEmpty());
}

TEST(LengthsOfTheMenu, ComeFromCoarseToFine)
{
    EXPECT_THAT(coarse_to_fine({1, 2, 3, 4, 5, 6, 7}), ElementsAre(4, 2, 6, 1, 3, 5, 7));
    EXPECT_THAT(coarse_to_fine({1, 2, 3}), ElementsAre(2, 1, 3));
    EXPECT_THAT(coarse_to_fine({5}), ElementsAre(5));
    EXPECT_THAT(coarse_to_fine({}), IsEmpty());
}

TEST(TheMenuOfPasses, OfAGpuHasItsLengthsAndOneOfAnySize)
{
    for (const bool columns : {false, true}) {
        const std::set<int> lengths = lengths_of(gpu_menu(), columns);
        for (const int length : gpu_menu_lengths(columns)) EXPECT_TRUE(lengths.contains(length)) << length;
        for (int needed = 400; needed < 12288; needed += 7) {
            const auto next = lengths.lower_bound(needed);
            ASSERT_NE(next, lengths.end());
            EXPECT_LT(*next, needed * 1.12) << needed;
        }
    }
}

/// The bytes that the measured passes of each length move.
std::map<int, std::set<double>> bytes_of_lengths(const std::vector<MenuItem>& menu, bool columns)
{
    std::map<int, std::set<double>> found;
    for (const MenuItem& item : menu) {
        const Problem& problem = item.problem;
        const int width = line_length(item.plans.front().radix_x.sequence);
        const int height = line_length(item.plans.front().radix_y.sequence);
        PassRecord record;
        record.pass.kind = columns ? PassKind::columns : PassKind::rows;
        record.pass.radices = {columns ? height : width};
        record.pass.samples = problem.input;
        record.filled = filled_of(record.pass.kind, problem);
        for (const double share : item.shares)
            found[columns ? height : width].insert(share * line_bytes(record) *
                                                   lines_of(record.pass.kind, problem, width));
    }
    return found;
}

TEST(TheMenuOfPasses, OfAGpuGoesUpToTheLongestLineThatLocalMemoryHoldsAndFitsItsMemory)
{
    const auto& less = short_menu();
    for (const bool columns : {false, true}) {
        EXPECT_EQ(*lengths_of(gpu_menu(), columns).rbegin(), 12288);
        EXPECT_EQ(*lengths_of(less, columns).rbegin(), 4096);
    }
    for (const auto& [length, bytes] : bytes_of_lengths(less, true))
        EXPECT_LT(*bytes.rbegin() * 4, static_cast<double>(kSmallGpu.global_memory)) << length;
}

TEST(TheMenuOfPasses, OfAGpuWhoseLongestColumnsFitNoWorkGroupHasAllItsLengths)
{
    // One channel wants larger planes than three do, and so longer columns beside the same rows.
    const auto one = pass_menu(kSmallGpu, {.channels = 1, .type = SampleType::float32, .layout = Layout::planar});
    for (const bool columns : {false, true}) EXPECT_EQ(lengths_of(one, columns), lengths_of(short_menu(), columns));
}

TEST(TheMenuOfPasses, OfAGpuHasImagesInsideItsCacheBeyondItAndFarBeyond)
{
    const auto cache = static_cast<double>(kGpu.cache);
    for (const auto& menu : {gpu_menu(), pass_menu(kGpu, {.type = SampleType::float32, .layout = Layout::planar})})
        for (const bool columns : {false, true})
            for (const auto& [length, bytes] : bytes_of_lengths(menu, columns)) {
                if (length < 750) continue;  // shorter lines are never so many
                const auto beyond = bytes.lower_bound(4 * cache);
                ASSERT_NE(beyond, bytes.end()) << length;
                EXPECT_LE(*beyond, 12 * cache) << length;
                EXPECT_LT(*bytes.begin(), cache) << length;
                EXPECT_GE(*bytes.rbegin(), 16 * cache) << length;
                EXPECT_LE(*bytes.rbegin(), 48 * cache) << length << ": that takes long";
            }
}

TEST(TheMenuOfPasses, OfAGpuHasManyShortColumnsInEachGroupingThatFits)
{
    const auto menu = pass_menu(kGpu, {.type = SampleType::float32, .layout = Layout::planar});
    std::map<int, std::set<std::pair<int, int>>> found;  // pairs of rows a work-group and columns a bundle, by length
    for (const MenuItem& item : menu)
        if (item.problem.image.width * item.problem.image.height * item.problem.channels > 20'000'000)
            for (const Decisions& plan : item.plans)
                found[line_length(plan.radix_y.sequence)].insert({*plan.rows.lines, *plan.bundle_columns});
    for (const int length : lengths_of(menu, true)) {
        if (length < 450 || length > 3000) continue;
        for (const auto& grouping : {std::pair{1, 4}, {2, 2}, {2, 4}})
            EXPECT_TRUE(found[length].contains(grouping)) << length << ": " << grouping.first << " " << grouping.second;
    }
}

TEST(TheMenuOfPasses, OfAGpuStoresWholePixelsOfInterleavedFloatsWhereTheyFit)
{
    const auto menu = pass_menu(kGpu, {.type = SampleType::float32});
    std::map<int, std::set<Storing>> found;
    for (const MenuItem& item : menu) {
        const bool pixels = item.problem.layout == Layout::interleaved;
        EXPECT_EQ(item.problem.border, pixels ? Border::clamp : Border::zero);
        if (!pixels) continue;
        for (const Decisions& plan : item.plans)
            if (!plan.radix_back.empty())  // else of the menu of programs, which store one channel
                found[line_length(plan.radix_x.sequence)].insert(plan.storing.value_or(Storing::channels));
    }
    for (const auto& [length, ways] : found) {
        EXPECT_EQ(ways.contains(Storing::pixels), length <= 4096) << length;
        EXPECT_TRUE(length >= 2048 || ways.size() == 1) << length;
    }
}

TEST(TheMenuOfPasses, HasPlansWithPlainPassesOfTheDevicesKindOnly)
{
    for (const DeviceTraits& traits : {kCpu, kGpu}) {
        const auto& menu = traits.is_cpu ? pass_menu(kCpu, {.channels = 1, .type = SampleType::float32}) : gpu_menu();
        ASSERT_GT(menu.size(), 20U);
        for (std::size_t i = 0; i < menu.size(); i += 10) {
            ASSERT_FALSE(menu[i].plans.empty());
            const auto plan = menu_plan(menu[i].problem, traits, menu[i].plans.back());
            ASSERT_TRUE(plan);
            EXPECT_TRUE(has_plain_passes(plan->fft()));
            EXPECT_EQ(plan->fft().by_lanes(), traits.is_cpu);
            EXPECT_LT(plan->problem.image.width, plan->fft().x.length);
            EXPECT_GT(plan->problem.image.width, plan->fft().x.length * 9 / 10);
        }
    }
    EXPECT_FALSE(menu_plan(gpu_menu().front().problem, kCpu, gpu_menu().front().plans.front()));
    EXPECT_EQ(pass_menu(kCpu, {.channels = 1}).front().problem.channels, 1);
}

TEST(ThePassTuner, KeepsThreePassesAPlanAndGoesOnWhereItWas)
{
    MadeUp arena;
    std::vector<std::size_t> kept;
    PassTunerSettings settings;
    settings.plans = 20;
    settings.keep = [&](const PassSet& set) { kept.push_back(set.passes.size()); };
    const PassTuning first = tune_passes(short_menu(), kGpu, {}, arena, settings);
    EXPECT_EQ(arena.measured, 20U);
    EXPECT_EQ(first.measured, 20U);
    EXPECT_EQ(first.known, 0U);
    EXPECT_EQ(first.measured + first.left, first.plans);
    ASSERT_FALSE(kept.empty());
    EXPECT_EQ(kept.back(), first.set.passes.size());
    EXPECT_TRUE(std::is_sorted(kept.begin(), kept.end()));

    const PassTuning second = tune_passes(short_menu(), kGpu, first.set, arena, settings);
    EXPECT_EQ(arena.measured, 40U);
    EXPECT_GE(second.known, 20U);
    EXPECT_GT(second.set.passes.size(), first.set.passes.size());
}

TEST(ThePassTuner, OfAWholeMenuLeavesNothingAndThenMeasuresNothing)
{
    MadeUp arena;
    const std::vector<MenuItem> items(short_menu().begin(), short_menu().begin() + 8);
    const PassTuning all = tune_passes(items, kGpu, {}, arena, {});
    EXPECT_EQ(all.left, 0U);
    EXPECT_EQ(parse_pass_set(pass_set_text(all.set)), all.set);
    const std::size_t before = arena.measured;
    const PassTuning again = tune_passes(items, kGpu, all.set, arena, {});
    EXPECT_EQ(arena.measured, before);
    EXPECT_EQ(again.known, again.plans);
    EXPECT_EQ(again.set, all.set);
}

TEST(ThePassTuner, MeasuresWhatIsFastOnARelatedDeviceFirst)
{
    const std::vector<MenuItem> items(short_menu().begin(), short_menu().begin() + 3);
    MadeUp elsewhere;
    const PassCosts related(tune_passes(items, kGpu, {}, elsewhere, {}).set.passes, kGpu);
    PassTunerSettings settings;
    settings.related = &related;
    std::vector<std::size_t> plans;  // known after each step
    settings.keep = [&](const PassSet& set) { plans.push_back(set.passes.size()); };
    MadeUp arena;
    const PassTuning all = tune_passes(items, kGpu, {}, arena, settings);
    EXPECT_GT(plans.size(), items.size()) << "two rounds";
    EXPECT_EQ(all.set.passes.size(), tune_passes(items, kGpu, {}, elsewhere, {}).set.passes.size());
    EXPECT_EQ(all.left, 0U);
    EXPECT_EQ(all.known + all.measured + all.unfit, all.plans);
}

TEST(ThePassTuner, MeasuresOnePlanWhenThereIsNoTime)
{
    MadeUp arena;
    PassTunerSettings settings;
    settings.out_of_time = [] { return true; };
    const PassTuning tuning = tune_passes(short_menu(), kGpu, {}, arena, settings);
    ASSERT_GT(short_menu().front().plans.size(), 1U);
    EXPECT_EQ(tuning.measured, 1U);
    EXPECT_EQ(tuning.measured + tuning.left, tuning.plans);
}

TEST(ThePassTuner, EndsInTimeWhereAllPlansAreWrong)
{
    MadeUp arena;
    arena.all_are_bad = true;
    PassTunerSettings settings;
    settings.out_of_time = [] { return true; };
    const PassTuning tuning = tune_passes(short_menu(), kGpu, {}, arena, settings);
    EXPECT_EQ(tuning.defects.size(), 1U);
    EXPECT_EQ(tuning.left, tuning.plans - 1);
}

TEST(ThePassTuner, ReportsWrongPlansAndKeepsNoTimesOfThem)
{
    MadeUp arena;
    arena.bad = short_menu().front().plans.front().radix_x.sequence.back();
    PassTunerSettings settings;
    settings.plans = 5;
    const PassTuning tuning = tune_passes(short_menu(), kGpu, {}, arena, settings);
    ASSERT_FALSE(tuning.defects.empty());
    EXPECT_EQ(tuning.defects.front().what, "computes wrongly");
    EXPECT_EQ(tuning.measured + tuning.defects.size(), 5U);
    for (const PassRecord& record : tuning.set.passes)
        EXPECT_FALSE(record.pass.kind == PassKind::rows && record.pass.radices.back() == arena.bad);
}

TEST(ThePassTuner, KeepsATimeForEachShareOfTheLines)
{
    MadeUp arena;
    PassTunerSettings settings;
    settings.plans = 1;
    const MenuItem item = gpu_menu().at(1);
    EXPECT_THAT(item.shares, ElementsAre(1, 0.5, 0.25, 1.0 / 12)) << "of 12 planes";
    const PassSet set = tune_passes({item}, kGpu, {}, arena, settings).set;
    ASSERT_THAT(set.passes, SizeIs(3));
    for (const PassRecord& record : set.passes) {
        const double lines = lines_of(record.pass.kind, item.problem, line_length(item.plans.front().radix_x.sequence));
        ASSERT_THAT(record.points, SizeIs(4));
        for (std::size_t i = 0; i < 4; ++i) EXPECT_DOUBLE_EQ(record.points[3 - i].lines, item.shares[i] * lines);
        EXPECT_NEAR(record.points[0].ns, record.points[3].ns / 12, 1e-6 * record.points[3].ns);
    }
}

TEST(TheReportOfPasses, HasALineAPassAndMarksTheFastestOfALength)
{
    MadeUp arena;
    PassTunerSettings settings;
    settings.plans = 9;
    TuneReport report;
    report.device.name = "A GPU";
    report.copy_gb_s = 100;
    report.passes = tune_passes(short_menu(), kGpu, {}, arena, settings);
    const std::vector<PassLine> lines = pass_lines(report.passes->set);
    EXPECT_THAT(lines, SizeIs(report.passes->set.passes.size()));
    const auto best = std::count_if(lines.begin(), lines.end(), [](const PassLine& line) { return line.best; });
    EXPECT_GE(best, 3);
    EXPECT_LT(best, static_cast<std::ptrdiff_t>(lines.size()));
    const auto rows_in = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
    EXPECT_EQ(rows_in(tune_table(report, true)) - rows_in(tune_table(report, false)),
              static_cast<std::ptrdiff_t>(lines.size()) - best);
    EXPECT_EQ(rows_in(tune_csv(report)), static_cast<std::ptrdiff_t>(lines.size()) + 1);
    EXPECT_THAT(tune_json(report), HasSubstr("\"measured\": 9"));
    EXPECT_THAT(tune_page(report), HasSubstr("<h2>Passes</h2>"));
}

}  // namespace
}  // namespace clconv::test
