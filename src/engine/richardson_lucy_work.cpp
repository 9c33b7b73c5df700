// SPDX-License-Identifier: Apache-2.0
#include "engine/richardson_lucy_work.h"

#include "base/errors.h"
#include "engine/clamped.h"
#include "engine/cut_samples.h"
#include "engine/image_statistics.h"
#include "engine/richardson_lucy_loop.h"
#include "engine/task.h"
#include "opencl/buffers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

namespace clconv {
namespace {

/// The planes of floats that an image's iterations need, by their numbers in the workspace.
enum Plane {
    of_data,
    of_ratio,
    of_estimate,
    of_factor,
    of_share,
    of_numbers,
    of_improved,  // with acceleration
    of_change,    // Biggs-Andrews
    of_partial,   // Biggs-Andrews
    of_known,     // with weights
};
/// A slot's own memory.
enum SlotPart { of_sums };

/// A multiple of eight floats, which the kernels take at a time.
std::uint64_t plane_bytes(std::uint64_t samples) { return (samples + 7) / 8 * 8 * sizeof(float); }

/// What stays with a plan for one of its engines.
struct Kept {
    RichardsonLucyLoop loop;
    cl::Buffer weights = {};          ///< of the mask, if images are wholes
    cl::Buffer weights_of_part = {};  ///< of the last part
};

/// What is kept until an image is done.
struct HeldByFlight {
    std::unique_ptr<Launcher> preparing;  ///< of the adjoint's transfer
    std::vector<float> sums;              ///< [iterations][partial sums] of the residuals
    std::vector<float> means;             ///< [planes] of the whole of which the image is a part
    Bytes image, result;                  ///< of a convolution to check
};

class RichardsonLucyTask final : public Task {
public:
    RichardsonLucyTask(const WorkContext& context, const Job& job, const RichardsonLucy& how)
        : context_(context),
          job_(job),
          how_(how),
          statistics_(job.part ? job.part->statistics : statistics_of(job.image)),
          samples_(samples_problem(job.problem)),
          estimate_(estimate_problem(job.problem, how))
    {
    }

    [[nodiscard]] const Problem& planned() const override { return estimate_.problem; }

    [[nodiscard]] PreparedPlan::Transfer transfer(PreparedPlan& plan) override
    {
        Kept& kept = kept_with(plan, 0);
        PreparedPlan::Transfer there = plan.psf(job_.psf);
        held_ = std::make_shared<HeldByFlight>();
        back_ = &there.psf;
        if (kept.loop.adjoint().shares_transfer()) return there;
        const auto make = [&](Launcher& launcher, DeviceConvolution& /*convolution*/) {
            return kept.loop.adjoint().prepare(launcher, job_.psf.fitted, there.psf);
        };
        PreparedPlan::Transfer back = plan.transfer(job_.psf, "adjoint", make);
        back_ = &back.psf;
        held_->preparing = std::move(back.preparing);
        return there;
    }

    void enqueue(Flight& flight, PreparedPlan& plan, const PreparedPsf& transfer, bool is_checked) override
    {
        Kept& kept = kept_with(plan, plan.engine_of(flight.slot));
        const RichardsonLucyPlanes planes = planes_of(plan, flight.slot, kept.loop);
        Launcher& launcher = *flight.launcher;
        flight.held = held_;
        prepare_image(flight, plan);
        upload_image(flight);
        begin(launcher, flight.buffers, kept, planes);
        const int iterations = iterate(flight, plan.convolution_of(flight.slot), transfer, kept, planes);
        kept.loop.passes().store(launcher, kept.loop.estimate_after(iterations, planes), flight.buffers);
        if (is_checked) convolve_to_check(launcher, plan.convolution_of(flight.slot), transfer, kept, planes);
        download(flight, kept.loop, planes, iterations);
    }

    [[nodiscard]] PlanCheck::Finding compare(PlanCheck& check, const Flight& /*flight*/) override
    {
        return check.compare(
            {estimate_.problem, job_.psf.fitted, held_->image.data(), held_->result.data(), outside()});
    }

    [[nodiscard]] std::string text() const override
    {
        std::string text = fmt::format("Richardson-Lucy, {} iterations", how_.iterations);
        if (how_.acceleration != Acceleration::none) text += fmt::format(" with {}", name_of(how_.acceleration));
        if (estimate_.problem.channels != samples_.channels) text += " of luminance";
        text += how_.is_masked ? ", nothing known outside" : ", with the border's adjoint";
        if (background() > 1e-12) text += fmt::format(", background {:.4g}", background());
        return text + ":\n";
    }

