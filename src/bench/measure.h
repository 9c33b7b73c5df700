// SPDX-License-Identifier: Apache-2.0
// Times the engine on data that stays on the device, and checks what it computed.
#pragma once

#include "bench/case.h"
#include "bench/statistics.h"
#include "opencl/device.h"
#include "opencl/kernel_source.h"

#include <cstdint>
#include <string>
#include <vector>

namespace clconv {

struct MeasuredPass {
    std::string name;
    double ms = 0;            ///< median over single launches, by the device's clock
    std::uint64_t bytes = 0;  ///< that the pass must move
};

struct Measurement {
    Plan plan;
    std::string plan_origin;  ///< ChosenPlan::origin
    int images = 1;           ///< of each launch
    int queues = 1;           ///< two: each image has an event, as in batches; one: none has, which is faster
    Spread ms;                ///< of an image: wall time of many, enqueued back to back, by their count
    double latency_ms = 0;    ///< median of the images of one launch, including the wait for them, by their count
    double build_ms = 0;      ///< programs and buffers, cold or from the driver's cache
    std::vector<MeasuredPass> passes;
    std::uint64_t bytes = 0;    ///< of all passes
    double relative_error = 0;  ///< L2 over some hundred pixels, against direct double sums
    double allowed_error = 0;   ///< of a correct result

    [[nodiscard]] bool right() const { return relative_error <= allowed_error; }
};

/// Random image and PSF, one of each for every queue; `repeat` series are timed. Throws as Convolver does.
[[nodiscard]] Measurement measure(Device& device, const KernelSource& kernels, const BenchCase& bench_case, int repeat);

/// Bytes read and written each second by copying a buffer on the device, in GB/s: the best of some tries.
[[nodiscard]] double copy_bandwidth(Device& device);

}  // namespace clconv
