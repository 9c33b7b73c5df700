#include "batch/device_worker.h"

#include "base/fingerprint.h"
#include "batch/damage.h"
#include "batch/missing_samples.h"
#include "batch/stream_image.h"
#include "conv/axis.h"
#include "engine/build_ahead.h"
#include "engine/coarse_convolution.h"
#include "image/row_writer.h"

#include <deque>
#include <filesystem>
#include <utility>

namespace clconv {

namespace {

class DeviceWorker final : public ImageWorker {
public:
    DeviceWorker(std::shared_ptr<Device> device, const ImageWork& work, const BlockPool& memory,
                 const Streaming& streaming)
        : device_(std::move(device)),
          work_(work),
          memory_(memory),
          streaming_(streaming),
          ahead_(device_, work.kernels),
          convolver_(std::make_unique<Convolver>(device_, work.kernels, work.convolve,
                                                 ConvolverResources{allocate_from(memory_), false}))
    {
    }

    [[nodiscard]] std::size_t capacity() const override { return convolver_->capacity(); }

    void expect(const Image& image, const Item& item) noexcept override
    {
        if (!ahead_.helps() || !image.is_decoded() || !work_.builds_ahead || work_.convolve.shrink > 1) return;
        try {
            const Problem problem =
                problem_of(image.view(), image.alpha_channel, *work_.psfs.of(item.psf, image.extent, image.orientation),
                           work_.convolve, engine_output_type(image, item.info.output, work_));
            ahead_.expect(
                problem, [&] { return work_.convolve.plans(problem, device_->info(), work_.convolve.decisions).plan; });
        } catch (const std::exception&) {  // told when the image comes
        }
    }

    void start(const std::shared_ptr<const Image>& image, const Item& item) override
    {
        if (image->is_decoded()) return start_whole(image, item);
        if (!writes_by_rows(item.info.output)) {
            const CodecMark mark(streaming_.board, item.info.index, CodecKind::decoder);
            auto whole = std::make_shared<Image>(
                read_image(item.info.input, kNoLimit, allocate_samples, work_.light, work_.decode));
            static_cast<void>(treat_nonfinite(item.info.input, *whole, work_.nonfinite));
            start_whole(whole, item);
            return warn_of_damage(started_.back().warnings, item.info.input, whole->damage);
        }
        StreamTask task{item.info.input,  item.info.output,  engine_output_type(*image, item.info.output, work_),
                        work_.nonfinite,  work_.alpha,       work_.light,
                        streaming_.write, streaming_.memory, streaming_.board,
                        item.info.index,  work_.decode};
        task.write.type = file_type(*image, item.info.output, work_.depth);
        task.write.dither = dither_seed(item.info.output, work_);
        Streamed streamed = stream_image(*convolver_, task, work_.psfs.of(item.psf, image->extent, image->orientation));
        Started done;
        done.result = Convolved{std::make_shared<const Image>(std::move(streamed.image)), std::move(streamed.times),
                                std::move(streamed.plan)};
        done.result->warnings = std::move(streamed.warnings);
        if (work_.convolve.shrink > 1)
            done.result->warnings.push_back(item.info.input.string() + ": " + kFullResolution);
        started_.push_back(std::move(done));
    }

    [[nodiscard]] Convolved finish() override
    {
        Started first = std::move(started_.front());
        started_.pop_front();
        if (first.result) return std::move(*first.result);
        Convolver::Output output = convolver_->finish();
        for (const std::string& warning : output.warnings)
            first.warnings.push_back(first.input.string() + ": " + warning);
        if (first.gaps) fill_gaps(first, output);
        if (work_.alpha == AlphaRule::keep && first.image->alpha_channel >= 0) keep_alpha(first, output);
        auto image = std::make_shared<Image>(Image{.extent = output.extent,
                                                   .channels = first.image->channels,
                                                   .alpha_channel = first.image->alpha_channel,
                                                   .type = first.type,
                                                   .stored_type = first.stored_type,
                                                   .straight_alpha = first.image->straight_alpha,
                                                   .light = written_light(first.image->light),
                                                   .orientation = first.image->orientation,
                                                   .place = place_of_result(first),
                                                   .subimages = 1,
                                                   .samples = std::move(output.samples),
                                                   .metadata = first.image->metadata});
        return {std::move(image),
                std::move(output.times),
                std::move(output.plan),
                std::move(output.plan_origin),
                std::move(output.plan_check),
                std::move(output.spans),
                std::move(first.warnings)};
    }

    void renew() override
    {
        convolver_.reset();  // waits for what may still use the images
        masks_.reset();
        started_.clear();
        device_ = device_->opened_again();
        convolver_ = std::make_unique<Convolver>(device_, work_.kernels, work_.convolve,
                                                 ConvolverResources{allocate_from(memory_), true});
    }

    void keep_programs(Seconds budget) noexcept override { device_->keep_programs(budget); }

    [[nodiscard]] std::string name() const override { return device_->info().index + " " + device_->info().name; }

private:
    /// Of an image with samples that are missing.
    struct Gaps {
        MissingSamples samples;
        KnownWeights known;
    };
    struct Started {
        std::shared_ptr<const Image> image;
        std::shared_ptr<const Psf> psf = {};
        std::filesystem::path input = {};
        SampleType type = SampleType::float32;
        FileType stored_type = FileType::float32;
        std::optional<Gaps> gaps = {};
        std::optional<Convolved> result = {};    ///< of an image that is done already
        std::vector<std::string> warnings = {};  ///< for Convolved::warnings
    };