    [[nodiscard]] std::vector<std::string> warnings() const override
    {
        std::vector<std::string> all;
        constexpr double many = 0.002;
        if (!how_.weights && statistics_.clipped > many)
            all.push_back(
                fmt::format("about {:.1f} % of the samples are clipped, which leaves rings around them: see "
                            "--weight auto",
                            100 * statistics_.clipped));
        for (std::string& warning : psf_warnings(job_.psf.fitted, back_->sums.front(), how_.is_like_skimage))
            all.push_back(std::move(warning));
        if (how_.weights && how_.weights->smallest < kMinSampleWeight)
            all.push_back(
                fmt::format("weights go down to {:.2g} of the largest; what only weights below {:g} of it see stays as "
                            "in the image: raise the small weights, or lower the large ones",
                            how_.weights->smallest, kMinSampleWeight));
        if (how_.weights && !job_.part && !has_data(job_.image, counted()))
            all.emplace_back(
                "no sample has a weight, so nothing is known of the result: it is the image, and 0 where that is not "
                "finite");
        return all;
    }

    [[nodiscard]] std::optional<ZeroRule> zeros(ZeroRule /*plain*/) const override { return std::nullopt; }

private:
    [[nodiscard]] Kept& kept_with(PreparedPlan& plan, int engine) const
    {
        std::shared_ptr<void>& kept = plan.of_work(engine, program_key(samples_));
        if (!kept)
            kept =
                std::make_shared<Kept>(Kept{RichardsonLucyLoop(context_.device, context_.kernels, plan.plan(), samples_,
                                                               estimate_, how_, plan.workspace().scratch(engine))});
        return *static_cast<Kept*>(kept.get());
    }

    [[nodiscard]] double background() const
    {
        if (how_.is_like_skimage) return 1e-12;
        return how_.finds_background ? std::max(0.0, statistics_.dark) : how_.background;
    }

    /// [planes], what the border has outside of the estimate.
    [[nodiscard]] std::vector<double> outside() const
    {
        const auto planes = static_cast<std::size_t>(estimate_.problem.channels);
        if (!mode_of(estimate_.problem.border).has_own_value()) return std::vector<double>(planes);
        if (planes == job_.bias.size()) return job_.bias;
        return {std::inner_product(kLuminance.begin(), kLuminance.end(), job_.bias.begin(), 0.0)};
    }

    [[nodiscard]] RichardsonLucyPlanes planes_of(PreparedPlan& plan, int slot, const RichardsonLucyLoop& loop) const
    {
        const auto plane = [&](Plane number, std::uint64_t samples) {
            return plan.workspace().of_route(plan.engine_of(slot), number).of(plane_bytes(samples));
        };
        const std::uint64_t data = loop.passes().data_count(), estimate = loop.passes().estimate_count();
        const std::uint64_t sums =
            std::max<std::uint64_t>(2 * loop.passes().mean_sums(), loop.sums() * how_.iterations);
        RichardsonLucyPlanes planes{
            .data = plane(of_data, data),
            .estimate = plane(of_estimate, std::max(estimate, data)),
            .share = plane(of_share, estimate),
            .numbers = plane(of_numbers, 2 * static_cast<std::uint64_t>(estimate_.problem.channels)),
            .sums = plan.workspace().of_slot(slot, of_sums).of(plane_bytes(sums))};
        planes.ratio = loop.stores_ratios() ? plane(of_ratio, data) : planes.data;
        planes.known = how_.weights ? plane(of_known, data) : how_.is_like_skimage ? planes.share : planes.estimate;
        if (loop.stores_factors()) planes.factor = plane(of_factor, estimate);
        if (how_.acceleration != Acceleration::none) planes.improved = plane(of_improved, estimate);
        if (how_.acceleration == Acceleration::biggs_andrews) {
            planes.change = plane(of_change, estimate);
            planes.partial = plane(of_partial, 2 * loop.passes().estimate_sums());
        }
        return planes;
    }

    /// The image's memory on the device, the result's on the host, and the numbers of both.
    void prepare_image(Flight& flight, PreparedPlan& plan) const
    {
        flight.levels = richardson_lucy_levels(samples_, job_.levels(1), job_.blending);
        flight.result.extent = samples_.image;
        const std::uint64_t count = samples_.image.pixels() * static_cast<std::uint64_t>(samples_.channels);
        const std::uint64_t out = counted_bytes(count, samples_);
        flight.result.samples = context_.host_memory(out);
        clear_clamped(flight.result.samples, count, samples_);
        const bool is_cpu = context_.is_cpu();
        flight.buffers =
            plan.slot(flight.slot, {.input = is_cpu ? 0 : job_.image.bytes(),
                                    .output = is_cpu ? 0 : out,
                                    .levels = std::max(flight.levels.bias.size(), flight.levels.restore.size())});
        flight.buffers.mask = context_.mask.of(flight, samples_);
        if (is_cpu) {
            flight.buffers.input = wrap(context_.device, job_.image.samples, job_.image.bytes(), CL_MEM_READ_ONLY);
            flight.buffers.output = wrap(context_.device, flight.result.samples.data(), out, CL_MEM_READ_WRITE);
        }
    }

