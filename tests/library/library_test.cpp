// SPDX-License-Identifier: Apache-2.0
// libclconv against direct double sums: types, layouts, borders, modes.

#include "library/support.h"

#include "conv/border.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <utility>

namespace clconv::test {
namespace {

constexpr Extent kExtent{37, 29};
constexpr api::SampleType kTypes[] = {api::SampleType::u8,      api::SampleType::u16, api::SampleType::half,
                                      api::SampleType::float32, api::SampleType::i8,  api::SampleType::i16,
                                      api::SampleType::i32,     api::SampleType::u32, api::SampleType::float64};

/// Half a code, or the rounding of a float or half near the largest value, and the arithmetic's error.
double allowed(api::SampleType type)
{
    switch (type) {
        case api::SampleType::u8: return 0.5 / 255 + 1e-5;
        case api::SampleType::u16: return 0.5 / 65535 + 1e-5;
        case api::SampleType::i8: return 0.5 / 127 + 1e-5;
        case api::SampleType::i16: return 0.5 / 32767 + 1e-5;
        case api::SampleType::i32:
        case api::SampleType::u32: return 0.5 + 1e-2;
        case api::SampleType::half: return 0x1p-11;
        case api::SampleType::float32:
        case api::SampleType::float64: return 2e-6;
    }
    return 0;
}

api::Psf lopsided_psf()
{
    const std::vector<float> weights{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    return api::Psf(api::interleaved(weights.data(), 4, 3), {{"psf-origin", "1,2"}});
}

TEST(Library, EverySampleTypeIsConvolved)
{
    const api::Psf psf = lopsided_psf();
    for (const api::SampleType type : kTypes) {
        Samples image = random_samples(type, kExtent, 3);
        Samples result = empty(type, kExtent, 3);
        api::Convolver(device(), psf).run(image.view(), result.view());
        read_values(result);
        EXPECT_LE(largest_difference(result.values, expected(image, psf)), allowed(type)) << static_cast<int>(type);
    }
}

TEST(Library, ResultsHaveTheTypeThatIsRequested)
{
    const api::Psf psf("gaussian:1.2");
    Samples image = random_samples(api::SampleType::u8, kExtent, 2);
    api::Convolver blur(device(), psf);
    for (const api::SampleType type : kTypes) {
        Samples result = empty(type, kExtent, 2);
        blur.run(image.view(), result.view());
        read_values(result);
        EXPECT_LE(largest_difference(result.values, expected(image, psf)), allowed(type)) << static_cast<int>(type);
    }
}

TEST(Library, DoublesStayDoublesInDouble)
{
    if (!device().info().has_doubles) GTEST_SKIP() << "the device has no doubles";
    const api::Psf psf = lopsided_psf();
    Samples image = random_samples(api::SampleType::float64, kExtent, 1);
    Samples result = empty(api::SampleType::float64, kExtent, 1);
    api::Convolver(device(), psf, {{"precision", "double"}}).run(image.view(), result.view());
    read_values(result);
    EXPECT_LE(largest_difference(result.values, expected(image, psf)), 1e-13);
}

TEST(Library, EveryBorderIsRight)
{
    const api::Psf psf = lopsided_psf();
    Samples image = random_samples(api::SampleType::float32, kExtent, 1);
    for (const Named<Border>& border : kNames<Border>) {
        if (mode_of(border.value).needs_value) continue;
        Samples result = empty(api::SampleType::float32, kExtent, 1);
        api::Convolver(device(), psf, {{"border", std::string(border.name)}}).run(image.view(), result.view());
        read_values(result);
        EXPECT_LE(largest_difference(result.values, expected(image, psf, border.value)), 2e-6) << border.name;
    }
}

TEST(Library, EveryModeHasItsSize)
{
    const api::Psf psf = lopsided_psf();
    Samples image = random_samples(api::SampleType::float32, kExtent, 2);
    for (const Named<Mode>& mode : kNames<Mode>) {
        api::Convolver convolver(device(), psf, {{"mode", std::string(mode.name)}, {"border", "zero"}});
        const api::Size size = convolver.result_size(kExtent.width, kExtent.height);
        Samples result = empty(api::SampleType::float32, {size.width, size.height}, 2);
        convolver.run(image.view(), result.view());
        read_values(result);
        EXPECT_LE(largest_difference(result.values, expected(image, psf, Border::zero, mode.value)), 2e-6) << mode.name;
    }
}

/// The result of interleaved samples without gaps.
std::vector<std::byte> plain_result(api::Convolver& convolver, Samples& image)
{
    Samples result = empty(image.type, image.extent, image.channels);
    convolver.run(image.view(), result.view());
    return result.bytes;
}

TEST(Library, PlanesRowsWithGapsAndNegativeStepsGiveTheSameBytes)
{
    constexpr int channels = 3;
    constexpr std::ptrdiff_t size = sizeof(std::uint16_t);
    api::Convolver convolver(device(), lopsided_psf(), {{"border", "mirror"}});
    Samples image = random_samples(api::SampleType::u16, kExtent, channels);
    const std::vector<std::byte> plain = plain_result(convolver, image);

    // Planes whose rows run from right to left and have gaps; the lowest row comes first.
    constexpr std::ptrdiff_t row = (kExtent.width + 5) * size;
    constexpr std::ptrdiff_t plane = row * kExtent.height;
    std::vector<std::byte> from(static_cast<std::size_t>(plane * channels));
    std::vector<std::byte> to = from;
    const std::ptrdiff_t first = (kExtent.height - 1) * row + (kExtent.width - 1) * size;
    const api::View strange{
        from.data() + first, api::SampleType::u16, kExtent.width, kExtent.height, channels, -size, -row, plane, -1};
    for (int y = 0; y < kExtent.height; ++y)
        for (int x = 0; x < kExtent.width; ++x)
            for (int c = 0; c < channels; ++c)
                std::memcpy(static_cast<std::byte*>(strange.data) - x * size - y * row + c * plane,
                            image.bytes.data() + ((y * kExtent.width + x) * channels + c) * size, size);
    api::View result = strange;
    result.data = to.data() + first;
    convolver.run(strange, result);
    std::vector<std::byte> packed(plain.size());
    for (int y = 0; y < kExtent.height; ++y)
        for (int x = 0; x < kExtent.width; ++x)
            for (int c = 0; c < channels; ++c)
                std::memcpy(packed.data() + ((y * kExtent.width + x) * channels + c) * size,
                            to.data() + first - x * size - y * row + c * plane, size);
    EXPECT_EQ(packed, plain);
}

TEST(Library, AnyAddressAndTheImagesOwnMemoryGiveTheSameBytes)
{
    api::Convolver convolver(device(), lopsided_psf());
    Samples image = random_samples(api::SampleType::float32, kExtent, 1);
    const std::vector<std::byte> plain = plain_result(convolver, image);
    for (const std::size_t shift : {std::size_t{0}, std::size_t{4}, std::size_t{16}, std::size_t{1}}) {
        std::vector<std::byte> moved(image.bytes.size() + 64);
        std::copy(image.bytes.begin(), image.bytes.end(), moved.begin() + static_cast<std::ptrdiff_t>(shift));
        api::View view = image.view();
        view.data = moved.data() + shift;
        convolver.run(view, view);
        EXPECT_TRUE(std::equal(plain.begin(), plain.end(), moved.begin() + static_cast<std::ptrdiff_t>(shift)))
            << shift;
    }
}

TEST(Library, OtherThreadsGetTheSameBytes)
{
    api::Convolver convolver(device(), lopsided_psf());
    Samples image = random_samples(api::SampleType::u8, kExtent, 3);
    const std::vector<std::byte> plain = plain_result(convolver, image);
    std::vector<std::vector<std::byte>> results(4);
    std::vector<std::thread> threads;
    for (std::vector<std::byte>& result : results)
        threads.emplace_back([&, mine = convolver]() mutable { result = plain_result(mine, image); });
    for (std::thread& thread : threads) thread.join();
    for (const std::vector<std::byte>& result : results) EXPECT_EQ(result, plain);
}

// ThreadSanitizer sees whether the question waits for the image of the other thread.
TEST(Library, CapacityMayBeAskedWhileAnotherThreadConvolves)
{
    api::Convolver convolver(device(), lopsided_psf());
    Samples image = random_samples(api::SampleType::u8, kExtent, 3);
    std::atomic<bool> is_done = false;
    std::thread other([&, mine = convolver]() mutable {
        for (int i = 0; i < 3; ++i) plain_result(mine, image);
        is_done = true;
    });
    do EXPECT_GE(convolver.capacity(), 1U);
    while (!is_done);
    other.join();
}

TEST(Library, StartedImagesAreFinishedInTheirOrder)
{
    api::Convolver convolver(device(), lopsided_psf());
    std::vector<Samples> images, results;
    std::vector<std::vector<std::byte>> plain;
    for (int i = 0; i < 5; ++i) {
        images.push_back(random_samples(api::SampleType::float32, {kExtent.width + i, kExtent.height}, 1));
        results.push_back(empty(api::SampleType::float32, images.back().extent, 1));
        plain.push_back(plain_result(convolver, images.back()));
    }
    std::size_t started = 0;
    for (std::size_t done = 0; done < images.size(); ++done) {
        for (; started < images.size() && started < done + convolver.capacity(); ++started)
            convolver.start(images[started].view(), results[started].view());
        if (started < images.size()) {
            EXPECT_THROW(convolver.start(images[0].view(), results[0].view()), api::InvalidProblem);
        }
        EXPECT_THROW(convolver.run(images[0].view(), results[0].view()), api::InvalidProblem);
        static_cast<void>(convolver.finish());
        EXPECT_EQ(results[done].bytes, plain[done]) << done;
    }
    EXPECT_THROW(convolver.finish(), api::InvalidProblem);
}

TEST(Library, MissingSamplesAreTreatedAsRequested)
{
    const api::Psf psf("box:3");
    std::vector<float> image(81, 1);
    image[40] = NAN;
    std::vector<float> result(81);
    const auto run = [&](const char* rule) {
        api::Convolver(device(), psf, {{"nonfinite", rule}})
            .run(api::interleaved(image.data(), 9, 9), api::interleaved(result.data(), 9, 9));
        return result[40];
    };
    EXPECT_THROW(run("error"), api::InputError);
    EXPECT_NEAR(run("zero"), 8.0 / 9, 1e-6);
    EXPECT_NEAR(run("interpolate"), 1, 1e-6);
    EXPECT_TRUE(std::isnan(run("propagate")));
}

TEST(Library, SumsOfFiniteSamplesThatOverflowAreNamedUnderEveryRule)
{
    const std::vector<float> image(81, 3e38F);
    std::vector<float> result(81);
    for (const char* rule : {"error", "zero", "interpolate", "propagate"})
        EXPECT_THROW(
            api::convolve(device(), api::interleaved(image.data(), 9, 9), api::interleaved(result.data(), 9, 9),
                          api::Psf("box:3", {{"normalize", "peak"}}), {{"nonfinite", rule}}),
            api::InputError)
            << rule;
}

TEST(Library, APsfOfSamplesIsScaledAndPlacedAsRequested)
{
    const std::vector<std::uint8_t> samples{0, 1, 0, 1, 6, 0, 0, 0, 0};
    const auto psf = [&](const api::Options& options) {
        return api::Psf(api::interleaved(samples.data(), 3, 3), options);
    };
    const auto sum = [](const api::Psf& any) {
        double total = 0;
        for (const double weight : any.samples()) total += weight;
        return total;
    };
    EXPECT_NEAR(sum(psf({})), 1, 1e-12);
    EXPECT_NEAR(sum(psf({{"normalize", "none"}})), 8 / 255.0, 1e-12);
    EXPECT_EQ(psf({{"psf_origin", "peak"}}).origin_x(), 1);
    EXPECT_EQ(psf({{"psf-origin", "0,2"}}).origin_y(), 2);
    const std::vector<std::string> warnings = psf({{"psf-origin", "0,2"}}).warnings();
    ASSERT_EQ(warnings.size(), 1U);
    EXPECT_EQ(warnings[0].find("PSF of samples: "), 0U) << warnings[0];
}

TEST(Library, PlansAndDevicesAreDescribedInWords)
{
    Samples image = random_samples(api::SampleType::u8, {640, 480}, 3);
    const api::Convolver convolver(device(), api::Psf("gaussian:20"), {{"method", "fft"}});
    api::View shape = image.view();
    shape.data = nullptr;
    EXPECT_NE(convolver.plan(shape, api::SampleType::u8).find("640x480x3"), std::string::npos);
    EXPECT_FALSE(api::devices().empty());
}

TEST(Library, MixAddsTheImageAgain)
{
    const api::Psf psf = lopsided_psf();
    Samples image = random_samples(api::SampleType::float32, kExtent, 1);
    Samples result = empty(api::SampleType::float32, kExtent, 1);
    api::Convolver(device(), psf, {{"mix", 0.25}, {"bias", 2}}).run(image.view(), result.view());
    read_values(result);
    std::vector<double> mixed = expected(image, psf);
    for (std::size_t i = 0; i < mixed.size(); ++i) mixed[i] = 0.75 * image.values[i] + 0.25 * mixed[i] + 2;
    EXPECT_LE(largest_difference(result.values, mixed), 4e-6);
}

TEST(Library, AnInverseUndoesABlur)
{
    const api::Psf psf("gaussian:0.6");
    Samples image = random_samples(api::SampleType::float32, {32, 32}, 1);
    Samples blurred = empty(api::SampleType::float32, {32, 32}, 1);
    Samples result = blurred;
    api::convolve(device(), image.view(), blurred.view(), psf, {{"border", "wrap"}});
    api::deconvolve(device(), blurred.view(), result.view(), psf,
                    {{"border", "wrap"}, {"method", "wiener"}, {"nsr", 0}});
    read_values(result);
    EXPECT_LE(largest_difference(result.values, image.values), 1e-3);
}

TEST(Library, AnInverseIsMixedWithTheImage)
{
    const api::Psf psf("gaussian:0.6");
    Samples image = random_samples(api::SampleType::float32, {32, 32}, 1);
    Samples inverse = empty(api::SampleType::float32, {32, 32}, 1);
    Samples result = inverse;
    api::Options options{{"method", "tikhonov"}, {"border", "wrap"}, {"lambda", 0.1}};
    api::deconvolve(device(), image.view(), inverse.view(), psf, options);
    options.set("mix", 0.7).set("bias", 0.25);
    api::deconvolve(device(), image.view(), result.view(), psf, options);
    read_values(inverse);
    read_values(result);
    std::vector<double> mixed = inverse.values;
    for (std::size_t i = 0; i < mixed.size(); ++i) mixed[i] = 0.7 * mixed[i] + 0.3 * image.values[i] + 0.25;
    EXPECT_LE(largest_difference(result.values, mixed), 4e-6);
}

TEST(Library, AnInverseInHalfIsRefusedAsTheCommandDoes)
{
    const api::Psf psf("gaussian:1.5");
    try {
        (void)api::Convolver(device(), psf, {{"precision", "half"}}, api::Operation::deconvolve);
        FAIL() << "nothing was thrown";
    } catch (const api::InvalidProblem& error) {
        EXPECT_STREQ(error.what(), "--precision half: has too little range for deconvolution; use float or double");
    }
}

TEST(Library, RichardsonLucyTellsItsResiduals)
{
    const api::Psf psf("gaussian:1.5");
    Samples image = random_samples(api::SampleType::float32, kExtent, 1);
    Samples result = empty(api::SampleType::float32, kExtent, 1);
    const api::Report report =
        api::deconvolve(device(), image.view(), result.view(), psf, {{"iterations", 7}, {"accelerate", "none"}});
    ASSERT_EQ(report.residuals.size(), 7u);
    EXPECT_LT(report.residuals.back(), report.residuals.front());
}

TEST(Library, BloomAddsAGlowToHighlightsAlone)
{
    const api::Psf psf("gaussian:3");
    Samples image = random_samples(api::SampleType::float32, kExtent, 3);
    Samples result = empty(api::SampleType::float32, kExtent, 3);
    const api::Options high{{"threshold", 2}, {"knee", 0}, {"border", "clamp"}};
    api::bloom(device(), image.view(), result.view(), psf, high);
    read_values(result);
    EXPECT_LE(largest_difference(result.values, image.values), 1e-6);  // nothing is that bright
    const api::Options all{{"threshold", 0}, {"knee", 0}, {"border", "clamp"}, {"intensity", 0.5}};
    api::bloom(device(), image.view(), result.view(), psf, all);
    read_values(result);
    std::vector<double> glowing = expected(image, psf);
    for (std::size_t i = 0; i < glowing.size(); ++i) glowing[i] = image.values[i] + 0.5 * glowing[i];
    EXPECT_LE(largest_difference(result.values, glowing), 4e-6);
}

TEST(Library, LinearDecodesAndEncodesCodes)
{
    const std::vector<std::uint8_t> codes{0, 255};
    std::vector<std::uint8_t> result(2);
    const api::Psf psf("box:3");
    api::convolve(device(), api::interleaved(codes.data(), 2, 1), api::interleaved(result.data(), 2, 1), psf,
                  {{"linear", true}, {"border", "wrap"}});
    // Two thirds of white light, and one.
    EXPECT_EQ(result[0], 213);
    EXPECT_EQ(result[1], 156);
}

TEST(Library, SumsThatAreTooLargeForFloatAreRefused)
{
    std::vector<float> image(64, 3e38F);
    std::vector<float> result(64);
    const std::vector<float> weights{1, 1, 1};
    const api::Psf psf(api::interleaved(weights.data(), 3, 1), {{"normalize", "none"}});
    EXPECT_THROW(
        api::convolve(device(), api::interleaved(image.data(), 8, 8), api::interleaved(result.data(), 8, 8), psf),
        api::InputError);
}

/// The warnings of a convolution of three pixels, in which each becomes three times the sum of its neighbours and
/// itself.
template <class T>
std::vector<std::string> warnings_of_sums(const std::vector<T>& image, api::SampleType type)
{
    std::vector<T> result(image.size());
    const std::vector<float> weights{3, 3, 3};
    const api::Psf psf(api::interleaved(weights.data(), 3, 1), {{"normalize", "none"}});
    api::ConstView from = api::interleaved(image.data(), 3, 1);
    api::View to = api::interleaved(result.data(), 3, 1);
    from.type = to.type = type;
    return api::convolve(device(), from, to, psf).warnings;
}

TEST(Library, SumsBeyondTheLargestHalfAreCounted)
{
    const auto half = [](float value) { return half_from_float(value); };
    const auto warnings = warnings_of_sums<std::uint16_t>({half(0), half(0), half(11000)}, api::SampleType::half);
    ASSERT_EQ(warnings.size(), 1U);  // the border repeats the last pixel, so its sum is 66000
    EXPECT_NE(warnings[0].find("1 is beyond the largest half"), std::string::npos) << warnings[0];
    EXPECT_TRUE(warnings_of_sums<std::uint16_t>({half(0), half(0), half(10000)}, api::SampleType::half).empty());
}

TEST(Library, IntegersThatFloatRoundsAreWarnedOf)
{
    const auto warnings = warnings_of_sums<std::int32_t>({0, 0, 1 << 26}, api::SampleType::i32);
    ASSERT_EQ(warnings.size(), 1U);
    EXPECT_NE(warnings[0].find("rounds by up to 4"), std::string::npos) << warnings[0];
    EXPECT_TRUE(warnings_of_sums<std::int32_t>({0, 0, 1 << 24}, api::SampleType::i32).empty());
}

/// The message of the exception that `action` throws.
template <class Kind, class Action>
std::string message_of(const Action& action)
{
    try {
        action();
    } catch (const Kind& error) {
        return error.what();
    }
    return "nothing was thrown";
}

TEST(Library, FiniteDoublesBeyondFloatAreNotCalledInfinite)
{
    const std::vector<double> image{1e39, 1, 2, 3};
    std::vector<double> result(4);
    const auto from = api::interleaved(image.data(), 4, 1);
    const auto to = api::interleaved(result.data(), 4, 1);
    for (const char* rule : {"error", "zero", "interpolate"}) {
        const std::string message = message_of<api::InputError>([&] {
            api::convolve(device(), from, to, api::Psf("box:1"), {{"nonfinite", rule}});
        });
        EXPECT_NE(message.find("1 sample is beyond the largest float"), std::string::npos) << message;
    }
    if (!device().info().has_doubles) return;
    api::convolve(device(), from, to, api::Psf("box:1"), {{"precision", "double"}});
    EXPECT_DOUBLE_EQ(result[0], 1e39);
}

TEST(Library, WhatMakesNoSenseIsRefusedByName)
{
    const api::Psf psf("gaussian:2");
    const auto requested = [&](const char* name, const char* value) {
        return message_of<api::InvalidProblem>([&] { api::Convolver(device(), psf, {{name, value}}); });
    };
    EXPECT_NE(requested("bordr", "zero").find("border"), std::string::npos);
    EXPECT_NE(requested("border", "round").find("mirror"), std::string::npos);
    EXPECT_NE(requested("normalize", "sum").find("normalize"), std::string::npos);  // an option of Psf
    EXPECT_NE(requested("tuning", "measure").find("tune"), std::string::npos);
    EXPECT_THROW(api::Psf("gausian:2"), api::InvalidProblem);
    EXPECT_THROW(api::Device({{"device", "no such device"}}), api::DeviceError);

    Samples image = random_samples(api::SampleType::u8, kExtent, 3);
    Samples small = empty(api::SampleType::u8, {5, 5}, 3);
    api::Convolver convolver(device(), psf);
    EXPECT_THROW(convolver.run(image.view(), small.view()), api::InvalidProblem);
    api::View nothing = image.view();
    nothing.data = nullptr;
    EXPECT_THROW(convolver.run(nothing, image.view()), api::InvalidProblem);
    api::ConstView huge = image.view();  // one pixel again and again, of more samples than 64 bits can count
    huge.width = 1 << 23;
    huge.height = 1 << 24;
    huge.channels = 1 << 15;
    huge.x_step = huge.y_step = huge.channel_step = 0;
    EXPECT_THROW(convolver.run(huge, image.view()), api::InvalidProblem);
    EXPECT_THROW(api::Psf{huge}, api::InvalidProblem);
}

TEST(Library, OptionsOfADeconvolutionThatItsMethodLacksAreRefusedByName)
{
    const api::Psf psf("gaussian:1.5");
    const auto refusal = [&](const api::Options& options) {
        return message_of<api::InvalidProblem>(
            [&] { (void)api::Convolver(device(), psf, options, api::Operation::deconvolve); });
    };
    for (const auto& [name, value] : {std::pair{"iterations", "5"},
                                      {"accelerate", "none"},
                                      {"tv", "0.1"},
                                      {"stop", "0.1"},
                                      {"background", "1"},
                                      {"weight", "auto"},
                                      {"start", "flat"}})
        EXPECT_EQ(refusal({{"method", "wiener"}, {name, value}}),
                  std::string("--") + name + ": only --method rl has it");
    EXPECT_NE(refusal({{"like", "skimage"}, {"method", "wiener"}, {"nsr", "0.1"}}).find("--lambda"), std::string::npos);
    EXPECT_NE(refusal({{"start", "0"}}).find("a number above 0"), std::string::npos);
    EXPECT_NE(refusal({{"background", "2e9"}}).find("from 0 to 1e+09"), std::string::npos);
}

TEST(Library, EveryOptionIsListedWithItsHelp)
{
    for (const api::Part part :
         {api::Part::device, api::Part::psf, api::Part::convolve, api::Part::deconvolve, api::Part::bloom}) {
        const std::vector<api::OptionInfo> options = api::options(part);
        EXPECT_FALSE(options.empty());
        for (const api::OptionInfo& option : options) EXPECT_FALSE(option.help.empty()) << option.name;
    }
}

}  // namespace
}  // namespace clconv::test
