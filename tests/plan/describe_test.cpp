// SPDX-License-Identifier: Apache-2.0
// Golden plans: what describe() prints for a handful of problems. A line that changes here changes what runs on every
// such device; the numbers can be followed by hand from the problem and the device's limits.

#include "plan/devices.h"
#include "plan/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clconv::test {
namespace {

Problem video_frame()
{
    return {.image = {3840, 2160},
            .channels = 3,
            .input = SampleType::u8,
            .output = SampleType::u8,
            .psf = {511, 511},
            .origin = {255, 255}};
}

Problem wrapped_photograph()
{
    return {.image = {640, 480}, .channels = 3, .psf = {101, 101}, .origin = {50, 50}, .border = Border::wrap};
}

Decisions by_special_programs()
{
    Decisions decisions;
    decisions.programs = Programs::special;
    return decisions;
}

TEST(Describe, AVideoFrameOnAnNvidiaGpuByTheMenu)
{
    EXPECT_EQ(describe(make_plan(video_frame(), kNvidia)),
              R"(3840x2160x3 u8>u8 * 511x511x1@255,255 clamp same -> 3840x2160 padded 4480x2800 fft
  rows     4480=32.10.14 local 160 items x 1 line pairs, 32 values, whole, 36960 bytes | 3840 samples to 4480, border from -255 to 4094
  columns  2800=20.20.7 local 140 items x 2 columns, 21 values, whole, 44800 bytes | 2160 samples to 2800, border from -255 to 2414
  spectra  2241 columns in bundles of 4 columns x 2 rows, 3 at once, 110.9 MiB
  because  method fft: direct would cost 3.03e+06, fft 1.96e+03 million operations a channel
)");
}

TEST(Describe, AVideoFrameOnAnNvidiaGpu)
{
    EXPECT_EQ(describe(make_plan(video_frame(), kNvidia, by_special_programs())),
              R"(3840x2160x3 u8>u8 * 511x511x1@255,255 clamp same -> 3840x2160 padded 4374x2880 fft
  rows     4374=9.9.6.9 local 243 items x 2 line pairs, 18 values, split, 38016 bytes | 3840 samples to 4374, border from -255 to 4094
  columns  2880=24.24.5 local 120 items x 1 columns, 25 values, whole, 25536 bytes | 2160 samples to 2880, border from -255 to 2414
  spectra  2188 columns in bundles of 2 columns x 4 rows, 3 at once, 108.2 MiB
  because  method fft: direct would cost 3.03e+06, fft 1.96e+03 million operations a channel
)");
}

TEST(Describe, AVideoFrameOnASmallGpu)
{
    EXPECT_EQ(describe(make_plan(video_frame(), kSmallGpu, by_special_programs())),
              R"(3840x2160x3 u8>u8 * 511x511x1@255,255 clamp same -> 3840x2160 padded 4374x2880 fft
  rows     4374=9.9.6.9 local 243 items x 1 line pairs, 18 values, split, 18072 bytes | 3840 samples to 4374, border from -255 to 4094
  columns  2880=24.24.5 local 120 items x 2 columns, 25 values, split, 24960 bytes | 2160 samples to 2880, border from -255 to 2414
  spectra  2188 columns in bundles of 4 columns x 2 rows, 3 at once, 108.2 MiB
  because  method fft: direct would cost 3.03e+06, fft 1.96e+03 million operations a channel
)");
}

TEST(Describe, AVideoFrameOnACpu)
{
    EXPECT_EQ(describe(make_plan(video_frame(), kCpu)),
              R"(3840x2160x3 u8>u8 * 511x511x1@255,255 clamp same -> 3840x2160 padded 4608x1600 in 2 parts fft
  rows     4608=8.8.3.3.8 local 8 lanes | 3840 samples to 4608, border from -255 to 4094
  columns  1600=8.8.5.5 local 8 lanes | 2160 samples in 2 parts to 1600, the first part from -256 to 1334
  spectra  2305 columns in bundles of 8 columns x 2 rows, 3 at once, 128.0 MiB
  because  method fft: direct would cost 4.33e+06, fft 2.82e+03 million operations a channel
)");
}

TEST(Describe, AWrappedPhotographWithoutPadding)
{
    EXPECT_EQ(describe(make_plan(wrapped_photograph(), kNvidia, by_special_programs())),
              R"(640x480x3 float>float * 101x101x1@50,50 wrap same -> 640x480 padded 640x480 fft
  rows     640=8.8.10 local 32 items x 1 line pairs, 24 values, whole, 5760 bytes | 640 samples to 640
  columns  480=24.20 local 24 items x 2 columns, 24 values, whole, 8320 bytes | 480 samples to 480
  back     640=10.8.8 local 40 items x 1 line pairs x 3 channels, 20 values, whole, 17280 bytes | 640 samples to 640
  spectra  321 columns in bundles of 4 columns x 2 rows, 3 at once, 3.6 MiB, stores whole pixels
  because  method fft: direct would cost 4.4e+03, fft 42.8 million operations a channel
)");
}

TEST(Describe, ForcedRadicesThroughGlobalMemory)
{
    Decisions decisions;
    decisions.radix_x = parse_radix("16,16,4");
    decisions.radix_y = parse_radix("8");
    decisions.residence = Residence::global;
    EXPECT_EQ(describe(make_plan(wrapped_photograph(), kNvidia, decisions)),
              R"(640x480x3 float>float * 101x101x1@50,50 wrap same -> 640x480 padded 1024x480 fft
  rows     1024=16.16.4 global 3 launches | 640 samples to 1024, border from -50 to 689
  columns  480=8.6.5.2 global 4 launches | 480 samples to 480
  spectra  513 columns in bundles of 4 columns x 2 rows, 3 at once, 13.2 MiB
  because  method fft: radices were requested
)");
}

TEST(Describe, ASmallPsfSummedDirectly)
{
    Problem problem = wrapped_photograph();
    problem.psf = {3, 3};
    problem.origin = {1, 1};
    problem.border = Border::clamp;
    EXPECT_EQ(describe(make_plan(problem, kCpu)),
              R"(640x480x3 float>float * 3x3x1@1,1 clamp same -> 640x480 direct
  patches  128x32, 8x4 a work-item at a time, 1 items, taps in loops, 27072 bytes | x from -1, y from -1
  because  method direct: direct would cost 19.4, tiled 48.6, fft 60.3 million operations a channel
)");
}

TEST(Describe, TilesOfAGpuAndOfACpu)
{
    Problem problem = wrapped_photograph();
    problem.psf = {15, 15};
    problem.origin = {7, 7};
    Decisions decisions;
    decisions.tile = {64, 64};
    EXPECT_EQ(describe(make_plan(problem, kNvidia, decisions)),
              R"(640x480x3 float>float * 15x15x1@7,7 wrap same -> 640x480 tiled
  tiles    64x64 = 8.8 x 8.8, 50x50 valid, 13 x 10 in pairs, 256 items, whole, 33280 bytes | x from -7, y from -7
  because  method tiled: a tile was requested
)");
    decisions.tile = {128, 128};
    EXPECT_EQ(describe(make_plan(problem, kCpu, decisions)),
              R"(640x480x3 float>float * 15x15x1@7,7 wrap same -> 640x480 tiled
  tiles    128x128 = 8.4.4 x 8.4.4, 112x114 valid, 6 x 5 in pairs, 8 lanes, 141312 bytes | x from -7, y from -7
  because  method tiled: a tile was requested
)");
}

// A part has 1400 results, which need 31 rows more on either side; parts begin at multiples of four.
TEST(Describe, TheFirstOfSeveralPartsOfColumns)
{
    const Problem tall{.image = {640, 4200}, .channels = 1, .psf = {63, 63}, .origin = {31, 31}};
    Decisions decisions = by_special_programs();
    decisions.method = Method::fft;
    decisions.column_parts = 3;
    const std::string text = describe(make_plan(tall, kNvidia, decisions));
    EXPECT_THAT(text, testing::HasSubstr("4200 samples in 3 parts to 1536, the first part from -32 to 1430\n")) << text;
}

TEST(Describe, ALineTooLongForAnyWorkGroup)
{
    const Problem wide{.image = {30000, 200},
                       .channels = 1,
                       .psf = {64, 64},
                       .origin = {32, 32},
                       .border = Border::mirror,
                       .mode = Mode::full};
    EXPECT_EQ(describe(make_plan(wide, kSmallGpu)),
              R"(30000x200x1 float>float * 64x64x1@32,32 mirror full -> 30063x263 padded 32768x336 fft
  rows     32768=32.32.32 global 3 launches | 30000 samples to 32768, border from -63 to 30062
  columns  336=24.14 local 14 items x 1 columns, 28 values, whole, 2880 bytes | 200 samples to 336, border from -63 to 262
  spectra  16385 columns in bundles of 4 columns x 2 rows, 1 at once, 99.0 MiB
  because  method fft: direct would cost 4.56e+04, fft 1.56e+03 million operations a channel
  because  x through global memory: a line of 32768 does not fit a work-group
)");
}

}  // namespace
}  // namespace clconv::test