    void upload_image(Flight& flight) const
    {
        Launcher& launcher = *flight.launcher;
        const ImageBuffers& buffers = flight.buffers;
        if (!context_.is_cpu()) {
            launcher.write(buffers.input, job_.image.samples, job_.image.bytes());
            if (samples_.counts_clamped) {
                const std::size_t place = flight.result.samples.size() - kClampedBytes;
                launcher.write(buffers.output, flight.result.samples.data() + place, kClampedBytes, place);
            }
        }
        launcher.write(buffers.bias, flight.levels.bias.data(), flight.levels.bias.size());
        launcher.write(buffers.restore, flight.levels.restore.data(), flight.levels.restore.size());
    }

    /// Data, their means, 1 / A' w, and the first estimate.
    void begin(Launcher& launcher, const ImageBuffers& image, Kept& kept, const RichardsonLucyPlanes& planes) const
    {
        RichardsonLucyPasses& passes = kept.loop.passes();
        load(launcher, image, kept, planes);
        if (job_.part) {  // the same floor and first estimate in all parts
            const std::vector<double>& means = means_of_whole(*job_.part);
            held_->means.assign(means.begin(), means.end());
            launcher.write(planes.numbers, held_->means.data(), held_->means.size() * sizeof(float));
        } else {
            passes.mean(launcher, planes.data, planes.known, planes.sums, planes.numbers);
        }
        if (!how_.is_like_skimage) {
            kept.loop.adjoint().convolve(launcher, planes.known, planes.share, *back_);
            std::vector<float> minimum;
            for (int c = 0; c < estimate_.problem.channels; ++c)
                minimum.push_back(static_cast<float>(min_share(how_) * std::abs(back_->sums[c % back_->sums.size()])));
            passes.reciprocal(launcher, planes.share, upload(context_.device, minimum));
        }
        const auto start = [&](const cl::Buffer& estimate) {
            passes.start(launcher, {estimate, planes.share, planes.data, planes.numbers,
                                    static_cast<float>(how_.start.value_or(-1)), how_.starts_from_image});
        };
        start(planes.estimate);
        if (planes.improved()) start(planes.improved);
    }

    void load(Launcher& launcher, const ImageBuffers& image, Kept& kept, const RichardsonLucyPlanes& planes) const
    {
        if (!how_.weights) return kept.loop.passes().load(launcher, {image, planes.data, planes.known});
        kept.loop.passes().load(launcher, {image, planes.data, planes.known, weights_of_pixels(kept), maximum()});
    }

    /// Samples from here on have no weight.
    [[nodiscard]] float maximum() const
    {
        const bool has_largest = how_.weights && how_.weights->is_automatic && job_.image.is_clipped;
        return has_largest ? 1.0F : std::numeric_limits<float>::infinity();
    }

    /// What passes.mean() finds of a whole.
    [[nodiscard]] const std::vector<double>& means_of_whole(PartOfWhole& part) const
    {
        if (part.means.empty()) part.means = means_of_data(part.whole, counted());
        return part.means;
    }

    [[nodiscard]] CountedSamples counted() const
    {
        CountedSamples counted{.maximum = maximum()};
        if (estimate_.problem.channels != samples_.channels) counted.shares = kLuminance;
        if (how_.weights && how_.weights->mask) counted.weights = &how_.weights->mask->values;
        return counted;
    }

    /// Null: 1 everywhere.
    [[nodiscard]] const cl::Buffer* weights_of_pixels(Kept& kept) const
    {
        const auto& mask = how_.weights->mask;
        if (!mask) return nullptr;
        if (job_.part) {
            const std::vector<double> own = part_of(*mask, job_.part->first, samples_.image);
            kept.weights_of_part = upload(context_.device, std::vector<float>(own.begin(), own.end()));
            return &kept.weights_of_part;
        }
        if (!kept.weights()) kept.weights = upload(context_.device, mask->values);
        return &kept.weights;
    }

