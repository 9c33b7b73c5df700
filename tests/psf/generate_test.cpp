// SPDX-License-Identifier: Apache-2.0
#include "psf/generate.h"

#include "base/errors.h"
#include "support/repetitions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

namespace clconv {
namespace {

Psf no_file(const std::string& name) { throw InputError(name + ": cannot be read"); }

/// Any value of an argument's range, small ones as likely as large ones.
double any_value(const KindArgument& argument, std::mt19937& random)
{
    std::uniform_real_distribution<double> even(0, 1);
    const double t = even(random);
    if (t < 0.1) return argument.minimum;
    if (t > 0.9) return argument.maximum;
    const double value = argument.minimum > 0
                             ? argument.minimum * std::pow(argument.maximum / argument.minimum, even(random))
                             : argument.minimum + (argument.maximum - argument.minimum) * even(random);
    return argument.type == ArgumentType::whole ? std::round(value) : value;
}

/// Words of the kind with some of its arguments, within their ranges.
std::string any_words(const PsfKind& kind, std::mt19937& random)
{
    std::string words = std::string(kind.name) + ":";
    const bool by_radius = random() % 2 == 0;
    for (const KindArgument& argument : kind.arguments) {
        const bool optics = argument.name == "fnumber" || argument.name == "pitch";
        const bool has_optics = kind.argument("pitch") != nullptr;
        if (argument.type == ArgumentType::text || argument.name == "sx" || argument.name == "sy") continue;
        if (has_optics && (argument.name == "radius" ? !by_radius : optics && by_radius)) continue;
        if (argument.default_value && !optics && random() % 2 == 0) continue;
        words += std::string(argument.name) + "=" + std::to_string(any_value(argument, random)) + ",";
    }
    return words + "size=9";
}

TEST(GeneratedPsf, OfAnyArgumentsWithinTheirRangesIsLightThatSumsToOne)
{
    std::mt19937 random(11);
    int made = 0;
    for (const PsfKind& kind : psf_kinds())
        for (int trial = 0; trial < test::repetitions(15); ++trial) {
            const std::string words = any_words(kind, random);
            SCOPED_TRACE(words);
            try {
                const GeneratedPsf psf = generated(parse_psf_words(words), {}, no_file);
                ++made;
                ASSERT_EQ(psf.psf.extent, (Extent{9, 9}));
                EXPECT_GT(psf.share, 0);
                EXPECT_LT(psf.share, 1 + 1e-3);  // a diffraction pattern's corners are summed as its samples are
                for (const double weight : psf.psf.weights) ASSERT_TRUE(weight >= 0 && weight <= 1) << weight;
                EXPECT_NEAR(std::accumulate(psf.psf.weights.begin(), psf.psf.weights.end(), 0.0), psf.psf.channels,
                            1e-9);
            } catch (const InvalidProblem& error) {
                // Nothing within 9 x 9, or a spot too small or large.
                EXPECT_THAT(error.what(), ::testing::HasSubstr(std::string(kind.name) + ": "));
            }
        }
    EXPECT_GT(made, test::repetitions(120));
}

TEST(GeneratedPsf, OfShortLinesAtAnyAngleIsAsLargeAsTheyAre)
{
    for (const int length : {1, 3, 5, 10, 15, 30})
        for (const char* rest : {"angle=5", "angle=33", "angle=45,width=1", "angle=33,width=6"}) {
            const std::string words = "streak:" + std::to_string(length) + "," + rest;
            SCOPED_TRACE(words);
            const Psf psf = generated(parse_psf_words(words), {}, no_file).psf;
            EXPECT_LE(psf.extent.width, 2 * length + 40);
            EXPECT_LE(psf.extent.height, 2 * length + 40);
        }
    for (const char* words : {"star:5,sharpness=4,blades=5,rotation=12", "star:15,sharpness=10,blades=6,rotation=12"}) {
        const GeneratedPsf star = generated(parse_psf_words(words), {}, no_file);
        EXPECT_LE(star.psf.extent.width, 61) << words;
        EXPECT_NEAR(star.share, 1, 1e-8) << words;
    }
}

TEST(GeneratedPsf, OfABoundedShapeMayHoldAll)
{
    for (const char* kind : {"disc:5", "box:7", "streak:9,angle=20"})
        EXPECT_EQ(generated(parse_psf_words(kind + std::string(",share=1")), {}, no_file).share > 1 - 1e-7, true);
    EXPECT_THROW((void)generated(parse_psf_words("gaussian:2,share=1"), {}, no_file), InvalidProblem);
}

TEST(GeneratedPsf, IsRefusedOrMadeWhateverIsTyped)
{
    const std::string letters = "gaussianbox:2,.5*+e-= \"glow0919sx=3\t\xff%";
    std::mt19937 random(5);
    for (int trial = 0; trial < 20000; ++trial) {
        std::string text = trial % 2 == 0 ? "gaussian:sx=3,sy=1,angle=30*0.5+glow:20,core=2,size=5" : "";
        for (int change = 0; change < 6; ++change) {
            const std::size_t at = text.empty() ? 0 : random() % text.size();
            if (random() % 3 == 0 && !text.empty())
                text.erase(at, 1 + random() % 3);
            else
                text.insert(at, 1, letters[random() % letters.size()]);
        }
        try {
            const PsfWords words = parse_psf_words(text);
            ASSERT_FALSE(words.terms.empty()) << text;
            const std::string name = words.name();
            ASSERT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-+_"),
                      std::string::npos)
                << text;
            ASSERT_FALSE(words.canonical().empty());
        } catch (const InvalidProblem&) {  // NOLINT(bugprone-empty-catch): any other exception is the test's failure
        }
    }
}

}  // namespace
}  // namespace clconv