    void start_whole(const std::shared_ptr<const Image>& image, const Item& item)
    {
        Started next{image, work_.psfs.of(item.psf, image->extent, image->orientation)};
        next.input = item.info.input;
        next.type = engine_output_type(*image, item.info.output, work_);
        next.stored_type = file_type(*image, item.info.output, work_.depth);
        ImageView view = image->view();
        if (work_.nonfinite == NonFiniteRule::interpolate && find_nonfinite(view).count > 0) {
            next.type = SampleType::float32;
            next.gaps = Gaps{missing_samples(view),
                             known_weights(*next.psf, image->channels, image->alpha_channel, work_.convolve.border)};
            view.samples = next.gaps->samples.filled.data();
        } else {
            view.id = id_of(image);
        }
        memory_.pin(view.samples);  // an image that was read before the device was open
        convolver_->start(view, image->alpha_channel, next.psf, next.type);
        started_.push_back(std::move(next));
    }

    /// The same again for the image that came last: its next PSF.
    std::uint64_t id_of(const std::shared_ptr<const Image>& image)
    {
        if (last_image_.lock() != image) {
            last_image_ = image;
            ++last_id_;
        }
        return last_id_;
    }

    [[nodiscard]] Position place_of_result(const Started& started) const
    {
        const Image& image = *started.image;
        return first_output(problem_of(image.view(), image.alpha_channel, *started.psf, work_.convolve, started.type));
    }

    void keep_alpha(const Started& started, Convolver::Output& output) const
    {
        const Image& image = *started.image;
        const KeptAlpha kept{problem_of(image.view(), image.alpha_channel, *started.psf, work_.convolve, started.type),
                             image.alpha_channel};
        const std::size_t row_bytes = image.view().bytes() / static_cast<std::size_t>(image.extent.height);
        kept.write(
            0, output.extent.height,
            [&](int y) { return image.samples.data() + static_cast<std::size_t>(y) * row_bytes; },
            output.samples.data());
    }

    /// Convolves the mask as well and divides by what it leaves.
    void fill_gaps(const Started& started, Convolver::Output& output)
    {
        if (!masks_)
            masks_ = std::make_unique<Convolver>(device_, work_.kernels, mask_settings(work_.convolve),
                                                 ConvolverResources{allocate_from(memory_), true});
        const Image& image = *started.image;
        const ImageView view{image.extent, image.channels, SampleType::u8, started.gaps->samples.mask.data()};
        const Convolver::Output mask = masks_->convolve(view, image.alpha_channel, started.psf, SampleType::float32);
        started.gaps->known.divide(output.samples.as<float>(), mask.samples.as<float>(), image.channels);
        for (const StageTime& time : mask.times) add_time(output.times, time.stage, time.time);
    }

    std::shared_ptr<Device> device_;
    const ImageWork& work_;
    const BlockPool memory_;
    const Streaming streaming_;
    std::weak_ptr<const Image> last_image_;
    std::uint64_t last_id_ = 0;
    BuildAhead ahead_;             ///< on the device as it was first opened
    std::deque<Started> started_;  ///< before the convolver: its end waits for what uses the images
    std::unique_ptr<Convolver> convolver_;
    std::unique_ptr<Convolver> masks_;  ///< of samples that are missing; made when the first image has some
};

class CopyingWorker final : public ImageWorker {
public:
    [[nodiscard]] std::size_t capacity() const override { return 1; }
    void expect(const Image& /*image*/, const Item& /*item*/) noexcept override {}
    void start(const std::shared_ptr<const Image>& image, const Item& /*item*/) override { started_ = image; }
    [[nodiscard]] Convolved finish() override { return {std::move(started_), {}, {}, {}, {}}; }
    void renew() override {}
    void keep_programs(Seconds /*budget*/) noexcept override {}
    [[nodiscard]] std::string name() const override { return "no device"; }

private:
    std::shared_ptr<const Image> started_;
};

}  // namespace

FileType file_type(const Image& image, const std::filesystem::path& output, std::optional<SampleType> depth)
{
    return writable_type(output, depth ? file_type_of(*depth) : image.stored_type);
}

SampleType engine_output_type(const Image& image, const std::filesystem::path& output, const ImageWork& work)
{
    const FileType type = file_type(image, output, work.depth);
    const bool is_changed = image.straight_alpha || image.light == Light::linear || (work.dither && is_integer(type));
    return is_changed ? SampleType::float32 : sample_type_of(type);
}

std::optional<std::uint64_t> dither_seed(const std::filesystem::path& output, const ImageWork& work)
{
    return work.dither ? std::optional(fingerprint(output.filename().string())) : std::nullopt;
}

std::shared_ptr<ImageWorker> device_worker(std::shared_ptr<Device> device, const ImageWork& work,
                                           const BlockPool& memory, const Streaming& streaming)
{
    return std::make_shared<DeviceWorker>(std::move(device), work, memory, streaming);
}

std::shared_ptr<ImageWorker> copying_worker() { return std::make_shared<CopyingWorker>(); }

}  // namespace clconv
