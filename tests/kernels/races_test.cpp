// SPDX-License-Identifier: Apache-2.0
// Tiny convolutions and transforms that reach every kernel, to be run under Oclgrind, which watches every access of
// every work-item (tests/kernels/under-oclgrind). The results are checked as well: Oclgrind is an OpenCL device of its
// own.
//
// Sizes are tiny: Oclgrind interprets the kernels instruction by instruction.

#include "engine/coarse_work.h"
#include "engine/deconvolution_work.h"
#include "engine/richardson_lucy_work.h"
#include "fft/reference_dft.h"
#include "opencl/buffers.h"
#include "opencl/program.h"
#include "passes/launcher.h"
#include "passes/line_transform.h"
#include "support/adjoint_case.h"
#include "support/complex_lines.h"
#include "support/convolution_case.h"
#include "support/sample_steps.h"

#include <gtest/gtest.h>

namespace clconv::test {
namespace {

/// A GPU so small that a work-group has several work-items for any line, and long ones are split. Opened for each case,
/// because Oclgrind ends before a device that lives as long as the process.
std::shared_ptr<Device> opened_gpu() { return small_device(32768, 256); }

Decisions with_sequences(std::vector<int> x, std::vector<int> y)
{
    Decisions decisions = with_method(Method::fft);
    decisions.radix_x.sequence = std::move(x);
    decisions.radix_y.sequence = std::move(y);
    return decisions;
}

TEST(Races, RowsAndColumnsOfSeveralStages)
{
    // The last stage of the rows has 10 butterflies, in pairs; that of the columns 6.
    expect_right({{28, 17}, 1, {3, 2}, {1, 0}, 1, Border::clamp, Mode::same, with_sequences({5, 2, 3}, {3, 2, 3})},
                 opened_gpu());
}

TEST(Races, AnOddNumberOfButterfliesInTheLastStageOfTheRows)
{
    expect_right({{13, 6}, 2, {3, 3}, {1, 1}, 2, Border::zero, Mode::same, with_sequences({7, 2}, {4, 2})},
                 opened_gpu());
    expect_right({{13, 6}, 1, {3, 3}, {1, 1}, 1, Border::mirror, Mode::same, with_sequences({3, 5}, {8})},
                 opened_gpu());
}

TEST(Races, LinesOfOneStage)
{
    expect_right({{7, 5}, 1, {2, 2}, {0, 0}, 1, Border::constant, Mode::same, with_sequences({8}, {7})}, opened_gpu());
    expect_right({{6, 5}, 1, {2, 2}, {0, 0}, 1, Border::renormalize, Mode::full, with_sequences({7}, {6})},
                 opened_gpu());
}

TEST(Races, LargeRadices)
{
    expect_right({{30, 30}, 1, {3, 3}, {1, 1}, 1, Border::zero, Mode::same, with_sequences({16, 2}, {32})},
                 opened_gpu());
}

TEST(Races, ASplitExchange)
{
    const Case c{{50, 5}, 1, {3, 3}, {1, 1}, 1, Border::zero, Mode::same, with_sequences({4, 13}, {3, 2})};
    const auto device = small_device(300, 64);
    const Plan plan = make_plan(problem_of(c), device->info().traits, c.decisions);
    ASSERT_TRUE(plan.fft().rows.residence == Residence::local && plan.fft().rows.local.exchange == ExchangeForm::split);
    expect_right(c, device);
}

TEST(Races, APingPongExchange)
{
    // An even and an odd number of stages: where the columns change direction, the two buffers must go on alternating.
    Case c{{28, 17}, 1, {3, 2}, {1, 0}, 1, Border::clamp, Mode::same, with_sequences({5, 2, 3}, {3, 2, 3})};
    decide(c.decisions, "row-exchange=ping-pong");
    decide(c.decisions, "column-exchange=ping-pong");
    expect_right(c, opened_gpu());
    c.decisions.radix_x.sequence = {2, 2, 4, 2};
    c.decisions.radix_y.sequence = {5, 4};
    expect_right(c, opened_gpu());
}

TEST(Races, StagesInPlace)
{
    // Whole and split cells, with and without pads; the columns' barriers are half of those in sorted order.
    Case c{{28, 17}, 1, {3, 2}, {1, 0}, 1, Border::clamp, Mode::same, with_sequences({5, 2, 3}, {3, 2, 4})};
    for (const char* decision : {"order=dif-dit", "padding=1", "column-exchange=split", "column-items=5"}) {
        decide(c.decisions, decision);
        expect_right(c, opened_gpu());
    }
}

TEST(Races, SeparatePassesAndTwoChannelsALine)
{
    Case c{{28, 17}, 3, {3, 2}, {1, 0}, 3, Border::clamp, Mode::same, with_sequences({5, 2, 3}, {3, 2, 3})};
    decide(c.decisions, "passes=separate");
    expect_right(c, opened_gpu());
    decide(c.decisions, "packing=channels");
    expect_right(c, opened_gpu());
    for (const char* decision : {"product=integrated", "column-lines=2"}) decide(c.decisions, decision);
    expect_right(c, opened_gpu());
}

TEST(Races, ColumnsInParts)
{
    Case c{{18, 33}, 2, {3, 4}, {1, 1}, 1, Border::zero, Mode::same, with_sequences({5, 4}, {5, 4})};
    for (const char* decision : {"column-parts=3", "column-lines=2"}) decide(c.decisions, decision);
    expect_right(c, opened_gpu());
    c.border = Border::mirror;
    expect_right(c, opened_gpu());
}

TEST(Races, WholePixels)
{
    Case c{{28, 17}, 3, {3, 2}, {1, 0}, 3, Border::clamp, Mode::same, with_sequences({5, 2, 3}, {3, 2, 3})};
    for (const char* decision : {"storing=pixels", "row-lines=2"}) {
        decide(c.decisions, decision);
        expect_right(c, opened_gpu());
    }
}

TEST(Races, LinesThroughGlobalMemory)
{
    expect_right({{11, 5}, 2, {3, 3}, {1, 1}, 2, Border::reflect, Mode::same, with_residence(Residence::global)},
                 opened_gpu());
}

TEST(Races, LinesThatAWorkItemOwns)
{
    Case c{{50, 20}, 2, {3, 3}, {1, 1}, 1, Border::clamp, Mode::same, with_method(Method::fft)};
    c.decisions.lanes = 8;
    expect_right(c, opened_gpu());
    decide(c.decisions, "column-parts=2");
    expect_right(c, opened_gpu());
    c.border = Border::renormalize;
    c.decisions = with_method(Method::fft);
    c.decisions.lanes = 16;
    expect_right(c, opened_gpu());
}

TEST(Races, LongColumnsThatAWorkItemOwns)
{
    DeviceInfo info = test_device_info();
    info.traits.local_memory = 2048;
    Case c{{20, 50}, 2, {3, 3}, {1, 1}, 1, Border::clamp, Mode::same, with_method(Method::fft)};
    c.decisions.lanes = 8;
    expect_right(c, std::make_shared<Device>(info));
}

TEST(Races, TilesThatWorkItemsShare)
{
    Case c{{39, 35}, 2, {5, 4}, {1, 1}, 1, Border::clamp, Mode::same, with_method(Method::tiled)};
    c.decisions.tile = {32, 32};
    expect_right(c, opened_gpu());
    c.channels = 1;
    c.border = Border::renormalize;
    c.decisions.tile = {64, 64};  // in parts: whole it would not fit
    expect_right(c, opened_gpu());
}

TEST(Races, TilesThatAWorkItemOwns)
{
    Case c{{70, 9}, 1, {5, 4}, {1, 1}, 1, Border::zero, Mode::same, with_method(Method::tiled)};
    c.decisions.tile = {32, 32};
    for (const int lanes : {8, 16}) {
        c.decisions.lanes = lanes;
        expect_right(c, opened_gpu());
    }
}

TEST(Races, TheDirectSum)
{
    expect_right({{9, 7}, 3, {3, 4}, {1, 1}, 1, Border::wrap, Mode::same, with_method(Method::direct)}, opened_gpu());
    expect_right({{9, 7}, 1, {3, 4}, {1, 1}, 1, Border::renormalize, Mode::full, with_method(Method::direct)},
                 opened_gpu());
}

TEST(Races, IntegersAndHalves)
{
    for (const SampleType type : {SampleType::u8, SampleType::u16, SampleType::half}) {
        const RandomImage image = random_image({9, 7}, 3, type, 1);
        const auto psf = std::make_shared<const Psf>(random_psf({3, 2}, 1, {1, 1}, 2));
        ConvolveSettings settings;
        settings.decisions = with_sequences({4, 3}, {8});
        Convolver convolver(opened_gpu(), KernelSource::embedded(), settings);
        const Problem problem = problem_of(image.view, *psf, settings, type);
        const auto reference = direct_reference(problem, image.values, psf->weights);
        const auto result = convolver.convolve(image.view, psf, type);
        for (std::size_t i = 0; i < reference.size(); ++i)
            EXPECT_NEAR(value_at(result.samples, type, i), reference[i],
                        half_a_step(type, reference[i]) + kComputation);
    }
}

/// Codes that are computed in different ways may be rounded to neighbours. The values themselves are those of tests/cli
/// and tests/device, which do not run here.
void expect_same_codes(const std::vector<Bytes>& results)
{
    for (const Bytes& result : results) {
        ASSERT_EQ(result.size(), results.front().size());
        for (std::size_t i = 0; i < result.size(); ++i)
            EXPECT_NEAR(result.as<std::uint8_t>()[i], results.front().as<std::uint8_t>()[i], 1) << "sample " << i;
    }
}

TEST(Races, BlendsOfHighlights)
{
    const RandomImage image = random_image({19, 11}, 3, SampleType::u8, 1);
    ImageView view = image.view;
    view.alpha_channel = 2;
    const auto psf = std::make_shared<const Psf>(random_psf({3, 2}, 1, {1, 1}, 2));
    ConvolveSettings settings;
    settings.blending.blend = Blend::screen;
    settings.blending.leave = 0.5;
    settings.blending.highlights = Highlights{0.3, 0.1, 0.9, 2};
    settings.blending.mask = std::make_shared<const Mask>(Mask{{19, 11}, std::vector<float>(19 * 11, 0.5F)});
    Decisions lanes = with_method(Method::fft);
    lanes.lanes = 8;
    Decisions tiles = with_method(Method::tiled);
    tiles.tile = {32, 32};
    std::vector<Bytes> results;
    // Rows of one stage have no exchange, so that nothing but a barrier makes their tables visible.
    for (const Decisions& decisions : {with_sequences({4, 6}, {4, 3}), with_sequences({24}, {4, 3}),
                                       with_residence(Residence::global), lanes, tiles, with_method(Method::direct)}) {
        settings.decisions = decisions;
        Convolver convolver(opened_gpu(), KernelSource::embedded(), settings);
        results.push_back(convolver.convolve(view, psf, SampleType::u8).samples);
    }
    expect_same_codes(results);
}

TEST(Races, HighlightsAtALowerResolution)
{
    const RandomImage image = random_image({19, 11}, 3, SampleType::u8, 1);
    const auto psf = std::make_shared<const Psf>(random_psf({9, 7}, 1, {4, 3}, 2));
    ConvolveSettings settings;
    settings.border = Border::mirror;
    settings.blending.blend = Blend::sum;
    settings.blending.highlights = Highlights{0.3, 0.1, 0.9, 2};
    settings.decisions = with_method(Method::direct);
    for (const int factor : {2, 4}) {
        std::vector<Bytes> results;
        for (const int lanes : {1, 8}) {
            settings.work = work_at_resolution(factor);
            settings.decisions.lanes = lanes;
            Convolver convolver(opened_gpu(), KernelSource::embedded(), settings);
            results.push_back(convolver.convolve(image.view, psf, SampleType::u8).samples);
        }
        expect_same_codes(results);
    }
}

TEST(Races, Adjoints)
{
    for (const Border border : {Border::mirror, Border::renormalize})
        expect_adjoint({{9, 7}, 2, {4, 3}, {2, 1}, 2, border, Mode::same, with_sequences({4, 4}, {3, 4})},
                       opened_gpu());
}

TEST(Races, RichardsonLucy)
{
    const RandomImage image = random_image({9, 7}, 2, SampleType::u8, 1);
    const auto psf = std::make_shared<const Psf>(random_psf({4, 3}, 1, {2, 1}, 2));
    ConvolveSettings settings;
    for (const Acceleration acceleration : all_values<Acceleration>()) {
        std::vector<Bytes> results;
        settings.work = richardson_lucy_work({.iterations = 3,
                                              .acceleration = acceleration,
                                              .total_variation = 0.01,
                                              .weights = SampleWeights{true, nullptr}});
        for (const Method method : {Method::direct, Method::fft}) {
            settings.decisions = with_method(method);
            Convolver convolver(opened_gpu(), KernelSource::embedded(), settings);
            results.push_back(convolver.convolve(image.view, psf, SampleType::u8).samples);
        }
        expect_same_codes(results);
    }
}

TEST(Races, RichardsonLucyOfLuminance)
{
    const RandomImage image = random_image({9, 7}, 4, SampleType::u8, 1);
    ImageView view = image.view;
    view.alpha_channel = 3;
    const auto psf = std::make_shared<const Psf>(random_psf({4, 3}, 1, {2, 1}, 2));
    std::vector<Bytes> results;
    for (const Method method : {Method::direct, Method::fft}) {
        ConvolveSettings settings;
        settings.decisions = with_method(method);
        settings.work =
            richardson_lucy_work({.iterations = 2, .weights = SampleWeights{true, nullptr}, .by_luminance = true});
        Convolver convolver(opened_gpu(), KernelSource::embedded(), settings);
        results.push_back(convolver.convolve(view, psf, SampleType::u8).samples);
    }
    expect_same_codes(results);
}

TEST(Races, StepsOfRichardsonLucyInRows)
{
    // An odd number of rows, channels of which two share a line, work-groups with rows that do not exist, and one
    // stage.
    const RandomImage image = random_image({9, 7}, 2, SampleType::float32, 1);
    const auto psf = std::make_shared<const Psf>(random_psf({4, 3}, 1, {2, 1}, 2));
    Decisions channels = with_sequences({5, 3}, {4, 3}), lanes = with_method(Method::fft);
    decide(channels, "packing=channels");
    lanes.lanes = 8;
    for (const Decisions& decisions : {with_sequences({5, 3}, {4, 3}), channels, with_sequences({16}, {4, 3}), lanes})
        for (const Acceleration acceleration : all_values<Acceleration>()) {
            ConvolveSettings settings;
            settings.decisions = decisions;
            settings.work = richardson_lucy_work({.iterations = 2, .acceleration = acceleration});
            Convolver convolver(opened_gpu(), KernelSource::embedded(), settings);
            EXPECT_NO_THROW((void)convolver.convolve(image.view, psf, SampleType::float32));
        }
}

TEST(Races, TransfersMadeOfOthers)
{
    const RandomImage image = random_image({9, 7}, 2, SampleType::float32, 1);
    const auto point = std::make_shared<const Psf>(Psf{"point", {2, 2}, 1, {1, 0}, {0, 1, 0, 0}});
    for (const DirectMethod method : all_values<DirectMethod>()) {
        ConvolveSettings settings;
        settings.decisions = with_sequences({4, 3}, {4, 2});
        settings.work = deconvolution_work({method, 0});
        Convolver convolver(opened_gpu(), KernelSource::embedded(), settings);
        const auto result = convolver.convolve(image.view, point, SampleType::float32);
        EXPECT_LE(errors_of(result.samples.as<float>(), image.values).plain, 1e-6) << name_of(method);
    }
}

TEST(Races, SpectraInHalf)
{
    Case c{{28, 17}, 1, {3, 2}, {1, 0}, 1, Border::clamp, Mode::same, with_sequences({5, 2, 3}, {3, 2, 3})};
    c.precision = Precision::half;
    expect_right(c, opened_gpu());
    c.decisions = with_method(Method::fft);
    c.decisions.lanes = 8;
    expect_right(c, opened_gpu());
}

TEST(Races, LinesInDouble)
{
    Case c{{28, 17}, 1, {3, 2}, {1, 0}, 1, Border::clamp, Mode::same, with_sequences({5, 2, 3}, {3, 2, 3})};
    c.precision = Precision::float64;
    expect_right(c, opened_gpu());
}

TEST(Races, TransformsByThemselves)
{
    const auto device = opened_gpu();
    for (const auto& radices : {std::vector{3, 4, 2}, {5, 7}, {64}}) {
        LinePlan plan{.radices = radices, .residence = Residence::local, .lines = 1, .local = {}};
        plan.local = local_line({.radices = radices, .max_group = 64}).value();
        const std::size_t length = strides_of(radices).back() * radices.back();
        const auto line = random_line(length, 1);
        LineTransform transform(*device, KernelSource::embedded(), plan);
        const auto forward = transform.forward({line.begin(), line.end()});
        EXPECT_LE(distance<float>(forward, reference_dft(line, Direction::forward)), 1e-6);
        auto back = transform.back(forward);
        for (auto& value : back) value /= static_cast<float>(length);
        EXPECT_LE(distance<float>(back, line), 2e-6);
    }
}

/// Each work-item reads what its neighbour wrote, without a barrier. CTest runs this one by itself, and expects
/// Oclgrind to report it.
TEST(Races, DISABLED_ARaceIsFound)
{
    constexpr const char* kRacy = R"(
__kernel void racy(__global float *out)
{
    __local float values[8];
    const uint i = get_local_id(0);
    values[i] = i;
    out[i] = values[(i + 1) % 8];
}
)";
    const auto device = opened_gpu();
    const KernelSource kernels = KernelSource::embedded().with("racy.cl", kRacy);
    Kernel kernel(build(*device, kernels, {"racy", "racy.cl", "", ""}), "racy");
    Launcher launcher(*device);
    const cl::Buffer out = allocate(*device, 8 * sizeof(float));
    launcher.run("racy", kernel, 1, 8, named("out", out));
    (void)launcher.finish();
}

}  // namespace
}  // namespace clconv::test