    /// Returns how many iterations there were.
    int iterate(Flight& flight, DeviceConvolution& convolution, const PreparedPsf& transfer, Kept& kept,
                const RichardsonLucyPlanes& planes) const
    {
        Launcher& launcher = *flight.launcher;
        const RichardsonLucyLoop::Transfers transfers{transfer, *back_};
        kept.loop.begin(convolution, planes, transfer, outside());
        RichardsonLucyLoop::Iteration iteration{.background = static_cast<float>(background())};
        while (!iteration.is_last && iteration.number < how_.iterations) {
            kept.loop.to_ratios(launcher, convolution, transfers, planes, iteration);
            iteration.is_last =
                iteration.number + 1 == how_.iterations ||
                (is_looked_at(iteration.number) && is_enough(flight, kept.loop, planes, iteration.number));
            kept.loop.to_estimate(launcher, transfers, planes, iteration);
            ++iteration.number;
            if (flight.tell) flight.milestones.push_back({launcher.last(), iteration.number, how_.iterations});
        }
        return iteration.number;
    }

    /// Whether the residuals decide after iteration k whether it is the last one.
    [[nodiscard]] bool is_looked_at(int k) const { return how_.stop > 0 && k > 0 && k % kStopsEvery == 0; }

    /// The only time that the host waits, and only with `stop`.
    [[nodiscard]] bool is_enough(Flight& flight, const RichardsonLucyLoop& loop, const RichardsonLucyPlanes& planes,
                                 int k) const
    {
        Launcher& launcher = *flight.launcher;
        held_->sums.resize(loop.sums() * static_cast<std::size_t>(k + 1));
        launcher.read(planes.sums, held_->sums.data(), held_->sums.size() * sizeof(float));
        for (const StageTime& time : launcher.finish()) add_time(flight.result.times, time.stage, time.time);
        if (flight.tell) flight.tell(k, how_.iterations);
        flight.milestones.clear();
        std::ranges::move(launcher.take_spans(), std::back_inserter(flight.result.spans));
        return clconv::is_enough(residuals_of(held_->sums, loop), how_.stop);
    }

    /// The mean I-divergence of a sample, before each iteration.
    [[nodiscard]] static std::vector<double> residuals_of(const std::vector<float>& sums,
                                                          const RichardsonLucyLoop& loop)
    {
        std::vector<double> residuals;
        const auto groups = static_cast<std::ptrdiff_t>(loop.sums());
        for (auto sum = sums.begin(); sum != sums.end(); sum += groups)
            residuals.push_back(std::accumulate(sum, sum + groups, 0.0) /
                                static_cast<double>(loop.passes().data_count()));
        return residuals;
    }

    /// One convolution more, of the last estimate or the one before, with everything that direct sums need.
    void convolve_to_check(Launcher& launcher, DeviceConvolution& convolution, const PreparedPsf& transfer, Kept& kept,
                           const RichardsonLucyPlanes& planes) const
    {
        kept.loop.convolve(launcher, convolution, transfer);
        held_->image = Bytes(kept.loop.passes().estimate_count() * sizeof(float));
        held_->result = Bytes(kept.loop.passes().data_count() * sizeof(float));
        launcher.read(planes.estimate, held_->image.data(), held_->image.size());
        launcher.read(planes.ratio, held_->result.data(), held_->result.size());
    }

    void download(Flight& flight, const RichardsonLucyLoop& loop, const RichardsonLucyPlanes& planes,
                  int iterations) const
    {
        Launcher& launcher = *flight.launcher;
        held_->sums.resize(loop.sums() * static_cast<std::size_t>(iterations));
        if (iterations > 0) launcher.read(planes.sums, held_->sums.data(), held_->sums.size() * sizeof(float));
        Bytes& samples = flight.result.samples;
        if (context_.is_cpu())
            launcher.show_host(flight.buffers.output, samples.size());
        else
            launcher.read(flight.buffers.output, samples.data(), samples.size());
        launcher.flush();
        const std::uint64_t count = samples_.image.pixels() * static_cast<std::uint64_t>(samples_.channels);
        flight.completes =
            [samples = samples_, count, held = held_, &loop, is_like = how_.is_like_skimage,
             is_part = job_.part != nullptr, expected = (statistics_.mean - background()) / back_->sums.front(),
             rounding = 1e-6 * std::abs(statistics_.mean),
             of_noise = job_.part ? 0 : residual_of_noise(statistics_) * mean_weight(job_.image, counted()),
             light = job_.image.light](ConvolvedImage& result) {
                result.clamped = take_clamped(result.samples, count, samples);
                if (is_like) {
                    if (samples.output == SampleType::float32) cut_to_unit(result.samples);
                    return;
                }
                result.residuals = residuals_of(held->sums, loop);
                if (is_part) return;
                if (const auto warning = judged(result.residuals, of_noise, rounding))
                    result.warnings.push_back(*warning);
                if (const auto warning = judged_light(result, samples, light, expected))
                    result.warnings.push_back(*warning);
            };
    }

