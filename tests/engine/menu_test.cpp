// SPDX-License-Identifier: Apache-2.0
#include "engine/menu.h"

#include "plan/devices.h"
#include "plan/gpu_menu.h"
#include "plan/measured_decisions.h"
#include "plan/pass_costs.h"
#include "support/repetitions.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <utility>

namespace clconv::test {
namespace {

std::string text_of(const Recipe& recipe) { return recipe.file + recipe.options + recipe.defines; }

Problem photograph(Extent image, int psf)
{
    return {.image = image,
            .channels = 3,
            .input = SampleType::u8,
            .output = SampleType::u8,
            .psf = {psf, psf},
            .origin = {psf / 2, psf / 2}};
}

/// The programs of so many images of random sizes between 64 and 6000, otherwise like this problem.
std::vector<Recipe> programs_of_random_sizes(int count, const Problem& like, const DeviceTraits& traits)
{
    std::mt19937 random(1);
    std::uniform_int_distribution<int> side(64, 6000);
    DeviceTraits large = traits;
    large.global_memory = std::uint64_t{64} << 30;
    large.max_allocation = std::uint64_t{16} << 30;
    std::vector<Recipe> programs;
    for (int i = 0; i < count; ++i) {
        const int width = side(random);
        Problem problem = like;
        problem.image = {width, side(random)};
        add_programs(programs, recipes_of(make_plan(problem, large), large));
    }
    return programs;
}

TEST(Menu, HoldsTheFewProgramsOfAllSizes)
{
    for (const int psf : {31, 255}) {
        const Problem like = photograph({1, 1}, psf);
        for (const auto& [traits, few] : {std::pair(kCpu, 4U), std::pair(kNvidia, 105U)}) {
            std::set<std::string> menu;
            for (const Recipe& recipe : menu_programs(like, traits)) menu.insert(text_of(recipe));
            EXPECT_LE(menu.size(), few) << psf;
            for (const Recipe& recipe : programs_of_random_sizes(repetitions(200), like, traits))
                EXPECT_TRUE(menu.contains(text_of(recipe))) << recipe.name;
        }
    }
}

// With passes that were measured, columns may be in parts.
TEST(Menu, HoldsThoseOfColumnsInParts)
{
    Problem like = photograph({1, 1}, 63);
    std::set<std::string> menu;
    for (const Recipe& recipe : menu_programs(like, kNvidia)) menu.insert(text_of(recipe));
    Decisions general;
    general.method = Method::fft;
    general.programs = Programs::general;
    int found = 0;
    for (const int height : {4000, 5500, 7001, 9000}) {
        Problem problem = like;
        problem.image = {300, height};
        const Plan whole = make_plan(problem, kNvidia, general);
        std::vector<PassRecord> records;
        const auto add = [&](const Plan& plan, double factor) {
            for (const PassLoad& load : loads_of(problem, plan.fft()))
                records.push_back({load.pass, load.filled, {{load.lines, factor * model_ns(load, kNvidia)}}});
        };
        add(whole, 1);
        const auto rows = gpu_menu_line(whole.fft().x.length, false, Precision::float32, kNvidia);
        const auto columns = gpu_menu_line(2048, true, Precision::float32, kNvidia);
        add(make_plan(problem, kNvidia, menu_decisions(rows.value(), columns.value(), general, 6)), 0.1);
        const auto decisions = measured_decisions(whole, kNvidia, general, PassCosts(records, kNvidia));
        ASSERT_TRUE(decisions);
        const Plan plan = make_plan(problem, kNvidia, *decisions);
        found += plan.fft().y.parts > 1;
        for (const Recipe& recipe : recipes_of(plan, kNvidia))
            EXPECT_TRUE(menu.contains(text_of(recipe))) << recipe.name;
    }
    EXPECT_GT(found, 0);
}

TEST(Menu, HoldsThoseOfIterations)
{
    Problem like = photograph({1, 1}, 31);
    like.channels = 1;
    like.input = like.output = SampleType::float32;
    like.border = Border::zero;
    like.alternates = true;
    std::set<std::string> menu;
    for (const Recipe& recipe : menu_programs(like, kNvidia)) menu.insert(text_of(recipe));
    for (const Recipe& recipe : programs_of_random_sizes(repetitions(400), like, kNvidia))
        EXPECT_TRUE(menu.contains(text_of(recipe))) << recipe.name;
}

TEST(Menu, NamesItsProgramsApart)
{
    const auto programs = programs_of_random_sizes(repetitions(200), photograph({1, 1}, 63), kNvidia);
    std::set<std::string> names;
    for (const Recipe& recipe : programs) names.insert(recipe.name);
    EXPECT_EQ(names.size(), programs.size());
}

}  // namespace
}  // namespace clconv::test
