// SPDX-License-Identifier: Apache-2.0
#include "psf/text_psf.h"

#include "base/errors.h"
#include "psf_tools.h"

#include <string>

namespace clconv::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string error_of(std::string_view text)
{
    try {
        static_cast<void>(parse_text_psf(text, "blur.txt"));
    } catch (const InputError& error) {
        return error.what();
    }
    ADD_FAILURE() << "no InputError";
    return {};
}

TEST(TextPsf, IsRowsOfNumbers)
{
    const Psf psf = parse_text_psf("1 2 3\n4 5 6\n", "blur.txt");
    EXPECT_EQ(psf.extent, (Extent{3, 2}));
    EXPECT_EQ(psf.channels, 1);
    EXPECT_EQ(psf.origin, (Position{0, 0}));
    EXPECT_THAT(psf.weights, ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(TextPsf, TakesBlanksTabsAndCommasAlikeAndAMissingLastLineEnd)
{
    EXPECT_THAT(parse_text_psf("1,2\t 3\r\n 4 ,5, 6 ,", "a").weights, ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(TextPsf, IgnoresCommentsAndBlankLines)
{
    EXPECT_THAT(parse_text_psf("# a box\n\n  \n1 1 # first\n#\n1 1\n\n", "a").weights, ElementsAre(1, 1, 1, 1));
}

TEST(TextPsf, TakesSignsFractionsAndExponents)
{
    EXPECT_THAT(parse_text_psf("-1 +2 .5 1e-3 2E2 1e-400 -0", "a").weights, ElementsAre(-1, 2, 0.5, 1e-3, 200, 0, 0));
}

TEST(TextPsf, IgnoresAByteOrderMark)
{
    EXPECT_THAT(parse_text_psf("\xEF\xBB\xBF"
                               "1 2",
                               "a")
                    .weights,
                ElementsAre(1, 2));
}

TEST(TextPsf, AWordThatIsNoNumberIsNamedWithItsLine)
{
    EXPECT_EQ(error_of("1 2\n# comment\n3 four\n"),
              "blur.txt:3: 'four' is not a finite number; a PSF is rows of numbers");
    for (const char* bad : {"1.5x", "1;2", "nan", "inf", "1e400", "--1", "+-1", "+", "0x10", "1e"})
        EXPECT_THAT(error_of(bad), HasSubstr("blur.txt:1: '")) << bad;
}

TEST(TextPsf, RowsOfUnequalLengthAreNamedWithBothCounts)
{
    EXPECT_THAT(error_of("1 2 3\n\n4 5\n"), HasSubstr("blur.txt:3: has 2 numbers, but the rows above have 3"));
}

TEST(TextPsf, NoNumbersAtAllIsAnError)
{
    for (const char* empty : {"", "\n\n", "# only a comment"})
        EXPECT_THAT(error_of(empty), HasSubstr("blur.txt: holds no numbers"));
}

}  // namespace
}  // namespace clconv::testing
