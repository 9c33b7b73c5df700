// SPDX-License-Identifier: Apache-2.0
// The table of a blend's properties.
#include "conv/blend.h"

#include "conv/problem.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace clconv::test {
namespace {

TEST(BlendFlags, HaveARowForEachPropertyOfAShape)
{
    // A new property does not compile here: it needs a name in this list, and a row.
    [[maybe_unused]] const auto [blend, masked, highlights, leaves, layers, boosts, early_alpha] = BlendShape{};
    EXPECT_EQ(kBlendFlags.size(), 6U);
    std::set<BlendShape> shapes;
    for (const BlendFlag& flag : kBlendFlags) {
        BlendShape shape;
        shape.*flag.is_set = true;
        shapes.insert(shape);
    }
    EXPECT_EQ(shapes.size(), kBlendFlags.size()) << "two rows of one property";
}

TEST(BlendFlags, ChangeTheTokenOfAProblem)
{
    std::set<std::string> tokens{token(Problem{})};
    for (const BlendFlag& flag : kBlendFlags) {
        Problem problem;
        problem.input = SampleType::u16;  // for 8 bits, boosts are in tables
        problem.blend.*flag.is_set = true;
        tokens.insert(token(problem));
    }
    EXPECT_EQ(tokens.size(), kBlendFlags.size() + 1);
}

TEST(BlendFlags, OfABoostDoNotChangeProgramsThatReadItFromTables)
{
    Problem problem;
    problem.input = SampleType::u8;
    const std::string without = program_key(problem);
    problem.blend.boosts = true;
    EXPECT_EQ(program_key(problem), without);
}

}  // namespace
}  // namespace clconv::test
