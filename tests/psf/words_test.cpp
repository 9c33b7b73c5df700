// SPDX-License-Identifier: Apache-2.0
#include "psf/words.h"

#include "base/errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clconv {
namespace {

TEST(PsfWords, AreDistinguishedFromNamesOfFiles)
{
    for (const char* words : {"gaussian:2.5", "gausian:2", "gausian", "disc*2", "gaussian", "x2:3", "airy : radius=3"})
        EXPECT_TRUE(is_psf_in_words(words)) << words;
    for (const char* file : {"disc.png", "psf.txt", "psfs/disc", "./gaussian", "edges-3", "", "2", ":3", "a b"})
        EXPECT_FALSE(is_psf_in_words(file)) << file;
}

TEST(PsfWords, HaveOneSpellingForOneMeaning)
{
    const std::string canonical = parse_psf_words("polygon:5,blades=6").canonical();
    for (const char* other : {"polygon:radius=5", " polygon : round=0, radius=5.00 * 1", "polygon:5e0,rotation=-0"})
        EXPECT_EQ(parse_psf_words(other).canonical(), canonical) << other;
    for (const char* other : {"polygon:5.01", "polygon:5*2", "polygon:5,size=9", "polygon:5,share=0.5", "disc:5"})
        EXPECT_NE(parse_psf_words(other).canonical(), canonical) << other;
}

TEST(PsfWords, NameFilesSafely)
{
    EXPECT_EQ(parse_psf_words("gaussian:2.50").name(), "gaussian-2.5");
    EXPECT_EQ(parse_psf_words("gaussian:sx=3,sy=1,angle=-30").name(), "gaussian-sx3-sy1-angle-30");
    EXPECT_EQ(parse_psf_words("gaussian:2*0.9+glow:400*-0.1").name(), "gaussian-2x0.9_glow-400x-0.1");
    const std::string one = parse_psf_words("diffraction:3,aperture=../a/b.png").name();
    const std::string other = parse_psf_words("diffraction:3,aperture=../a_b.png").name();
    EXPECT_NE(one, other);
    EXPECT_EQ(one.find('/'), std::string::npos);
    std::string many = "gaussian:1";
    for (int i = 2; i < 60; ++i) many += "+gaussian:" + std::to_string(i);
    EXPECT_LT(parse_psf_words(many).name().size(), 130U);
    EXPECT_NE(parse_psf_words(many).name(), parse_psf_words(many + "+disc:3").name());
}

TEST(PsfWords, QuoteWhatWouldBePunctuation)
{
    const PsfWords words = parse_psf_words("diffraction:radius=2,aperture=\"a+b,c*2=1.png\",spectrum=mono*3+disc:2");
    ASSERT_EQ(words.terms.size(), 2U);
    EXPECT_EQ(words.terms[0].arguments.text("aperture"), "a+b,c*2=1.png");
    EXPECT_EQ(words.terms[0].weight, 3);
    EXPECT_THAT(words.files(), ::testing::ElementsAre("a+b,c*2=1.png"));
}

TEST(PsfWords, TakeSignsAndExponents)
{
    const PsfWords words = parse_psf_words("gaussian:1e+1*+2e-1+disc:+3");
    ASSERT_EQ(words.terms.size(), 2U);
    EXPECT_EQ(words.terms[0].arguments.number("sigma"), 10);
    EXPECT_EQ(words.terms[0].weight, 0.2);
    EXPECT_EQ(words.terms[1].arguments.number("radius"), 3);
}

TEST(PsfKinds, HaveDefaultsWithinTheirRanges)
{
    for (const PsfKind& kind : psf_kinds())
        for (const KindArgument& argument : kind.arguments) {
            EXPECT_FALSE(argument.help.empty()) << kind.name << " " << argument.name;
            if (argument.type == ArgumentType::text) continue;
            EXPECT_LT(argument.minimum, argument.maximum) << kind.name << " " << argument.name;
            if (!argument.default_value) continue;
            EXPECT_GE(*argument.default_value, argument.minimum) << kind.name << " " << argument.name;
            EXPECT_LE(*argument.default_value, argument.maximum) << kind.name << " " << argument.name;
        }
}

}  // namespace
}  // namespace clconv
