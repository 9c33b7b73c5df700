// The table of radices, and that it is the table of kernels/butterfly.cl.

#include "fft/radix.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>

namespace clconv::test {
namespace {

TEST(Radix, TheRequiredStraightLineOnesAreThere)
{
    for (const int size : {2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 32}) {
        const auto radix = supported_radix(size);
        ASSERT_TRUE(radix) << size;
        EXPECT_NE(radix->butterfly, Butterfly::generic) << size;
    }
}

TEST(Radix, PowersOfTwoFrom64To1024AreGeneric)
{
    for (const int size : {64, 128, 256, 512, 1024}) {
        const auto radix = supported_radix(size);
        ASSERT_TRUE(radix) << size;
        EXPECT_EQ(radix->butterfly, Butterfly::generic) << size;
    }
}

TEST(Radix, TheTableAscends)
{
    int before = 1;
    for (const Radix radix : supported_radices()) {
        EXPECT_GT(radix.size, before);
        before = radix.size;
    }
}

TEST(Radix, EveryButterflyIsOneThatItsKindCanDo)
{
    for (const Radix radix : supported_radices()) {
        SCOPED_TRACE(radix.size);
        switch (radix.butterfly) {
            case Butterfly::halves:
                EXPECT_EQ(radix.size % 2, 0);
                // Its halves are a butterfly of kernels/butterfly.cl too.
                EXPECT_TRUE(radix.size == 2 || supported_radix(radix.size / 2));
                break;
            case Butterfly::odd:
                EXPECT_EQ(radix.size % 2, 1);
                EXPECT_LE(radix.size, 13);  // odd_dft's arrays and literal loop bounds
                break;
            case Butterfly::generic: EXPECT_TRUE(std::has_single_bit(static_cast<unsigned>(radix.size))); break;
        }
    }
}

TEST(Radix, OtherSizesAreNotSupported)
{
    for (const int size : {-2, 0, 1, 15, 17, 33, 48, 2048}) EXPECT_FALSE(supported_radix(size)) << size;
}

TEST(Radix, MessagesListAllOfThem)
{
    EXPECT_THAT(supported_radices_text(), testing::StartsWith("2, 3, 4, 5, "));
    EXPECT_THAT(supported_radices_text(), testing::EndsWith(", 512, 1024"));
}

TEST(Radix, AStraightLineStageReadsOneTwiddleAnAngleAndAGenericOneItsWholeCircle)
{
    EXPECT_EQ(twiddle_entries(*supported_radix(8), 1), 1);
    EXPECT_EQ(twiddle_entries(*supported_radix(8), 24), 24);
    EXPECT_EQ(twiddle_entries(*supported_radix(64), 1), 64);
    EXPECT_EQ(twiddle_entries(*supported_radix(64), 24), 64 * 24);
}

TEST(Radix, AButterflyOfTwoTakesSixOperations)
{
    // The sum in four fused steps, the difference from it in two: kernels/butterfly.cl, join_pair.
    EXPECT_DOUBLE_EQ(operations_per_value(*supported_radix(2)), 3);
    EXPECT_DOUBLE_EQ(operations_per_value(*supported_radix(4)), 6);
}

TEST(Radix, AProgramGetsTheButterfliesThatItUses)
{
    const auto of = [](const std::vector<int>& radices) { return butterfly_defines(Butterflies::embedded, radices); };
    EXPECT_EQ(of({2}), "#define BUTTERFLY_LIST\n");
    EXPECT_EQ(of({128}), "#define BUTTERFLY_LIST\n");
    const std::string several = of({9, 24, 8});
    EXPECT_TRUE(
        several.ends_with("#define BUTTERFLY_LIST DFT_ODD(3) DFT_HALVES(4, 2) DFT_HALVES(6, 3) DFT_HALVES(8, 4) "
                          "DFT_ODD(9) DFT_HALVES(12, 6) DFT_HALVES(24, 12)\n"));
    for (const int size : {3, 4, 6, 8, 9, 12, 24})
        EXPECT_NE(several.find("#define ROOTS_" + std::to_string(size) + ' '), std::string::npos) << size;
    EXPECT_TRUE(
        of({4}).starts_with("#define ROOTS_4 ROOT(1.0000000000000000e+00, -0.0000000000000000e+00), "
                            "ROOT(-0.0000000000000000e+00, -1.0000000000000000e+00), ROOT(-1.0000000000000000e+00, "
                            "0.0000000000000000e+00), "
                            "ROOT(0.0000000000000000e+00, 1.0000000000000000e+00)\n"));
    EXPECT_TRUE(butterfly_defines(Butterflies::direct, std::vector{3}).starts_with("#define DIRECT_BUTTERFLIES 1\n"));
}

}  // namespace
}  // namespace clconv::test
