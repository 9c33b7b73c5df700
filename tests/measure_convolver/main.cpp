// SPDX-License-Identifier: Apache-2.0
// Times a Convolver on images of one size, as `run` uses it, without files: blocks are pinned, and as many images are
// started as it takes (docs/decisions/058-several-images-in-a-launch.md).
//
//   measure_convolver SELECTOR SIZE CHANNELS PSF [ROUNDS]     such as: measure_convolver gpu 512x512 3 63
//
// Random u8, 256 images a round. Prints the median and the range of the rounds in microseconds an image, and the pass
// times of an image.

#include "base/block_pool.h"
#include "base/parse_extent.h"
#include "bench/random_work.h"
#include "engine/convolver.h"
#include "opencl/device.h"
#include "opencl/host_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <vector>

namespace {

using namespace clconv;

constexpr int kImages = 256, kDifferent = 32;

struct Round {
    double us = 0;  ///< an image
    std::vector<StageTime> times;
};

Round round_of(Convolver& convolver, const std::vector<ImageView>& images, const std::shared_ptr<const Psf>& psf)
{
    Round round;
    const Clock::time_point start = Clock::now();
    int started = 0, finished = 0;
    while (finished < kImages) {
        if (started < kImages && static_cast<std::size_t>(started - finished) < convolver.capacity()) {
            convolver.start(images[static_cast<std::size_t>(started++ % kDifferent)], psf, SampleType::u8);
            continue;
        }
        const ConvolvedImage result = convolver.finish();
        for (const StageTime& time : result.times) add_time(round.times, time.stage, time.time);
        ++finished;
    }
    round.us = 1e6 * Seconds(Clock::now() - start).count() / kImages;
    return round;
}

void measure(const char* selector, Extent extent, int channels, int psf_side, int rounds)
{
    const DeviceInfo info = select_devices(selector).front();
    const auto device = std::make_shared<Device>(info);
    const BlockPool blocks(std::uint64_t{4} << 30U, huge_pages);
    blocks.pin_with(pin_for(device));
    Problem problem{
        .image = extent, .channels = channels, .psf = {psf_side, psf_side}, .origin = {psf_side / 2, psf_side / 2}};
    problem.input = problem.output = SampleType::u8;
    const RandomWork work = random_work(problem);
    const auto psf = std::make_shared<const Psf>(work.psf);
    std::deque<Bytes> memory;
    std::vector<ImageView> images;
    for (int i = 0; i < kDifferent; ++i) {
        Bytes& block = memory.emplace_back(blocks.take(work.image.size()));
        std::memcpy(block.data(), work.image.data(), work.image.size());
        images.push_back({extent, channels, SampleType::u8, block.data()});
    }
    ConvolveSettings settings;
    Convolver convolver(device, KernelSource::embedded(), settings, {allocate_from(blocks), false});
    std::vector<Round> all;
    for (int i = 0; i < rounds + 2; ++i) all.push_back(round_of(convolver, images, psf));
    all.erase(all.begin(), all.begin() + 2);  // in which programs are built and blocks are pinned
    std::ranges::sort(all, {}, &Round::us);
    const Round& median = all[all.size() / 2];
    fmt::print("{}, {}x{}x{} u8, PSF {}: {:.1f} us an image ({:.1f} to {:.1f})\n", info.name, extent.width,
               extent.height, channels, psf_side, median.us, all.front().us, all.back().us);
    for (const StageTime& time : median.times)
        fmt::print("    {:16} {:8.2f} us\n", time.stage, 1e6 * time.time.count() / kImages);
}

}  // namespace

int main(int count, char** words)
{
    if (count < 5) {
        fmt::print(stderr, "measure_convolver SELECTOR SIZE CHANNELS PSF [ROUNDS]\n");
        return 2;
    }
    measure(words[1], parse_extent("SIZE", words[2], Square::yes), std::atoi(words[3]), std::atoi(words[4]),
            count > 5 ? std::max(1, std::atoi(words[5])) : 9);
}
