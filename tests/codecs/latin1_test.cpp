// SPDX-License-Identifier: Apache-2.0
#include "formats/latin1.h"

#include <gtest/gtest.h>

#include <string>

using namespace clconv::oiio;

TEST(Latin1, EveryByteIsACharacterAndComesBack)
{
    std::string all;
    for (int code = 0; code < 256; ++code) all += static_cast<char>(code);
    const std::string text = utf8_of_latin1(all);
    EXPECT_EQ(text.size(), 128 + 2 * 128);
    EXPECT_TRUE(is_utf8(text));
    EXPECT_EQ(latin1_of_utf8(text), all);
}

TEST(Latin1, HasNoEuroSign) { EXPECT_EQ(latin1_of_utf8("1 \xE2\x82\xAC"), std::nullopt); }

TEST(Latin1, KnowsUtf8OfAllLengths)
{
    for (const char* text : {"", "a", "\xC3\xB6", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"}) EXPECT_TRUE(is_utf8(text));
    EXPECT_TRUE(is_ascii("a~"));
    EXPECT_FALSE(is_ascii("\xC3\xB6"));
}

TEST(Latin1, RefusesWhatIsNotUtf8)
{
    // Latin-1; cut; a byte of the middle alone; longer than need be; a surrogate; beyond the last character.
    for (const char* text :
         {"J\xF6rg", "\xE2\x82", "\xAC", "\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xFF"})
        EXPECT_FALSE(is_utf8(text)) << text;
}
