// SPDX-License-Identifier: Apache-2.0
// The variants of docs/radix-study.md: each gives the right result, whatever it does to the speed.

#include "support/variants.h"
#include "base/errors.h"
#include "support/convolution_case.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace clconv::test {
namespace {

Decisions decisions_from(const std::vector<std::string>& key_values)
{
    Decisions decisions = with_method(Method::fft);
    for (const std::string& key_value : key_values) decide(decisions, key_value);
    return decisions;
}

/// What is forced, and words that the plan must then have, so that a variant that is silently left out fails.
struct Variant {
    std::vector<std::string> decisions;
    std::string in_plan;
};

class AVariant : public testing::TestWithParam<Variant> {
protected:
    /// On a GPU whose work-groups share lines of several stages, also where the device is a CPU.
    static void expect_case(Case c)
    {
        c.decisions = decisions_from(GetParam().decisions);
        const auto device = c.decisions.lanes == 8 ? test_device() : small_gpu();
        const Plan plan = make_plan(problem_of(c), device->info().traits, c.decisions);
        EXPECT_NE(describe(plan).find(GetParam().in_plan), std::string::npos) << describe(plan);
        expect_right(c, device);
    }
};

TEST_P(AVariant, IsRightForAPsfOfEachChannel)
{
    if (decisions_from(GetParam().decisions).product == Product::gray) {
        const Case c{{24, 20}, 3, {5, 4}, {2, 1}, 3, Border::mirror, Mode::full, decisions_from(GetParam().decisions)};
        EXPECT_THROW(expect_right(c, small_gpu()), InvalidProblem);
        return;
    }
    expect_case({{121, 97}, 3, {12, 7}, {5, 0}, 3, Border::mirror, Mode::full});
}

/// Where channels go and what the passes are, which may depend on what happens at loads and stores. The others change
/// lines alone, so one border is enough for them.
class AVariantOfTheTable : public AVariant {};

TEST_P(AVariantOfTheTable, IsRightWithTablesOfABorder)
{
    expect_case({{70, 45}, 2, {9, 6}, {2, 4}, 1, Border::renormalize, Mode::same});
}

std::string name_of_variant(const testing::TestParamInfo<Variant>& given)
{
    std::string name;
    for (const std::string& decision : given.param.decisions)
        for (const char c : decision) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    return name;
}

INSTANTIATE_TEST_SUITE_P(
    Variants, AVariant,
    testing::Values(
        Variant{{"radix-order=ascending", "padding=3", "row-largest=8", "column-largest=8"}, "local"},
        Variant{{"padding=none", "row-exchange=ping-pong", "column-exchange=ping-pong"}, "ping-pong"},
        Variant{{"butterflies=direct"}, "direct butterflies"},
        Variant{{"butterflies=direct", "residence=global"}, "direct butterflies"},
        Variant{{"butterflies=direct", "lanes=8"}, "direct butterflies"},
        Variant{{"passes=separate", "row-exchange=split", "column-exchange=split"}, "columns, product, columns"},
        Variant{{"order=dif-dit"}, "dif-dit"},
        Variant{{"order=dif-dit", "column-exchange=split", "padding=3"}, "split, "},
        Variant{{"column-parts=3"}, "in 3 parts"}, Variant{{"column-parts=3", "lanes=8"}, "in 3 parts"},
        Variant{{"column-parts=2", "lanes=16", "programs=general"}, "in 2 parts"},
        Variant{{"column-parts=2", "packing=channels", "column-lines=2", "order=dif-dit"}, "in 2 parts"},
        Variant{{"packing=channels", "row-lines=2", "column-lines=2", "passes=separate"}, "two channels a line"}),
    name_of_variant);

/// The variants of the table of decisions. Unit tests check that each changes plans.
std::vector<Variant> variants_of_the_table()
{
    std::vector<Variant> list;
    for (const std::string& decision : forced_variants()) list.push_back({{decision}, ""});
    return list;
}

INSTANTIATE_TEST_SUITE_P(OfTheTable, AVariant, testing::ValuesIn(variants_of_the_table()), name_of_variant);
INSTANTIATE_TEST_SUITE_P(OfTheTable, AVariantOfTheTable, testing::ValuesIn(variants_of_the_table()), name_of_variant);

TEST(ColumnsInParts, AreRightWithEveryBorderAndMode)
{
    for (const Border border : all_values<Border>())
        for (const Mode mode : all_values<Mode>()) {
            SCOPED_TRACE(fmt::format("{} {}", name_of(border), name_of(mode)));
            Case c{{20, 61}, 2, {3, 10}, {1, 8}, 1, border, mode, decisions_from({"column-parts=3", "padding=1"})};
            c.decisions.programs = mode == Mode::valid ? Programs::general : Programs::special;
            expect_right(c, small_gpu());
        }
}

/// In place, so that no part may overwrite what a later one needs: also of PSFs whose origin is far from their middle.
TEST(ColumnsInParts, AreRightInLanesWithEveryBorderAndMode)
{
    for (const Border border : all_values<Border>())
        for (const Mode mode : all_values<Mode>())
            for (const int origin : {0, 8, 20}) {
                SCOPED_TRACE(fmt::format("{} {} {}", name_of(border), name_of(mode), origin));
                const int parts = 2 + origin / 4;
                expect_right({{20, 91},
                              2,
                              {3, 21},
                              {1, origin},
                              1,
                              border,
                              mode,
                              decisions_from({fmt::format("column-parts={}", parts), "lanes=8"})},
                             small_gpu());
            }
}

TEST(ColumnsInParts, AreRightInHalfAndDouble)
{
    for (const Precision precision : {Precision::half, Precision::float64}) {
        Case c{{33, 50}, 1, {5, 5}, {2, 2}, 1, Border::zero, Mode::same, decisions_from({"column-parts=4"})};
        c.precision = precision;
        expect_right(c, small_gpu());
        decide(c.decisions, "lanes=8");
        expect_right(c, small_gpu());
    }
}

TEST(Variants, AreRightForTheSmallestImages)
{
    std::vector<std::string> decisions = forced_variants();
    decisions.emplace_back("order=dif-dit");
    Case c{{1, 9}, 2, {3, 3}, {1, 1}, 1, Border::zero, Mode::same};
    for (const std::string& decision : decisions) {
        SCOPED_TRACE(decision);
        c.decisions = decisions_from({decision});
        expect_right(c, small_gpu());
    }
}

}  // namespace
}  // namespace clconv::test
