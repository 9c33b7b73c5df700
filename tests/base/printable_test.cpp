// SPDX-License-Identifier: Apache-2.0
#include "base/printable.h"

#include <gtest/gtest.h>

namespace clconv::test {
namespace {

TEST(Printable, OrdersToATerminalAreWrittenOut)
{
    EXPECT_EQ(printable("a\x1B[2J\x07\x7F.png"), "a\\x1B[2J\\x07\\x7F.png");
    EXPECT_EQ(printable("a\xC2\x9B"
                        "2J"),
              "a\\xC2\\x9B2J");
}

TEST(Printable, TextOfEveryLanguageStaysAsItIs)
{
    for (const char* text :
         {"", "plain\ttext\nof two lines", "\xC3\xA9t\xC3\xA9 \xE5\x86\x99\xE7\x9C\x9F \xC2\xA0", "\xC2", "\xFF\x80"})
        EXPECT_EQ(printable(text), text);
}

}  // namespace
}  // namespace clconv::test
