// SPDX-License-Identifier: Apache-2.0
// The work of one ImageWorker's thread: takes images while there are any, and keeps the device busy.
//
// An error of the device is not the image's fault: everything in flight is tried once more, one image at a time, on the
// device opened again. An image that fails again fails its item.
#pragma once

#include "batch/image_worker.h"
#include "batch/memory_budget.h"

#include <exception>
#include <memory>
#include <optional>
#include <semaphore>
#include <string>

namespace clconv {

/// Host memory of an input and of its results, of which at most `kResults` exist at a time.
struct ImageMemory {
    static constexpr int kResults = 4;
    MemoryBudget::Share share;
    std::counting_semaphore<kResults> results = std::counting_semaphore<kResults>(kResults);
};

/// An image to convolve for an item.
struct ItemWork {
    const Item* item = nullptr;
    std::shared_ptr<const Image> image;
    std::shared_ptr<ImageMemory> memory;
    ItemResult result;         ///< as far as known
    std::exception_ptr error;  ///< the image could not be read
};

/// The source and the destination of work. Called by the threads of several workers.
class WorkDesk {
public:
    WorkDesk() = default;
    WorkDesk(const WorkDesk&) = delete;
    WorkDesk& operator=(const WorkDesk&) = delete;
    virtual ~WorkDesk() = default;

    enum class Wait { yes, no };
    /// The next image that was read. None if there will be no more or, without waiting, if there is none now.
    virtual std::optional<ItemWork> next(Wait wait) = 0;
    virtual void progressed(const Item& item, const ItemProgress& progress) = 0;
    /// Takes over the result's place of `work.memory`, and returns it when the result is written.
    virtual void done(ItemWork work, Convolved convolved) = 0;
    virtual void failed(ItemWork work, const std::exception_ptr& error) = 0;
    /// Reports that the device is gone. False if it was the last one.
    virtual bool goes_on_without(const ImageWorker& worker, const std::string& why) = 0;
    virtual void warn(const std::string& text) = 0;
};

/// Works until there is no more work. `number`: ItemResult::device of the results. Throws errors that end the run.
void work_at(WorkDesk& desk, ImageWorker& worker, std::size_t number);

}  // namespace clconv
