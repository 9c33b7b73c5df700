// SPDX-License-Identifier: Apache-2.0
#include "batch/device_worker.h"

#include "base/errors.h"
#include "batch/convolve_parts.h"
#include "batch/damage.h"
#include "batch/part_channels.h"
#include "batch/result_header.h"
#include "batch/stream_image.h"
#include "codecs/image_file.h"
#include "conv/axis.h"
#include "encoders/output_light.h"
#include "engine/build_ahead.h"
#include "engine/missing_samples.h"
#include "engine/remembered_plans.h"
#include "image/nonfinite.h"
#include "passes/recipes.h"

#include <algorithm>
#include <deque>
#include <exception>
#include <filesystem>
#include <iterator>
#include <optional>
#include <utility>

namespace clconv {

namespace {

/// The result of an image without convolved channels: its copied channels, at the positions of --mode.
std::shared_ptr<const Image> copied_result(const Image& image, const Psf& psf, const ConvolveSettings& settings)
{
    const Position origin = settings.correlate
                                ? Position{psf.extent.width - 1 - psf.origin.x, psf.extent.height - 1 - psf.origin.y}
                                : psf.origin;
    const Problem problem{.image = image.extent, .psf = psf.extent, .origin = origin, .mode = settings.mode};
    auto result = std::make_shared<Image>(without_samples(result_header(image, problem, samples_of(image))));
    result->kept = image.kept;
    return result;
}

/// The same light for samples, but results are not encoded.
Light without_encoding(Light light)
{
    if (light == Light::srgb) return Light::from_srgb;
    return light == Light::to_srgb ? Light::linear : light;
}

ConvolveSettings with_remembered_plans(ConvolveSettings settings)
{
    settings.plans = remembered(std::move(settings.plans));
    return settings;
}

class DeviceWorker final : public ImageWorker {
public:
    DeviceWorker(std::shared_ptr<Device> device, const ImageWork& work, const BlockPool& memory,
                 const Streaming& streaming)
        : device_(std::move(device)),
          work_(work),
          memory_(memory),
          streaming_(streaming),
          info_(device_->info()),
          settings_(with_remembered_plans(work.convolve)),
          ahead_(device_, work.kernels),
          convolver_(std::make_unique<Convolver>(device_, work.kernels, settings_,
                                                 ConvolverResources{allocate_from(memory_), false}))
    {
    }

    [[nodiscard]] std::size_t capacity() const override { return convolver_->capacity(); }

    void expect(const Image& image, const Item& item) noexcept override
    {
        if (image.samples.size() == 0 || !work_.builds_ahead) return;
        try {
            const std::shared_ptr<const Psf> psf = work_.psfs.for_image(item.psf, image);
            const Problem problem = problem_of(engine_view(image, item.info.output, work_), *psf, work_.convolve,
                                               engine_output_type(image, item.info.output, work_));
            const Channels channels{image.channels, image.alpha_channel};
            if (ahead_.helps()) return ahead_.expect(problem, [&] { return programs_of(problem, *psf, channels); });
            const WorkNeeds needs = work_needs(problem, *psf, channels, settings_, info_.traits);
            (void)settings_.plans(needs.planned, info_, settings_.decisions);
        } catch (const std::exception&) {  // reported when the image is started
        }
    }

    void start(const std::shared_ptr<const Image>& image, const Item& item, const ReportProgress& progress) override
    {
        if (image->parts.size() > 1) return convolve_all_parts(*image, item);
        if (image->is_decoded()) return start_whole(image, item, progress);
        DecodeRules rules = decode_rules_of(item, work_);
        rules.part = image->parts.front();
        Streamed streamed = streamed_image(*image, item, rules, {});
        Started done;
        done.result = Convolved{std::make_shared<const Image>(std::move(streamed.image)), std::move(streamed.times),
                                std::move(streamed.plan)};
        done.result->warnings = std::move(streamed.warnings);
        done.result->notes = std::move(streamed.notes);
        done.result->transfer = transfer_name(*image, item);
        started_.push_back(std::move(done));
    }

    [[nodiscard]] Convolved finish() override
    {
        Started first = std::move(started_.front());
        started_.pop_front();
        if (first.error) std::rethrow_exception(first.error);
        return first.result ? std::move(*first.result) : completed(std::move(first));
    }

    void renew() override
    {
        convolver_.reset();  // waits for users of the images
        masks_.reset();
        started_.clear();
        device_ = device_->opened_again();
        convolver_ = std::make_unique<Convolver>(device_, work_.kernels, settings_,
                                                 ConvolverResources{allocate_from(memory_), true});
    }

    void keep_programs(Seconds budget) noexcept override { device_->keep_programs(budget); }