    /// A warning if the result is much darker or brighter than the image was.
    [[nodiscard]] static std::optional<std::string> judged_light(const ConvolvedImage& result, const Problem& samples,
                                                                 Light light, double expected)
    {
        if (expected <= 0 || !std::isfinite(expected) || samples.blend != BlendShape{} || light == Light::to_srgb)
            return std::nullopt;
        const ImageView view{result.extent, samples.channels, samples.output, result.samples.data(), light};
        const double mean = statistics_of(view).mean;
        if (mean > 0.2 * expected && mean < 5 * expected) return std::nullopt;
        return fmt::format("the result's mean is {:.3g}, where the image makes {:.3g} likely: the iterations went {}",
                           mean, expected, mean < expected ? "to zero" : "beyond what the data allow");
    }

    const WorkContext& context_;
    const Job job_;
    const RichardsonLucy& how_;
    ImageStatistics statistics_;
    Problem samples_;
    EstimateProblem estimate_;
    const PreparedPsf* back_ = nullptr;
    std::shared_ptr<HeldByFlight> held_;
};

class BoundRichardsonLucy final : public BoundWork {
public:
    BoundRichardsonLucy(const WorkContext& context, const RichardsonLucy& how) : context_(context), how_(how) {}

    [[nodiscard]] std::unique_ptr<Task> task(const Job& job, ConvolvedImage& /*result*/) override
    {
        const Extent psf = job.problem.psf;
        if (how_.is_like_skimage && (psf.width % 2 == 0 || psf.height % 2 == 0))
            throw InvalidProblem(
                fmt::format("--like skimage: the PSF is {}, and scikit-image's iterations shift images by PSFs of even "
                            "sizes; give one of odd sizes",
                            to_string(psf)));
        check_luminance(job.problem, how_, job.image.alpha_channel, job.psf.fitted);
        const auto mask = how_.weights ? how_.weights->mask : nullptr;
        const Extent whole = job.part ? job.part->whole.extent : job.problem.image;
        if (mask && mask->extent != whole)
            throw InvalidProblem(fmt::format("--weight is {}, and the image {}; give weights of the image's size",
                                             to_string(mask->extent), to_string(whole)));
        return std::make_unique<RichardsonLucyTask>(context_, job, how_);
    }

private:
    const WorkContext& context_;
    RichardsonLucy how_;
};

class RichardsonLucyWork final : public Work {
public:
    explicit RichardsonLucyWork(const RichardsonLucy& how) : how_(how) {}

    [[nodiscard]] WorkNeeds needs(const Problem& whole, const Psf& /*fitted*/, const Decisions& forced,
                                  const DeviceTraits& traits) const override
    {
        const Problem problem = estimate_problem(whole, how_).problem;
        try {
            const Plan plan = make_plan(problem, traits, forced);
            return {problem, richardson_lucy_recipes(plan, samples_problem(whole), how_, traits)};
        } catch (const TooLarge&) {  // parts are planned when the image is there
            return {problem};
        }
    }

    [[nodiscard]] std::unique_ptr<BoundWork> bound(const WorkContext& context) const override
    {
        return std::make_unique<BoundRichardsonLucy>(context, how_);
    }

    /// What lies outside of a part is not known, as what lies outside of the image. --stop would end parts at different
    /// iterations.
    [[nodiscard]] std::optional<Extent> halo(const Problem& whole) const override
    {
        if (!how_.is_masked || how_.stop > 0) return std::nullopt;
        return Extent{kHaloOfParts * whole.psf.width, kHaloOfParts * whole.psf.height};
    }

    [[nodiscard]] std::optional<std::string> cut() const override
    {
        throw TooLarge(
            "the image does not fit the device and the memory limit in one piece, and the iterations need the whole "
            "image; raise --memory-limit or --device-memory, or use a smaller image. If only the device's memory is "
            "too small, --border masked without --stop works on parts");
    }

    [[nodiscard]] bool leaves_out_nonfinite() const override { return how_.weights.has_value(); }

    [[nodiscard]] std::uint64_t host_bytes() const override
    {
        return how_.weights && how_.weights->mask ? how_.weights->mask->values.size() * sizeof(float) : 0;
    }

private:
    RichardsonLucy how_;
};

}  // namespace

std::shared_ptr<const Work> richardson_lucy_work(const RichardsonLucy& how)
{
    return std::make_shared<const RichardsonLucyWork>(how);
}

}  // namespace clconv
