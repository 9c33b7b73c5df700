#include "batch/device_worker.h"

#include "batch/finite.h"
#include "batch/stream_image.h"
#include "image/row_writer.h"

#include <deque>
#include <utility>

namespace clconv {

namespace {

class DeviceWorker final : public ImageWorker {
public:
    DeviceWorker(std::shared_ptr<Device> device, const ImageWork& work, Allocate host_memory,
                 const Streaming& streaming)
        : device_(std::move(device)),
          work_(work),
          host_memory_(std::move(host_memory)),
          streaming_(streaming),
          convolver_(std::make_unique<Convolver>(device_, work.kernels, work.convolve,
                                                 ConvolverResources{host_memory_, false}))
    {
    }

    [[nodiscard]] std::size_t capacity() const override { return convolver_->capacity(); }

    void start(const std::shared_ptr<const Image>& image, const Item& item) override
    {
        if (image->is_decoded()) return start_whole(image, item);
        if (!writes_by_rows(item.info.output)) {
            auto whole = std::make_shared<const Image>(read_image(item.info.input));
            require_finite(item.info.input, find_nonfinite(whole->view()));
            return start_whole(whole, item);
        }
        StreamTask task{item.info.input, item.info.output, engine_output_type(*image, item.info.output, work_.depth),
                        streaming_.write, streaming_.memory};
        task.write.type = file_type(*image, item.info.output, work_.depth);
        Streamed streamed = stream_image(*convolver_, task, work_.psfs.at(item.psf));
        Started done;
        done.result = Convolved{std::make_shared<const Image>(std::move(streamed.image)), std::move(streamed.times),
                                std::move(streamed.plan)};
        started_.push_back(std::move(done));
    }

    [[nodiscard]] Convolved finish() override
    {
        Started first = std::move(started_.front());
        started_.pop_front();
        if (first.result) return std::move(*first.result);
        Convolver::Output output = convolver_->finish();
        auto image = std::make_shared<Image>(Image{.extent = output.extent,
                                                   .channels = first.image->channels,
                                                   .alpha_channel = first.image->alpha_channel,
                                                   .type = first.type,
                                                   .stored_type = first.stored_type,
                                                   .straight_alpha = first.image->straight_alpha,
                                                   .subimages = 1,
                                                   .samples = std::move(output.samples),
                                                   .metadata = first.image->metadata});
        return {std::move(image), std::move(output.times), std::move(output.plan), std::move(output.plan_origin),
                std::move(output.spans)};
    }

    void renew() override
    {
        convolver_.reset();  // waits for what may still use the images
        started_.clear();
        device_ = device_->opened_again();
        convolver_ =
            std::make_unique<Convolver>(device_, work_.kernels, work_.convolve, ConvolverResources{host_memory_, true});
    }

    [[nodiscard]] std::string name() const override { return device_->info().index + " " + device_->info().name; }

private:
    struct Started {
        std::shared_ptr<const Image> image;
        SampleType type = SampleType::float32;
        SampleType stored_type = SampleType::float32;
        std::optional<Convolved> result = {};  ///< of an image that is done already
    };

    void start_whole(const std::shared_ptr<const Image>& image, const Item& item)
    {
        const SampleType type = engine_output_type(*image, item.info.output, work_.depth);
        const SampleType stored = file_type(*image, item.info.output, work_.depth);
        convolver_->start(image->view(), image->alpha_channel, work_.psfs.at(item.psf), type);
        started_.push_back({image, type, stored});
    }

    std::shared_ptr<Device> device_;
    const ImageWork& work_;
    const Allocate host_memory_;
    const Streaming streaming_;
    std::deque<Started> started_;  ///< before the convolver: its end waits for what uses the images
    std::unique_ptr<Convolver> convolver_;
};

class CopyingWorker final : public ImageWorker {
public:
    [[nodiscard]] std::size_t capacity() const override { return 1; }
    void start(const std::shared_ptr<const Image>& image, const Item& /*item*/) override { started_ = image; }
    [[nodiscard]] Convolved finish() override { return {std::move(started_), {}, {}, {}, {}}; }
    void renew() override {}
    [[nodiscard]] std::string name() const override { return "no device"; }

private:
    std::shared_ptr<const Image> started_;
};

}  // namespace

SampleType file_type(const Image& image, const std::filesystem::path& output, std::optional<SampleType> depth)
{
    return writable_type(output, depth.value_or(image.stored_type));
}

SampleType engine_output_type(const Image& image, const std::filesystem::path& output, std::optional<SampleType> depth)
{
    const SampleType type = file_type(image, output, depth);
    return image.straight_alpha ? SampleType::float32 : type;
}

std::shared_ptr<ImageWorker> device_worker(std::shared_ptr<Device> device, const ImageWork& work, Allocate host_memory,
                                           const Streaming& streaming)
{
    return std::make_shared<DeviceWorker>(std::move(device), work, std::move(host_memory), streaming);
}

std::shared_ptr<ImageWorker> copying_worker() { return std::make_shared<CopyingWorker>(); }

}  // namespace clconv