    [[nodiscard]] std::string name() const override { return device_->info().index + " " + device_->info().name; }

private:
    /// What the start of an image with missing samples keeps for its end.
    struct Gaps {
        MissingSamples samples;
        KnownWeights known;
    };
    struct Started {
        std::shared_ptr<const Image> image;
        std::shared_ptr<const Psf> psf = {};
        std::filesystem::path input = {};
        ResultSamples samples = {};
        std::string transfer = {};  ///< for Convolved::transfer
        std::optional<Gaps> gaps = {};
        std::optional<Convolved> result = {};  ///< of an image that is already done
        std::exception_ptr error = {};         ///< of one that has already failed
        std::vector<Warning> warnings = {};    ///< for Convolved::warnings
    };
    class Parts;

    /// The programs that the engine will use.
    [[nodiscard]] std::vector<Recipe> programs_of(const Problem& problem, const Psf& psf,
                                                  const Channels& channels) const
    {
        WorkNeeds needs = work_needs(problem, psf, channels, settings_, info_.traits);
        std::vector<Recipe> programs =
            recipes_of(settings_.plans(needs.planned, info_, settings_.decisions).plan, info_.traits);
        std::ranges::move(needs.programs, std::back_inserter(programs));
        return programs;
    }

    [[nodiscard]] bool keeps_alpha(const Image& image) const
    {
        return image.alpha_channel >= 0 && (work_.alpha == AlphaRule::keep || image.keeps_alpha);
    }

    /// Waits for the oldest image in the convolver.
    Convolved completed(Started first)
    {
        Convolver::Output output = convolver_->finish();
        for (const std::string& warning : output.warnings)
            first.warnings.emplace_back(WarningKind::accuracy, first.input.string() + ": " + warning);
        if (first.gaps) fill_gaps(first, output);
        if (keeps_alpha(*first.image)) keep_alpha(first, output);
        auto image = std::make_shared<Image>(without_samples(header_of_result(first)));
        image->samples = std::move(output.samples);
        image->overflowed = output.clamped;
        image->kept = first.image->kept;
        return {std::move(image),
                std::move(output.times),
                std::move(output.plan),
                std::move(output.plan_origin),
                std::move(output.plan_check),
                std::move(output.spans),
                std::move(first.warnings),
                0,
                std::move(first.transfer),
                std::move(output.residuals)};
    }

    /// The start of a part of a file. Its samples are not read.
    [[nodiscard]] Started started_of(const std::shared_ptr<const Image>& image, const Item& item) const
    {
        Started next{image, work_.psfs.for_image(item.psf, *image)};
        next.input = item.info.input;
        if (image->channels == 0) {
            next.result = Convolved{copied_result(*image, *next.psf, work_.convolve), {}, {}};
            return next;
        }
        next.samples = result_samples(*image, item.info.output, work_);
        next.transfer = transfer_name(*image, item);
        return next;
    }

    [[nodiscard]] Streamed streamed_image(const Image& image, const Item& item, const DecodeRules& rules,
                                          const MakeRows& rows)
    {
        StreamTask task{item.info.input,
                        item.info.output,
                        result_samples(image, item.info.output, work_),
                        work_.nonfinite,
                        work_.alpha,
                        work_.light,
                        write_options(image, item, work_),
                        streaming_.memory,
                        streaming_.board,
                        item.info.index,
                        rules,
                        rows,
                        clips_light(work_)};
        const std::optional<std::string> cut = work_.convolve.work->cut();
        Streamed streamed = stream_image(*convolver_, task, work_.psfs.for_image(item.psf, image));
        if (cut) streamed.warnings.emplace_back(WarningKind::accuracy, item.info.input.string() + ": " + *cut);
        return streamed;
    }

    void convolve_all_parts(const Image& image, const Item& item);

    /// Waits for a started image.
    [[nodiscard]] Started landed(Started started);

    void start_whole(const std::shared_ptr<const Image>& image, const Item& item, const ReportProgress& progress = {})
    {
        Started next = started_of(image, item);
        if (next.result) return started_.push_back(std::move(next));
        ImageView view = engine_view(*image, item.info.output, work_);
        if (work_.nonfinite == NonFiniteRule::interpolate && find_nonfinite(view).count > 0) {
            next.samples.type = SampleType::float32;
            if (next.samples.stored_type == FileType::float64) next.samples.stored_type = FileType::float32;
            next.gaps = Gaps{missing_samples(view), known_weights(*next.psf, channels_of(view), work_.convolve.border)};
            view.samples = next.gaps->samples.filled.data();
            view.facts = nullptr;
            next.samples.light = view.light = without_encoding(view.light);  // results are divided before that
        } else {
            view.id = id_of(image);
        }
        memory_.pin(view.samples);  // an image that was read before the device was open
        TellIterations tell;
        if (progress) tell = [progress](int done, int maximum) { progress({done, maximum}); };
        convolver_->start(view, next.psf, next.samples.type, std::move(tell));
        started_.push_back(std::move(next));
    }

    [[nodiscard]] std::string transfer_name(const Image& image, const Item& item) const
    {
        const FileType type = file_type(image, item.info.output, work_.depth);
        const auto transfer = output_transfer(image, item.info.output, type, work_.write.strip_metadata);
        return transfer ? transfer->name : std::string();
    }

