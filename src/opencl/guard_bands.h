// SPDX-License-Identifier: Apache-2.0
// Bands of known bytes behind device buffers. They reveal kernels that write beyond the end of a buffer.
#pragma once

#include "opencl/api.h"
#include "opencl/device.h"

#include <cstdint>
#include <vector>

namespace clconv {

class GuardBands {
public:
    explicit GuardBands(Device& device) : device_(device) {}
    GuardBands(const GuardBands&) = delete;
    GuardBands& operator=(const GuardBands&) = delete;
    ~GuardBands() = default;

    /// While a Watch exists, each buffer that allocate() makes for this device in this thread gets a band. There can be
    /// only one at a time.
    class Watch {
    public:
        explicit Watch(GuardBands& bands);
        ~Watch();
        Watch(const Watch&) = delete;
        Watch& operator=(const Watch&) = delete;

    private:
        GuardBands& bands_;
    };

    /// Writes the bands again.
    void renew();

    /// True if every band is unchanged. Waits for the device.
    [[nodiscard]] bool intact() const;

    /// The bytes of all buffers, without their bands.
    [[nodiscard]] std::uint64_t buffer_bytes() const;

    static constexpr std::uint64_t kBytes = 4096;
    /// For allocate(): a buffer of `bytes` and, behind it, a band.
    [[nodiscard]] cl::Buffer guarded(std::uint64_t bytes);

private:
    struct Band {
        cl::Buffer buffer;
        std::uint64_t begin;
    };
    void write(const Band& band) const;

    Device& device_;
    std::vector<Band> bands_;
};

}  // namespace clconv
