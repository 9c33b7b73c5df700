// SPDX-License-Identifier: Apache-2.0
// Devices with little memory, lines that fit no work-group, kernels that do not build.

#include "base/errors.h"
#include "support/convolution_case.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clconv::test {
namespace {

using testing::HasSubstr;

Plan plan_for(const Case& c, const std::shared_ptr<Device>& device)
{
    return make_plan(problem_of(c), device->info().traits, c.decisions);
}

TEST(Residence, LongRowsThroughGlobalMemoryMeetColumnsInWorkGroups)
{
    const auto device = small_device(4096, 64);
    const Case wide{{1700, 21}, 2, {9, 6}, {2, 4}, 2, Border::mirror, Mode::same, with_method(Method::fft)};
    ASSERT_EQ(plan_for(wide, device).fft().rows.residence, Residence::global);
    ASSERT_EQ(plan_for(wide, device).fft().columns.residence, Residence::local);
    expect_right(wide, device);
}

TEST(Residence, RowsThereAndBackMayHaveStagesOfTheirOwn)
{
    Case c{{120, 19}, 3, {9, 6}, {2, 4}, 3, Border::clamp, Mode::same, with_method(Method::fft)};
    c.decisions.lanes = 1;
    c.decisions.radix_x.sequence = {9, 16};
    for (const std::vector<int>& back : {std::vector{16, 9}, {6, 4, 6}, {8, 18}}) {
        c.decisions.radix_back = back;
        expect_right(c, test_device());
    }
}

TEST(Residence, LongColumnsThroughGlobalMemoryMeetRowsInWorkGroups)
{
    const auto device = small_device(4096, 64);
    const Case tall{{21, 1700}, 2, {9, 6}, {2, 4}, 2, Border::mirror, Mode::full, with_method(Method::fft)};
    ASSERT_EQ(plan_for(tall, device).fft().rows.residence, Residence::local);
    ASSERT_EQ(plan_for(tall, device).fft().columns.residence, Residence::global);
    expect_right(tall, device);
}

TEST(Residence, ColumnsThatAWorkItemOwnsMayBeLongerThanLocalMemory)
{
    DeviceInfo info = test_device_info();
    info.traits.local_memory = 4096;  // eight lines of 64 complex floats
    const auto device = std::make_shared<Device>(info);
    Case tall{{21, 170}, 3, {9, 6}, {2, 4}, 3, Border::mirror, Mode::full, with_method(Method::fft)};
    tall.decisions.lanes = 8;
    for (const Programs programs : {Programs::general, Programs::special}) {
        tall.decisions.programs = programs;
        ASSERT_TRUE(plan_for(tall, device).fft().long_columns);
        expect_right(tall, device);
    }
    tall.image = {21, 40};
    EXPECT_FALSE(plan_for(tall, device).fft().long_columns);
}

TEST(Residence, APsfTallerThanTheImageIsRightThroughGlobalMemory)
{
    expect_right({{9, 6}, 2, {31, 40}, {3, 35}, 1, Border::clamp, Mode::same, with_residence(Residence::global)},
                 test_device());
}

TEST(Limits, AGpuOf48KibAnd1024WorkItemsIsRight)
{
    expect_right({{300, 210}, 3, {7, 6}, {2, 3}, 1, Border::reflect, Mode::same, with_method(Method::fft)}, gpu());
}

TEST(Limits, ALargeImageOnASmallGpuIsRight)
{
    // 2304 and 1152 samples: two lines of pairs no longer fit 32 KiB as whole complex cells.
    Case c{{2200, 40}, 1, {64, 3}, {31, 1}, 1, Border::clamp, Mode::same, with_method(Method::fft)};
    c.decisions.rows.lines = 2;
    const auto device = small_gpu();
    ASSERT_TRUE(plan_for(c, device).fft().rows.local.exchange == ExchangeForm::split);
    expect_right(c, device);
}

/// The test device, as if it had so many bytes.
std::shared_ptr<Device> device_of(std::uint64_t bytes)
{
    DeviceInfo info = test_device_info();
    info.traits.global_memory = info.traits.max_allocation = bytes;
    return std::make_shared<Device>(info);
}

TEST(Limits, AnImageThatDoesNotFitTheDeviceIsCutIntoPieces)
{
    const auto device = device_of(400 << 10);
    const auto check = [&](Border border, Mode mode) {
        const Case c{{190, 170}, 2, {23, 34}, {5, 30}, 2, border, mode, with_method(Method::fft)};
        ASSERT_THROW((void)plan_for(c, device), TooLarge);
        expect_right(c, device);
    };
    for (const Border border : all_values<Border>()) check(border, Mode::same);
    check(Border::reflect, Mode::full);
    check(Border::zero, Mode::valid);
}

TEST(Limits, APsfLargerThanThePiecesIsRight)
{
    const Case c{{150, 140}, 2, {61, 64}, {30, 35}, 1, Border::mirror, Mode::same, with_method(Method::fft)};
    // How much memory makes pieces so small depends on the lengths that a device has.
    for (std::uint64_t kibibytes = 260; kibibytes > 100; kibibytes -= 10) {
        const auto device = device_of(kibibytes << 10);
        if (plan_pieces(problem_of(c), device->info().traits, c.decisions).columns.size >= 61) continue;
        expect_right(c, device);
        return;
    }
    FAIL() << "no memory makes pieces smaller than the PSF";
}

TEST(Limits, ADirectSumIsCutIntoPiecesToo)
{
    const auto device = device_of(40 << 10);
    for (const Border border : {Border::wrap, Border::renormalize})
        expect_right({{90, 80}, 1, {3, 4}, {1, 2}, 1, border, Mode::same, with_method(Method::direct)}, device);
}

TEST(Limits, PiecesOfIntegersHoldBordersThatIntegersCannot)
{
    const RandomImage image = random_image({150, 120}, 1, SampleType::u8, 1);
    const auto psf = std::make_shared<const Psf>(random_psf({9, 8}, 1, {2, 2}, 2));
    for (const Border border : {Border::constant, Border::renormalize}) {
        const ConvolveSettings settings{border, {1.25}, Mode::same, false, with_method(Method::fft)};
        const auto whole =
            Convolver(test_device(), KernelSource::embedded(), settings).convolve(image.view, psf, SampleType::float32);
        const auto pieces = Convolver(device_of(200 << 10), KernelSource::embedded(), settings)
                                .convolve(image.view, psf, SampleType::float32);
        ASSERT_THAT(pieces.plan, HasSubstr("pieces of"));
        const auto expected = whole.samples.as<float>();
        EXPECT_LE(errors_of(pieces.samples.as<float>(), {expected.begin(), expected.end()}).plain, 2e-6)
            << name_of(border);
    }
}

TEST(Limits, APsfThatDoesNotFitTheDeviceIsRefusedWithTheNumbers)
{
    const RandomImage image = random_image({800, 600}, 3, SampleType::u8, 1);
    const auto psf = std::make_shared<const Psf>(random_psf({500, 500}, 1, {2, 2}, 2));
    ConvolveSettings settings;
    settings.decisions = with_method(Method::fft);
    Convolver convolver(device_of(1 << 20), KernelSource::embedded(), settings);
    try {
        (void)convolver.convolve(image.view, psf, SampleType::u8);
        FAIL();
    } catch (const InvalidProblem& error) {
        EXPECT_THAT(error.what(), HasSubstr("800x600x3"));
        EXPECT_THAT(error.what(), HasSubstr("nor cut into pieces of 125x125"));
        EXPECT_THAT(error.what(), HasSubstr("of device memory in one piece, and may use"));
    }
}

TEST(BrokenKernels, AreReportedWithTheCompilersLog)
{
    const RandomImage image = random_image({8, 8}, 1, SampleType::u8, 1);
    const auto psf = std::make_shared<const Psf>(random_psf({3, 3}, 1, {1, 1}, 2));
    ConvolveSettings settings;
    settings.decisions = with_method(Method::direct);
    Convolver convolver(test_device(), KernelSource::embedded().with("samples.cl", "no_such_type broken;\n"), settings);
    try {
        (void)convolver.convolve(image.view, psf, SampleType::u8);
        FAIL();
    } catch (const BuildError& error) {
        EXPECT_THAT(error.what(), HasSubstr("(direct.cl) does not build for"));
        EXPECT_THAT(error.what(), HasSubstr("no_such_type"));
        // Where, by the #line directives; NVIDIA's compiler calls every file "<kernel>".
        if (!test_device_info().traits.is_nvidia) {
            EXPECT_THAT(error.what(), HasSubstr("samples.cl"));
        }
    }
}

TEST(BrokenKernels, AMissingFileIsNamed)
{
    const RandomImage image = random_image({8, 8}, 1, SampleType::u8, 1);
    const auto psf = std::make_shared<const Psf>(random_psf({3, 3}, 1, {1, 1}, 2));
    Convolver convolver(test_device(), KernelSource::embedded().with("image.cl", "#include \"gone.cl\"\n"), {});
    try {
        (void)convolver.convolve(image.view, psf, SampleType::u8);
        FAIL();
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), HasSubstr("gone.cl is missing"));
    }
}

/// Sizes at the edges of the mechanism: one, a prime, exactly full, one over.
TEST(Sizes, AtTheEdgesAreRight)
{
    const Decisions decisions = with_method(Method::fft);
    for (const Extent size : {Extent{16, 17}, Extent{31, 32}, Extent{1, 64}, Extent{2, 97}})
        expect_right({size, 1, {1, 1}, {0, 0}, 1, Border::zero, Mode::same, decisions}, test_device());
    for (const Extent size : {Extent{15, 14}, Extent{14, 15}, Extent{5, 3}})
        expect_right({size, 1, {5, 3}, {2, 1}, 1, Border::zero, Mode::valid, decisions}, test_device());
}

}  // namespace
}  // namespace clconv::test