    /// The id of an image. It stays the same while the same image comes again, with its next PSF.
    std::uint64_t id_of(const std::shared_ptr<const Image>& image)
    {
        if (last_image_.lock() != image) {
            last_image_ = image;
            ++last_id_;
        }
        return last_id_;
    }

    [[nodiscard]] Problem problem_of_started(const Started& started) const
    {
        return problem_of(started.image->view(), *started.psf, work_.convolve, started.samples.type);
    }

    [[nodiscard]] ImageHeader header_of_result(const Started& started) const
    {
        return result_header(*started.image, problem_of_started(started), started.samples);
    }

    void keep_alpha(const Started& started, Convolver::Output& output) const
    {
        const Image& image = *started.image;
        const KeptAlpha kept{problem_of_started(started), image.alpha_channel};
        const std::size_t row_bytes = image.view().bytes() / static_cast<std::size_t>(image.extent.height);
        kept.write(
            0, output.extent.height,
            [&](int y) { return image.samples.data() + static_cast<std::size_t>(y) * row_bytes; },
            output.samples.data());
    }

    /// Also convolves the mask, and divides by the result.
    void fill_gaps(const Started& started, Convolver::Output& output)
    {
        if (!masks_)
            masks_ = std::make_unique<Convolver>(device_, work_.kernels, mask_settings(work_.convolve),
                                                 ConvolverResources{allocate_from(memory_), true});
        const Image& image = *started.image;
        ImageView view{image.extent, image.channels, SampleType::u8, started.gaps->samples.mask.data()};
        view.alpha_channel = image.alpha_channel;
        const Convolver::Output mask = masks_->convolve(view, started.psf, SampleType::float32);
        started.gaps->known.divide(output.samples.as<float>(), mask.samples.as<float>(), image.channels);
        for (const StageTime& time : mask.times) add_time(output.times, time.stage, time.time);
    }

    std::shared_ptr<Device> device_;
    const ImageWork& work_;
    const BlockPool memory_;
    const Streaming streaming_;
    std::weak_ptr<const Image> last_image_;
    std::uint64_t last_id_ = 0;
    const DeviceInfo info_;        ///< of whatever device_ is, which only the device's thread may read
    ConvolveSettings settings_;    ///< of the work; plans that readers made are remembered
    BuildAhead ahead_;             ///< on the device, as it was first opened
    std::deque<Started> started_;  ///< before the convolver: its end waits for what uses the images
    std::unique_ptr<Convolver> convolver_;
    std::unique_ptr<Convolver> masks_;  ///< of samples that are missing; made when the first image has some
};

/// The work of a DeviceWorker for the parts of a file.
class DeviceWorker::Parts final : public PartWorker {
public:
    Parts(DeviceWorker& worker, const Item& item) : worker_(worker), item_(item) {}

    [[nodiscard]] std::size_t capacity() const override { return worker_.capacity(); }

    [[nodiscard]] Image result_header(const Image& part) const override
    {
        const auto image = std::make_shared<const Image>(without_samples(part));
        const Started started = worker_.started_of(image, item_);
        return started.result ? without_samples(*started.result->image)
                              : without_samples(worker_.header_of_result(started));
    }

    [[nodiscard]] WriteOptions write_options(const Image& part, std::size_t which) const override
    {
        return clconv::write_options(part, item_, worker_.work_, which);
    }

    void start(const std::shared_ptr<const Image>& part) override { worker_.start_whole(part, item_); }
    [[nodiscard]] Convolved finish() override
    {
        Started first = std::move(worker_.started_.front());
        worker_.started_.pop_front();
        return first.result ? std::move(*first.result) : worker_.completed(std::move(first));
    }

    [[nodiscard]] Streamed stream(const Image& part, int number, const MakeRows& rows) override
    {
        DecodeRules rules = worker_.work_.decode;
        rules.part = number;
        rules.channels.each_must_match = false;
        return worker_.streamed_image(part, item_, rules, rows);
    }

private:
    DeviceWorker& worker_;
    const Item& item_;
};

void DeviceWorker::convolve_all_parts(const Image& image, const Item& item)
{
    // The convolver returns results in the order in which images were started, so earlier ones come first.
    std::deque<Started> before;
    for (; !started_.empty(); started_.pop_front()) before.push_back(landed(std::move(started_.front())));
    try {
        Parts parts(*this, item);
        Started done;
        done.result = convolve_parts(parts_task(image, item, work_, memory_, streaming_), parts);
        before.push_back(std::move(done));
    } catch (...) {
        started_ = std::move(before);
        throw;
    }
    started_ = std::move(before);
}

DeviceWorker::Started DeviceWorker::landed(Started started)
{
    if (started.result || started.error) return started;
    Started done;
    try {
        done.result = completed(std::move(started));
    } catch (...) {
        done.error = std::current_exception();
    }
    return done;
}

}  // namespace

std::shared_ptr<ImageWorker> device_worker(std::shared_ptr<Device> device, const ImageWork& work,
                                           const BlockPool& memory, const Streaming& streaming)
{
    return std::make_shared<DeviceWorker>(std::move(device), work, memory, streaming);
}

}  // namespace clconv
