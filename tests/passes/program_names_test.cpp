// SPDX-License-Identifier: Apache-2.0
#include "passes/program_names.h"

#include "base/errors.h"
#include "passes/recipes.h"
#include "plan/devices.h"
#include "support/repetitions.h"
#include "support/variants.h"

#include <gmock/gmock.h>

#include <array>
#include <cctype>
#include <map>
#include <vector>

namespace clconv::test {
namespace {

using testing::ElementsAre;

Problem photograph()
{
    return {.image = {640, 480}, .channels = 3, .psf = {63, 63}, .origin = {31, 31}, .border = Border::clamp};
}

/// Problems whose programs differ.
std::vector<Problem> problems()
{
    std::vector<Problem> all(15, photograph());
    all[1].border = Border::renormalize;
    all[2].input = SampleType::half;
    all[3].channels = 4;
    all[4].decode_srgb = all[4].encode_srgb = true;
    all[5].encode_srgb = true;
    all[6].blend = {Blend::sum, false, true, false};
    all[7].blend = {Blend::sum, false, true, true};
    all[8].blend = {Blend::screen, true, true, true};
    all[9].layout = Layout::planar;
    all[10].precision = Precision::half;
    all[11].image = {2000, 1000};
    all[12].output = SampleType::u8;
    all[13] = all[12];
    all[13].counts_clamped = true;
    all[14].blend = {Blend::sum, false, true, false, true};
    all.resize(static_cast<std::size_t>(repetitions(15)));
    return all;
}

/// What tuner and studies try, and "".
std::vector<std::string> all_decisions()
{
    std::vector<std::string> list = forced_variants();
    for (const char* decision :
         {"", "method=fft", "method=tiled", "method=direct", "programs=special", "residence=global", "padding=3",
          "padding=none", "butterflies=direct", "order=dif-dit", "lanes=1", "row-exchange=split"})
        list.emplace_back(decision);
    return list;
}

std::vector<Recipe> programs_of(const DeviceTraits& traits)
{
    std::vector<Recipe> programs;
    for (const Problem& problem : problems())
        for (const std::string& decision : all_decisions())
            for (const bool is_fft : {false, true}) try {
                    Decisions decisions;
                    if (is_fft) decisions.method = Method::fft;
                    if (!decision.empty()) decide(decisions, decision);
                    const auto more = recipes_of(make_plan(problem, traits, decisions), traits);
                    programs.insert(programs.end(), more.begin(), more.end());
                } catch (const InvalidProblem&) {  // decisions that contradict each other, or are not for this device
                }
    return programs;
}

/// Those of three devices. To plan them takes seconds.
const std::array<std::vector<Recipe>, 3>& all_programs()
{
    static const std::array programs = {programs_of(kNvidia), programs_of(kSmallGpu), programs_of(kCpu)};
    return programs;
}

TEST(ProgramNames, TellProgramsApart)
{
    for (const std::vector<Recipe>& programs : all_programs()) {
        std::map<std::string, std::string> keys;
        for (const Recipe& program : programs) {
            const auto [known, is_new] = keys.try_emplace(program.name, program.key());
            EXPECT_EQ(known->second, program.key()) << program.name;
        }
        EXPECT_GT(keys.size(), 30u);
    }
}

TEST(ProgramNames, AreOneWordThatFilesCanHave)
{
    for (const std::vector<Recipe>& programs : all_programs())
        for (const Recipe& program : programs) {
            EXPECT_LE(program.name.size(), 250u) << program.name;
            for (const char letter : program.name)
                EXPECT_TRUE(std::islower(static_cast<unsigned char>(letter)) != 0 ||
                            std::isdigit(static_cast<unsigned char>(letter)) != 0 || letter == '.' || letter == '-')
                    << program.name;
        }
}

std::vector<std::string> names(const Problem& problem, const DeviceTraits& traits,
                               const std::vector<std::string>& wishes)
{
    Decisions decisions;
    for (const std::string& wish : wishes) decide(decisions, wish);
    std::vector<std::string> found;
    for (const Recipe& recipe : recipes_of(make_plan(problem, traits, decisions), traits)) found.push_back(recipe.name);
    return found;
}

TEST(ProgramNames, TellSpecialProgramsApartByTheLinesOfBothAxes)
{
    for (const char* residence : {"residence=global", "residence=local"}) {
        std::map<std::string, std::string> keys;
        for (const char* columns : {"column-radices=10.8.8", "column-radices=16.8.8"}) {
            Decisions decisions;
            for (const char* wish : {"method=fft", "programs=special", residence, "row-radices=16.8.8", columns})
                decide(decisions, wish);
            for (const Recipe& program : recipes_of(make_plan(photograph(), kNvidia, decisions), kNvidia)) {
                const auto [known, is_new] = keys.try_emplace(program.name, program.key());
                EXPECT_EQ(known->second, program.key()) << program.name;
            }
        }
    }
}

TEST(ProgramNames, SayWhatAProgramWasMadeFor)
{
    Problem problem = photograph();
    problem.input = SampleType::u8;
    problem.output = SampleType::half;
    problem.decode_srgb = true;
    EXPECT_THAT(names(problem, kCpu, {"method=fft"}),
                ElementsAre("rows-lanes-any-u8x3-to-half-linear-in", "columns-lanes-any"));
    problem.psf = {9, 7};
    problem.origin = {4, 3};
    EXPECT_THAT(
        names(problem, kNvidia, {"residence=global", "row-radices=64.16", "column-radices=32.16", "programs=general"}),
        ElementsAre("columns-ends-bundle4x2", "rows-ends-bundle4x2-u8x3-to-half-linear-in", "stage-16", "stage-32",
                    "stage-64"));
}

}  // namespace
}  // namespace clconv::test
