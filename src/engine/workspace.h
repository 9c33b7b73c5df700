// SPDX-License-Identifier: Apache-2.0
// Device memory that the prepared plans of one device share, one at a time: the intermediates of its queues, and the
// images in flight. It grows to what the largest plan needs. A plan of a new size gets no memory of its own for these.
#pragma once

#include "opencl/device.h"
#include "opencl/scratch.h"
#include "passes/passes.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <utility>

namespace clconv {

/// Bytes of an image in flight.
struct SlotBytes {
    std::uint64_t input = 0;  ///< 0: the device works in the host's memory
    std::uint64_t output = 0;
    std::uint64_t levels = 0;  ///< each of the two arrays of LevelScalars
};

class Workspace {
public:
    /// `device` must outlive it.
    explicit Workspace(Device& device);

    /// The intermediates of the convolutions on the queue of route `route` (Device::Handles::routes).
    [[nodiscard]] const std::shared_ptr<Scratch>& scratch(int route);

    /// The memory of a slot: of one image, from its upload until its result is on the host. Input and output are empty
    /// if `bytes` has none. Nothing may be in flight in this slot. Throws DeviceError.
    [[nodiscard]] ImageBuffers slot(int number, const SlotBytes& bytes);

    /// Memory number `number` of a work's own: for the commands of a route, which run one after the other, and for the
    /// image in a slot.
    [[nodiscard]] Scratch& of_route(int route, int number);
    [[nodiscard]] Scratch& of_slot(int slot, int number);

    /// The bytes of all its memory.
    [[nodiscard]] std::uint64_t bytes() const;

    /// Frees all memory. Nothing may be in flight.
    void clear();

private:
    struct Slot {
        Scratch input, output, bias, restore;
    };

    Device& device_;
    std::deque<std::shared_ptr<Scratch>> scratches_;  ///< by route
    std::deque<Slot> slots_;
    using OfWorks = std::map<std::pair<int, int>, Scratch>;  ///< by route or slot, and number
    OfWorks of_routes_, of_slots_;
};

}  // namespace clconv
