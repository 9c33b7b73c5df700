// SPDX-License-Identifier: Apache-2.0
// Enumerations and their names.

#include "base/names.h"

#include "base/choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clconv::test {

enum class Season { spring, summer, autumn, winter };
enum class Nameless { one, two };

}  // namespace clconv::test

namespace clconv {

template <>
inline constexpr auto kNames<test::Season> = std::to_array<Named<test::Season>>({{"spring", test::Season::spring},
                                                                                 {"summer", test::Season::summer},
                                                                                 {"fall", test::Season::autumn},
                                                                                 {"winter", test::Season::winter}});

}  // namespace clconv

namespace clconv::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

static_assert(HasNames<Season> && !HasNames<Nameless>);

TEST(Names, LeadThereAndBack)
{
    EXPECT_EQ(name_of(Season::autumn), "fall");
    for (const Season season : all_values<Season>()) EXPECT_EQ(value_named<Season>(name_of(season)), season);
    EXPECT_EQ(value_named<Season>("autumn"), std::nullopt);
    EXPECT_EQ(value_named<Season>(""), std::nullopt);
}

TEST(Names, AreListedInTheOrderOfTheValues)
{
    EXPECT_THAT(all_values<Season>(), ElementsAre(Season::spring, Season::summer, Season::autumn, Season::winter));
    EXPECT_EQ(names_text<Season>(), "spring, summer, fall or winter");
}

TEST(Names, OfATableThatLacksTheLastValueOrHasThemInAnotherOrderDoNotCompile)
{
    using Row = Named<Season>;
    constexpr std::array<Row, 3> lacks = {{{"a", Season::spring}, {"b", Season::summer}, {"c", Season::autumn}}};
    static_assert(!is_complete(lacks));
    constexpr std::array<Row, 4> mixed = {
        {{"b", Season::summer}, {"a", Season::spring}, {"c", Season::autumn}, {"d", Season::winter}}};
    static_assert(!is_complete(mixed));
    static_assert(is_complete(kNames<Season>));
}

TEST(Names, AWrongOneIsAnsweredWithAll)
{
    EXPECT_EQ(choice<Season>("--season", "fall"), Season::autumn);
    try {
        (void)choice<Season>("--season", "monsoon", "any, ");
        FAIL() << "nothing was thrown";
    } catch (const InvalidProblem& error) {
        EXPECT_STREQ(error.what(), "--season monsoon: no such choice; use any, spring, summer, fall or winter");
    }
}

}  // namespace
}  // namespace clconv::test
