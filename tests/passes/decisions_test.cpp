// SPDX-License-Identifier: Apache-2.0
// Each decision has an effect, and every text that distinguishes plans or programs shows it.

#include "base/errors.h"
#include "base/split.h"
#include "passes/recipes.h"
#include "plan/decision_table.h"
#include "plan/devices.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

namespace clconv::test {
namespace {

/// A plan, and its programs.
struct Work {
    std::string text;
    std::string programs;
    [[maybe_unused]] friend auto operator<=>(const Work&, const Work&) = default;
};

/// For special programs, unless these are decided. None if decisions contradict each other, or the device.
std::optional<Work> work_of(const Problem& problem, const DeviceTraits& traits, const std::string& decision)
{
    Decisions decisions;
    if (!decision.starts_with("method=") && !decision.starts_with("tile")) decisions.method = Method::fft;
    decisions.programs = Programs::special;
    try {
        if (!decision.empty()) decide(decisions, decision);
        const Plan plan = make_plan(problem, traits, decisions);
        Work work{describe_work(plan), ""};
        for (const Recipe& recipe : recipes_of(plan, traits)) work.programs += recipe.key();
        return work;
    } catch (const InvalidProblem&) {
        return std::nullopt;
    }
}

struct Situation {
    Problem problem;
    DeviceTraits traits;
};
std::vector<Situation> situations()
{
    std::vector<Situation> list;
    for (const DeviceTraits& traits : {kNvidia, kSmallGpu, kCpu})
        for (const int side : {9, 40})
            list.push_back({{.image = {640, 480},
                             .channels = 3,
                             .psf = {side, side},
                             .origin = {side / 2, side / 2},
                             .border = Border::clamp},
                            traits});
    return list;
}

TEST(ADecision, ChangesSomePlanWithEachOfItsValues)
{
    for (const DecisionRow& row : decision_rows()) {
        const std::vector<std::string> values = row.listed();
        for (std::size_t i = 1; i < values.size(); ++i) {
            const auto with = [&](const Situation& s, const std::string& value) {
                return work_of(s.problem, s.traits, std::string(row.name) + "=" + value);
            };
            const std::vector<Situation> all = situations();
            EXPECT_TRUE(
                std::ranges::any_of(all, [&](const Situation& s) { return with(s, values[i]) != with(s, values[0]); }))
                << row.name << "=" << values[i] << " is planned as " << values[0]
                << " is: the planner, or a define (src/plan/decision_table.cpp), is missing";
        }
    }
}

TEST(ADecision, IsInThePlansTextIfItChangesPrograms)
{
    for (const DecisionRow& row : decision_rows()) {
        if (row.name == "programs") continue;  // the same work in other programs
        for (const std::string& value : row.listed())
            for (const Situation& s : situations()) {
                const std::string decision = std::string(row.name) + "=" + value;
                const auto with = work_of(s.problem, s.traits, decision), without = work_of(s.problem, s.traits, "");
                if (!with || with->programs == without->programs) continue;
                EXPECT_NE(with->text, without->text)
                    << decision << ": the tuner takes plans of the same text for one plan (src/plan/describe.cpp)";
            }
    }
}

std::string text_of(const std::string& file)
{
    std::ifstream in(CLCONV_SOURCE "/kernels/" + file);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

/// Whether code reads the define: besides comments, and lines that give it a value for a file that is compiled alone.
bool reads(const std::string& file, const std::string& define)
{
    const std::string text = text_of(file);
    return std::ranges::any_of(split(text, '\n'), [&](std::string_view line) {
        line = line.substr(0, line.find("//"));
        return line.find(define) != std::string_view::npos && !line.starts_with("#define " + define);
    });
}

TEST(AVariant, IsADefineThatItsKernelReadsAndThatTheKernelsPageLists)
{
    const std::string page = text_of("README.md");
    for (const DecisionRow& row : decision_rows()) {
        if (!row.variant) continue;
        const std::string kernel = row.variant->program == SharedProgram::rows ? "rows.cl" : "columns.cl";
        const std::string define(row.variant->define);
        EXPECT_TRUE(reads(kernel, define))
            << "kernels/" << kernel << " does not read " << define << ", for " << row.name;
        const std::string line = "| `" + std::string(row.name) + "` | " + define + " | " + kernel + " |";
        EXPECT_NE(page.find(line), std::string::npos) << "kernels/README.md lacks " << line;
    }
}

}  // namespace
}  // namespace clconv::test
