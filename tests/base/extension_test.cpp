// SPDX-License-Identifier: Apache-2.0
#include "base/extension.h"

#include <gtest/gtest.h>

namespace clconv {
namespace {

TEST(Extension, IsInLowerCaseWithoutItsDot)
{
    EXPECT_EQ(extension_of("folder.d/photo.JPG"), "jpg");
    EXPECT_EQ(extension_of("m31.fits.FZ"), "fz");
    EXPECT_EQ(extension_of("photo."), "");
    EXPECT_EQ(extension_of("photo"), "");
    EXPECT_EQ(extension_of(".hidden"), "");
}

TEST(LowerCase, IsOfLettersOfAsciiAlone) { EXPECT_EQ(lower_case("AZaz09_Ä"), "azaz09_Ä"); }

}  // namespace
}  // namespace clconv
