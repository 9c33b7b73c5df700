// What convolves the images of a batch: one device, several of which may work at the same batch.
#pragma once

#include "files/item.h"
#include "image/image.h"
#include "report/events.h"

#include <cstddef>
#include <cstdint>
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
    std::vector<std::string> warnings = {};         ///< for ItemResult::warnings
    std::uint64_t pixels = 0;                       ///< of all parts; 0: those of `image`
    std::string transfer = {};                      ///< of the file to be written, under --linear
    std::vector<std::string> copied_channels = {};  ///< of several parts; empty: those of the input's header
};

/// Takes images and gives the results in the same order. Used by one thread at a time.
class ImageWorker {
public:
    ImageWorker() = default;
    ImageWorker(const ImageWorker&) = delete;
    ImageWorker& operator=(const ImageWorker&) = delete;
    virtual ~ImageWorker() = default;

    /// Images that may be started and not yet finished, at least 1.
    [[nodiscard]] virtual std::size_t capacity() const = 0;

    /// An image will come: what takes long may begin. Called by any thread; never throws.
    virtual void expect(const Image& image, const Item& item) noexcept = 0;

    /// Begins with an image. When it throws, nothing was started. After a DeviceError the device is worth another try
    /// (renew()); BuildError and InternalError end the run; anything else fails the item.
    virtual void start(const std::shared_ptr<const Image>& image, const Item& item) = 0;

    /// Waits for the first started of those not finished. Throws likewise; after a DeviceError all that was started is
    /// lost.
    [[nodiscard]] virtual Convolved finish() = 0;

    /// Opens the device afresh, forgets all that was started, and from now on takes as little memory as it can.
    /// Throws DeviceError: the device is lost.
    virtual void renew() = 0;

    /// For the end of a run: keeps what lets the next run start faster, but begins with nothing after `budget`.
    virtual void keep_programs(Seconds budget) noexcept = 0;

    /// For messages: "0:0 NVIDIA H200".
    [[nodiscard]] virtual std::string name() const = 0;
};

}  // namespace clconv
