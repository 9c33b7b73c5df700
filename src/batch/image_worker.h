// SPDX-License-Identifier: Apache-2.0
// Convolves the images of a batch: one device. Several may work on the same batch.
#pragma once

#include "files/item.h"
#include "image/image.h"
#include "report/events.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace clconv {

struct Convolved {
    std::shared_ptr<const Image> image;
    std::vector<StageTime> times;
    std::string plan;
    std::string plan_origin = {};
    std::string plan_check = {};
    std::vector<Span> spans = {};                   ///< of the device
    std::vector<Warning> warnings = {};             ///< for ItemResult::warnings
    std::uint64_t pixels = 0;                       ///< of all parts; 0: those of `image`
    std::string transfer = {};                      ///< of the output file, with --linear
    std::vector<double> residuals = {};             ///< ItemResult::residuals
    std::vector<std::string> notes = {};            ///< for the log: what became of missing samples
    std::vector<std::string> copied_channels = {};  ///< of several parts; if empty, those of the input's header
};

/// Called with how far an image is.
using ReportProgress = std::function<void(const ItemProgress&)>;

/// Takes images and returns the results in the same order. Used by one thread at a time.
class ImageWorker {
public:
    ImageWorker() = default;
    ImageWorker(const ImageWorker&) = delete;
    ImageWorker& operator=(const ImageWorker&) = delete;
    virtual ~ImageWorker() = default;

    /// Images that may be started before the first is finished, at least 1.
    [[nodiscard]] virtual std::size_t capacity() const = 0;

    /// Announces an image, so that its plan and programs can be made early. Called by any thread; never throws.
    virtual void expect(const Image& image, const Item& item) noexcept = 0;

    /// Starts an image. If it throws, nothing was started. After a DeviceError the device may be tried again
    /// (renew()). BuildError and InternalError end the run. Any other exception fails the item.
    /// Where the work is one of iterations, `progress` is called after some of them, by this thread, until the image is
    /// finished.
    virtual void start(const std::shared_ptr<const Image>& image, const Item& item, const ReportProgress& progress) = 0;

    /// Waits for the oldest unfinished image. Throws likewise; after a DeviceError, all started images are lost.
    [[nodiscard]] virtual Convolved finish() = 0;

    /// Opens the device again, forgets all started images, and uses as little memory as possible from now on. Throws
    /// DeviceError if the device is lost.
    virtual void renew() = 0;

    /// For the end of a run: keeps programs so that the next run starts faster, but begins no new one after `budget`.
    virtual void keep_programs(Seconds budget) noexcept = 0;

    /// For messages: "0:0 NVIDIA H200".
    [[nodiscard]] virtual std::string name() const = 0;
};

}  // namespace clconv
