// Golden plans: what describe() prints for a handful of problems. A line that changes here changes what runs on every
// such device; the numbers can be followed by hand from the problem and the device's limits.

#include "conv/devices.h"
#include "conv/plan.h"

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

Problem photograph()
{
    return {.image = {640, 480}, .channels = 3, .psf = {101, 101}, .origin = {50, 50}, .border = Border::wrap};
}

TEST(Describe, AVideoFrameOnAnNvidiaGpu)
{
    EXPECT_EQ(describe(make_plan(video_frame(), kNvidia)),
              R"(3840x2160x3 u8>u8 * 511x511x1@255,255 clamp same -> 3840x2160 padded 4608x2688 fft
  rows     4608=24.24.8 local 192 items x 1 line pairs, 32 values, whole, 41472 bytes | 3840 samples to 4608, border from -255 to 4094
  columns  2688=24.16.7 local 168 items x 1 columns, 24 values, whole, 22848 bytes | 2160 samples to 2688, border from -255 to 2414
  spectra  2305 columns in tiles of 4 columns x 2 rows, 3 at once, 114.1 MiB
  because  method fft: direct would cost 4.33e+06, fft 1.96e+03 million operations a channel
)");
}

TEST(Describe, AVideoFrameOnASmallGpu)
{
    EXPECT_EQ(describe(make_plan(video_frame(), kSmallGpu)),
              R"(3840x2160x3 u8>u8 * 511x511x1@255,255 clamp same -> 3840x2160 padded 4608x2688 fft
  rows     4608=24.24.8 local 192 items x 1 line pairs, 32 values, split, 20736 bytes | 3840 samples to 4608, border from -255 to 4094
  columns  2688=24.16.7 local 168 items x 1 columns, 24 values, whole, 22848 bytes | 2160 samples to 2688, border from -255 to 2414
  spectra  2305 columns in tiles of 4 columns x 2 rows, 3 at once, 114.1 MiB
  because  method fft: direct would cost 4.33e+06, fft 1.96e+03 million operations a channel
)");
}

TEST(Describe, AVideoFrameOnACpu)
{
    EXPECT_EQ(describe(make_plan(video_frame(), kCpu)),
              R"(3840x2160x3 u8>u8 * 511x511x1@255,255 clamp same -> 3840x2160 padded 4608x2688 fft
  rows     4608=8.8.3.3.8 local 8 lanes | 3840 samples to 4608, border from -255 to 4094
  columns  2688=8.8.7.6 local 8 lanes | 2160 samples to 2688, border from -255 to 2414
  spectra  2305 columns in tiles of 8 columns x 2 rows, 3 at once, 114.3 MiB
  because  method fft: direct would cost 8.66e+06, fft 2.2e+03 million operations a channel
)");
}

TEST(Describe, AWrappedPhotographWithoutPadding)
{
    EXPECT_EQ(describe(make_plan(photograph(), kNvidia)),
              R"(640x480x3 float>float * 101x101x1@50,50 wrap same -> 640x480 padded 640x480 fft
  rows     640=32.20 local 20 items x 2 line pairs, 40 values, whole, 10880 bytes | 640 samples to 640
  columns  480=24.20 local 24 items x 1 columns, 24 values, whole, 4032 bytes | 480 samples to 480
  spectra  321 columns in tiles of 2 columns x 4 rows, 3 at once, 3.5 MiB
  because  method fft: direct would cost 6.27e+03, fft 42.8 million operations a channel
)");
}

TEST(Describe, ForcedRadicesThroughGlobalMemory)
{
    Decisions decisions;
    decisions.radix_x = parse_radix("16,16,4");
    decisions.radix_y = parse_radix("8");
    decisions.residence = Residence::global;
    EXPECT_EQ(describe(make_plan(photograph(), kNvidia, decisions)),
              R"(640x480x3 float>float * 101x101x1@50,50 wrap same -> 640x480 padded 1024x480 fft
  rows     1024=16.16.4 global 3 launches | 640 samples to 1024, border from -50 to 689
  columns  480=8.6.5.2 global 4 launches | 480 samples to 480
  spectra  513 columns in tiles of 4 columns x 2 rows, 3 at once, 13.2 MiB
  because  method fft: radices were asked for
)");
}

TEST(Describe, ASmallPsfSummedDirectly)
{
    Problem problem = photograph();
    problem.psf = {5, 5};
    problem.origin = {2, 2};
    problem.border = Border::clamp;
    EXPECT_EQ(describe(make_plan(problem, kCpu)),
              R"(640x480x3 float>float * 5x5x1@2,2 clamp same -> 640x480 direct
  because  method direct: direct would cost 30.7, fft 60.3 million operations a channel
)");
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
  spectra  16385 columns in tiles of 4 columns x 2 rows, 1 at once, 99.0 MiB
  because  method fft: direct would cost 6.48e+04, fft 1.56e+03 million operations a channel
  because  x through global memory: a line of 32768 does not fit a work-group
)");
}

}  // namespace
}  // namespace clconv::test
