// SPDX-License-Identifier: Apache-2.0
// The table of radices, and that kernels/butterfly.cl agrees with it.

#include "fft/radix.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

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
    for (const Radix& radix : supported_radices()) {
        EXPECT_GT(radix.size, before);
        before = radix.size;
    }
}

TEST(Radix, EveryButterflyIsOneThatItsKindCanDo)
{
    for (const Radix& radix : supported_radices()) {
        SCOPED_TRACE(radix.size);
        switch (radix.butterfly) {
            case Butterfly::halves:
                EXPECT_EQ(radix.size % 2, 0);
                // Its halves are a butterfly of kernels/butterfly.cl too.
                EXPECT_TRUE(radix.size == 2 || supported_radix(radix.size / 2));
                break;
            case Butterfly::odd:
                EXPECT_EQ(radix.size % 2, 1);
                EXPECT_LE(radix.size, largest_odd_radix());  // odd_dft's arrays and loop bounds
                break;
            case Butterfly::generic: EXPECT_TRUE(std::has_single_bit(static_cast<unsigned>(radix.size))); break;
        }
    }
}

/// The text of a file.
std::string text_of(const std::string& path)
{
    std::ifstream file(std::string(CLCONV_SOURCE) + "/" + path);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// The radices of the row of docs/radix-study.md that begins with `kind`: "| odd | 3 5 7 |".
std::string documented(const std::string& kind)
{
    const std::string page = text_of("docs/radix-study.md");
    const std::size_t row = page.find("\n| " + kind + " |");
    return row == std::string::npos ? "" : page.substr(row + 1, page.find('\n', row + 1) - row - 1);
}

TEST(Radix, EveryOneHasAllThatItNeeds)
{
    const std::string halves = documented("halves"), odd = documented("odd"), generic = documented("generic");
    for (const Radix& radix : supported_radices()) {
        SCOPED_TRACE("radix " + std::to_string(radix.size));
        const bool is_generic = radix.butterfly == Butterfly::generic;
        const bool has_costs = radix.row_ps < kUnmeasuredPs && radix.column_ps < kUnmeasuredPs;
        EXPECT_NE(has_costs, is_generic) << "its costs on GPUs, in the table of src/fft/radix.cpp";
        const std::string list = butterfly_defines(Butterflies::embedded, std::vector{radix.size});
        const std::string call = radix.size % 2 ? " DFT_ODD(" : " DFT_HALVES(";
        const bool is_listed = list.find(call + std::to_string(radix.size)) != std::string::npos;
        EXPECT_EQ(is_listed, !is_generic && radix.size > 2) << "its butterfly";
        // Kernels compute larger radices in a loop: kernels/cells.cl, global_stage.cl.
        EXPECT_EQ(radix.size > 32, is_generic) << "its kind";
        const std::string& row = is_generic ? generic : radix.size % 2 ? odd : halves;
        EXPECT_NE((row + " ").find(" " + std::to_string(radix.size) + " "), std::string::npos)
            << "its place in docs/radix-study.md, in the table of kinds: " << row;
    }
    // Kernel tests walk the table. The bound for odd radices stands in the kernel too.
    const std::string kernel = text_of("kernels/butterfly.cl");
    EXPECT_NE(kernel.find("#define MOST_ODD " + std::to_string(largest_odd_radix()) + "\n"), std::string::npos)
        << "the default of MOST_ODD in kernels/butterfly.cl is the largest odd radix";
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
