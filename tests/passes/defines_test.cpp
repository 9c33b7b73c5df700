// SPDX-License-Identifier: Apache-2.0
#include "passes/defines.h"

#include <gtest/gtest.h>

namespace clconv::test {
namespace {

TEST(Defines, AreOneALine)
{
    EXPECT_EQ(Defines().add("N", 12).add_lines("#define M 3\n").add("K", -1).text(),
              "#define N 12\n#define M 3\n#define K -1\n");
}

}  // namespace
}  // namespace clconv::test
