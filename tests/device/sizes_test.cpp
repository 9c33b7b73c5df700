// SPDX-License-Identifier: Apache-2.0
// What host and device share by one text: kernels/sizes.cl and kernels/lane_stages.cl.
#include "passes/sizes.h"

#include "fft/lane_line.h"
#include "opencl/buffers.h"
#include "opencl/kernel.h"
#include "passes/launcher.h"
#include "support/test_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <vector>

namespace clconv::test {
namespace {

using testing::ElementsAreArray;

// Padding between the fields, on either side, would show as words out of order.
constexpr const char* kProbe = R"(
#define INLINE static inline
#include "sizes.cl"
#include "lane_stages.cl"

__kernel void probe(__global int *words, __global int *counts, const lane_stages line, const sizes given)
{
    const sizes s = KNOWN(given);
    const int from_sizes[] = {s.width, s.height, s.out_width, s.out_height, s.length_x, s.length_y, s.loaded_x, s.loaded_y,
                              s.first_x, s.first_y, s.psf_channels, s.psf_width, s.psf_height, s.planes, s.psf_planes,
                              s.columns, s.packs, s.bundles, as_int(s.column_scale), s.across, s.pieces, s.valid_x, s.valid_y,
                              s.at_x, s.at_y};
    const int count = sizeof from_sizes / sizeof from_sizes[0];
    for (int i = 0; i < count; ++i) words[i] = from_sizes[i];
    const int from_line[] = {line.length, line.count, line.radix[0], line.radix[5], line.step[0], line.step[5], line.set[0],
                             line.set[5], line.forward[0], line.forward[5], line.back[0], line.back[5]};
    for (int i = 0; i < 12; ++i) words[count + i] = from_line[i];
    counts[0] = count;
    counts[1] = sizeof given;
    counts[2] = sizeof line;
}
)";

/// A struct of the words 1, 2, 3, ...
template <class T>
T counted()
{
    std::vector<int> words(sizeof(T) / sizeof(int));
    std::iota(words.begin(), words.end(), 1);
    T made{};
    std::memcpy(&made, words.data(), sizeof made);
    return made;
}

struct Probed {
    std::vector<int> words = std::vector<int>(64);
    std::vector<int> counts = std::vector<int>(3);
};

Probed probe(const Sizes& given, const std::string& defines)
{
    Device& device = *test_device();
    const KernelSource kernels = KernelSource::embedded().with("probe.cl", kProbe);
    Kernel kernel(build(device, kernels, {"probe.cl", "probe.cl", defines, ""}), "probe");
    Probed result;
    const cl::Buffer words = upload(device, result.words);
    const cl::Buffer counts = upload(device, result.counts);
    const auto line = counted<LaneStages>();
    Launcher launcher(device);
    launcher.run("probe", kernel, 1, 1, named("words", words), named("counts", counts), named("line", line),
                 named("given", given));
    launcher.read(words, result.words.data(), result.words.size() * sizeof(int));
    launcher.read(counts, result.counts.data(), result.counts.size() * sizeof(int));
    (void)launcher.finish();
    return result;
}

TEST(SharedStructs, LieTheSameOnTheDevice)
{
    const Probed found = probe(counted<Sizes>(), "");
    EXPECT_EQ(found.counts[1], sizeof(Sizes));
    EXPECT_EQ(found.counts[2], sizeof(LaneStages));
    ASSERT_EQ(found.counts[0], sizeof(Sizes) / sizeof(int)) << "a new field: add it to this probe";
    std::vector<int> expected(found.counts[0]);
    std::iota(expected.begin(), expected.end(), 1);
    EXPECT_THAT(std::vector(found.words.begin(), found.words.begin() + found.counts[0]), ElementsAreArray(expected));
    const int levels[] = {1, 2, 3, 8, 9, 14, 15, 20, 21, 26, 27, 32};
    const auto begin = found.words.begin() + found.counts[0];
    EXPECT_THAT(std::vector(begin, begin + 12), ElementsAreArray(levels));
}

TEST(SharedStructs, AreTheSameAsConstants)
{
    auto sizes = counted<Sizes>();
    sizes.first_x = -31;
    sizes.column_scale = 0x1p-9F;
    const Sizes other{};  // a program that is made for `sizes` ignores these
    EXPECT_EQ(probe(other, constant_sizes_define(sizes)).words, probe(sizes, "").words);
}

}  // namespace
}  // namespace clconv::test
