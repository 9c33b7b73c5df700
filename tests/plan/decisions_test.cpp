// SPDX-License-Identifier: Apache-2.0
// Reading what the user forces. Messages about wrong words list the right ones.

#include "plan/decisions.h"

#include "plan/tools.h"

#include "base/errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clconv::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(ParseRadix, AutoForcesNothing)
{
    const RadixRequest request = parse_radix("auto");
    EXPECT_FALSE(request.largest);
    EXPECT_TRUE(request.sequence.empty());
}

TEST(ParseRadix, ANumberIsTheLargestRadix)
{
    const RadixRequest request = parse_radix("32");
    EXPECT_EQ(request.largest, 32);
    EXPECT_TRUE(request.sequence.empty());
}

TEST(ParseRadix, AListIsTheWholeSequenceInItsOrder)
{
    const RadixRequest request = parse_radix("4,16,3");
    EXPECT_FALSE(request.largest);
    EXPECT_THAT(request.sequence, ElementsAre(4, 16, 3));
}

TEST(ParseRadix, WhatIsNoSupportedRadixIsNamedWithThoseThatAre)
{
    for (const char* text : {"15", "", "16,", ",16", "16,,16", "16 ,16", "0x10", "-2", "16,17", "many", "2048"}) {
        const std::string message = complaint([&] { (void)parse_radix(text); });
        EXPECT_THAT(message, HasSubstr(std::string("--radix ") + text + ":")) << text;
        EXPECT_THAT(message, HasSubstr("2, 3, 4, 5, 6, 7, 8")) << text;
    }
    EXPECT_THAT(complaint([] { (void)parse_radix("1024,1024,2"); }), HasSubstr("1048576"));
    EXPECT_THAT(complaint([] { (void)parse_radix("1024,1024,1024,1024,1024,1024,1024,1024"); }), HasSubstr("product"));
    EXPECT_THAT(complaint([] { (void)parse_radix("16,17"); }), HasSubstr("'17'"));
}

TEST(Decide, SetsWhatItNames)
{
    Decisions decisions;
    decide(decisions, "method=direct");
    decide(decisions, "residence=global");
    EXPECT_EQ(decisions.method, Method::direct);
    EXPECT_EQ(decisions.residence, Residence::global);
    decide(decisions, "method=fft");
    decide(decisions, "residence=local");
    EXPECT_EQ(decisions.method, Method::fft);
    EXPECT_EQ(decisions.residence, Residence::local);
}

TEST(Decide, APaddingIsThatOfTheBanksOrNoneOrSoManyCells)
{
    Decisions decisions;
    decide(decisions, "padding=banks");
    EXPECT_FALSE(decisions.padding->cells);
    decide(decisions, "padding=none");
    EXPECT_EQ(decisions.padding->cells, 0);
    decide(decisions, "padding=5");
    EXPECT_EQ(decisions.padding->cells, 5);
    EXPECT_THAT(complaint([&] { decide(decisions, "padding=-1"); }), HasSubstr("padding=banks|none|N"));
}

TEST(Explained, HasEveryKeyWithItsMeaningAndWhatIsDecided)
{
    Decisions decisions;
    decide(decisions, "padding=none");
    const auto list = explained(decisions);
    ASSERT_EQ(list.size(), decision_keys().size());
    for (std::size_t i = 0; i < list.size(); ++i) {
        EXPECT_EQ(std::string(list[i].key) + "=" + std::string(list[i].values), decision_keys()[i]);
        EXPECT_FALSE(list[i].meaning.empty());
        EXPECT_EQ(list[i].value, list[i].key == "padding" ? "none" : "");
    }
}

TEST(Decide, AnUnknownKeyIsAnsweredWithAllKeys)
{
    Decisions decisions;
    const std::string message = complaint([&] { decide(decisions, "colour=red"); });
    EXPECT_THAT(message, HasSubstr("colour=red"));
    for (const std::string& key : decision_keys()) EXPECT_THAT(message, HasSubstr(key));
}

TEST(Decide, AWrongValueIsAnsweredWithThatKeysValues)
{
    Decisions decisions;
    for (const char* text : {"method=fast", "method=", "method"}) {
        const std::string message = complaint([&] { decide(decisions, text); });
        EXPECT_THAT(message, HasSubstr(text));
        EXPECT_THAT(message, HasSubstr("method=direct|tiled|fft"));
    }
    EXPECT_FALSE(decisions.method);
}

TEST(Decide, NothingIsDecidedAtFirstAndTheOrderOfTellingIsForgotten)
{
    EXPECT_TRUE(decided({}).empty());
    Decisions one, other;
    decide(one, "tile-columns=4");
    decide(one, "method=fft");
    other.bundle_columns = 4;
    other.method = Method::fft;
    EXPECT_THAT(decided(one), ElementsAre("method=fft", "tile-columns=4"));
    EXPECT_EQ(decided(one), decided(other));
}

TEST(Decide, EveryListedValueIsTaken)
{
    for (const std::string& key : decision_keys()) {
        const std::string name = key.substr(0, key.find('='));
        std::string values = key.substr(key.find('=') + 1);
        for (std::size_t end = 0; end != std::string::npos;) {
            end = values.find('|');
            Decisions decisions;
            std::string value = values.substr(0, end);
            if (value == "N") value = "2";
            if (value == "R") value = "16";
            if (value == "R.R...") value = "16.9.8";
            EXPECT_NO_THROW(decide(decisions, name + "=" + value));
            EXPECT_THAT(decided(decisions), ElementsAre(name + "=" + value))
                << "what was read can be written and read again";
            values = end == std::string::npos ? "" : values.substr(end + 1);
        }
    }
}

TEST(Decide, NumbersHaveARangeThatTheAnswerNames)
{
    Decisions decisions;
    for (const std::string& key : decision_keys()) {
        const std::string name = key.substr(0, key.find('='));
        if (!key.ends_with("=N") && !key.ends_with("|N")) continue;
        const std::string maximum = name == "padding" ? "512" : "4096";
        EXPECT_NO_THROW(decide(decisions, name + "=" + maximum));
        for (const char* number : {"4097", "0", "-1", "2147483647", "4294967297", "99999999999999999999"})
            EXPECT_THAT(complaint([&] { decide(decisions, name + "=" + number); }),
                        HasSubstr("N from 1 to " + maximum));
    }
    EXPECT_THAT(complaint([&] { decide(decisions, "padding=513"); }), HasSubstr("N from 1 to 512"));
    EXPECT_THAT(complaint([&] { decide(decisions, "tile=4294967360x64"); }), HasSubstr("write tile="));
}

}  // namespace
}  // namespace clconv::test
