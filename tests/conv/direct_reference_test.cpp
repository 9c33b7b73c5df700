// SPDX-License-Identifier: Apache-2.0
// The reference sum against sums written out by hand.

#include "conv/direct_reference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clconv::test {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::Pointwise;

//  image   1 2 3     PSF   10 20    origin at 20
//          4 5 6
const std::vector<double> kImage{1, 2, 3, 4, 5, 6};
const std::vector<double> kPsf{10, 20};

Problem problem(Border border, Mode mode)
{
    return {.image = {3, 2}, .psf = {2, 1}, .origin = {1, 0}, .border = border, .mode = mode};
}

std::vector<double> result(Border border, Mode mode, const std::vector<double>& border_value = {})
{
    return direct_reference(problem(border, mode), kImage, kPsf, border_value);
}

TEST(DirectReference, ConvolvesAndDoesNotCorrelate)
{
    // out[x] = 10 I[x + 1] + 20 I[x]: the sample left of the origin looks to the right.
    EXPECT_THAT(result(Border::zero, Mode::same), ElementsAre(20 + 20, 40 + 30, 60, 80 + 50, 100 + 60, 120));
}

TEST(DirectReference, TheBorderStandsWhereTheImageEnds)
{
    EXPECT_THAT(result(Border::clamp, Mode::same), ElementsAre(40, 70, 90, 130, 160, 180));
    EXPECT_THAT(result(Border::wrap, Mode::same), ElementsAre(40, 70, 70, 130, 160, 160));
    EXPECT_THAT(result(Border::mirror, Mode::same), ElementsAre(40, 70, 90, 130, 160, 180));
    EXPECT_THAT(result(Border::reflect, Mode::same), ElementsAre(40, 70, 80, 130, 160, 170));
    EXPECT_THAT(result(Border::constant, Mode::same, {7}), ElementsAre(40, 70, 130, 130, 160, 190));
}

TEST(DirectReference, RenormalizeDividesByTheWeightsThatMetTheImage)
{
    EXPECT_THAT(result(Border::renormalize, Mode::same),
                Pointwise(DoubleEq(), {40 / 30.0, 70 / 30.0, 3.0, 130 / 30.0, 160 / 30.0, 6.0}));
}

TEST(DirectReference, FullBeginsWhereThePsfFirstTouches)
{
    EXPECT_THAT(result(Border::zero, Mode::full), ElementsAre(10, 40, 70, 60, 40, 130, 160, 120));
}

TEST(DirectReference, ValidNeedsNoBorder)
{
    for (const Border border : {Border::zero, Border::clamp, Border::wrap})
        EXPECT_THAT(result(border, Mode::valid), ElementsAre(40, 70, 130, 160));
}

TEST(DirectReference, RowsAreConvolvedLikeColumns)
{
    // The same rotated by 90 degrees: out[y] = 10 I[y + 1] + 20 I[y].
    const Problem rotated{.image = {1, 3}, .psf = {1, 2}, .origin = {0, 1}, .border = Border::zero};
    EXPECT_THAT(direct_reference(rotated, std::vector<double>{1, 2, 3}, kPsf), ElementsAre(40, 70, 60));
}

TEST(DirectReference, ChannelsAreInterleavedInTheImageAndPlanarInThePsf)
{
    const Problem two{.image = {2, 1}, .channels = 2, .psf = {1, 1}, .origin = {0, 0}, .psf_channels = 2};
    const std::vector<double> image{1, 2, 3, 4}, psf{10, 100};
    EXPECT_THAT(direct_reference(two, image, psf), ElementsAre(10, 200, 30, 400));
}

TEST(DirectReference, AConstantBorderHasAValueAChannel)
{
    const Problem two{.image = {1, 1}, .channels = 2, .psf = {2, 1}, .origin = {0, 0}, .border = Border::constant};
    const std::vector<double> image{1, 2}, psf{10, 1}, outside{5, 6};
    EXPECT_THAT(direct_reference(two, image, psf, outside), ElementsAre(10 + 5, 20 + 6));
}

}  // namespace
}  // namespace clconv::test
