#include "engine/convolver.h"

#include "base/clock.h"
#include "base/errors.h"
#include "conv/axis.h"
#include "engine/bias.h"
#include "engine/clamped.h"
#include "engine/coarse_convolution.h"
#include "engine/flights.h"
#include "engine/half_noise.h"
#include "engine/plan_cache.h"
#include "engine/scalars.h"
#include "engine/zero_results.h"
#include "opencl/buffers.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

namespace clconv {
namespace {

/// One convolution of samples.
struct Job {
    const Problem& problem;
    const ImageView& image;  ///< with facts where results need them
    const std::vector<float>& bias;
    UsedPsf psf;
    const Blending& blending;
    std::shared_ptr<const PsfSupport> support = {};
    CoarseConvolution* coarse = nullptr;  ///< at a lower resolution

    /// The problem to plan: the job's, or that of the lower resolution.
    [[nodiscard]] const Problem& planned() const { return coarse ? coarse->coarse().small : problem; }

    [[nodiscard]] ImageLevels levels(double magnitude) const
    {
        return {bias, magnitude, image.alpha_channel, image.facts, support.get()};
    }
};

/// One launch a stage, whatever else is forced. Its programs differ from those of all other plans.
ChosenPlan simplest_plan(const Problem& problem, const DeviceInfo& device, const Decisions& forced)
{
    Decisions decisions = forced;
    decisions.method = Method::fft;
    decisions.residence = Residence::global;
    return {make_plan(problem, device.traits, decisions), "first-use check"};
}

/// What is known of an image's samples; none where its results need nothing of it. `own`: for what is found out.
const SampleFacts* facts_for(const ImageView& image, SampleType output, std::optional<SampleFacts>& own)
{
    if (!wants_exact_zeros(output)) return nullptr;
    return image.facts ? image.facts : &own.emplace(sample_facts(image));
}

/// Whether half_noise() says of a problem what its noise is.
bool is_noisy(const Problem& problem)
{
    return problem.precision == Precision::half && problem.blend == BlendShape{} && !problem.decode_srgb &&
           !problem.encode_srgb && problem.border != Border::renormalize;
}

Seconds since(Clock::time_point start) { return Clock::now() - start; }

}  // namespace

struct Convolver::State {
    /// A part of the mask on the device, identified by its position and size.
    struct UploadedMask {
        Position first;
        Extent size;
        cl::Buffer values;
    };

    std::shared_ptr<Device> device;
    KernelSource kernels;
    ConvolveSettings settings;
    ConvolverResources resources;
    FittedPsfs fitted_psfs = {};
    std::optional<UploadedMask> mask = {};
    PlanCache plans;
    CoarseConvolutions coarse_ones{*device, kernels};
    Flights flights = {};  ///< declared after the plans, so destroyed before them
    Clock::time_point last_finish = {};

    State(std::shared_ptr<Device> on, KernelSource from, ConvolveSettings how, ConvolverResources with)
        : device(std::move(on)),
          kernels(std::move(from)),
          settings(std::move(how)),
          resources(std::move(with)),
          plans(*device, kernels, settings, {capacity(), resources.frugal}, [this] { flights.settle_all(); })
    {
    }

    [[nodiscard]] bool is_cpu() const { return device->info().traits.is_cpu; }

    /// A CPU has nothing to overlap. But with a second image enqueued, it need not wait for the host in between.
    [[nodiscard]] int capacity() const
    {
        if (resources.frugal) return 1;
        return is_cpu() ? 2 : 3;
    }

    const Psf& fit(const std::shared_ptr<const Psf>& psf, const ImageView& image)
    {
        return fitted_psfs.fit(psf, channels_of(image), settings.correlate);
    }

    void start(const ImageView& image, const std::shared_ptr<const Psf>& psf, SampleType output)
    {
        if (flights.images.size() == static_cast<std::size_t>(capacity()))
            throw InternalError("more images are in flight than a Convolver can hold");
        const Psf& used = fit(psf, image);
        Flight flight;
        try {
            const auto support = fitted_psfs.support(used);
            const Problem problem = fitted_problem(image, used, *support, settings, output);
            const std::vector<float> bias = bias_in_float(image, settings);
            const Blending blending = blending_for(settings.blending, image.is_clipped);
            std::optional<SampleFacts> own;
            ImageView with_facts = image;
            with_facts.facts = facts_for(image, output, own);
            Job job{problem, with_facts, bias, {psf, image.alpha_channel, used}, blending, support};
            if (settings.shrink > 1) job.coarse = &coarse_for(job, flight.result);
            launch(flight, job);
            flight.zeros = zeros_of(job);
            if (job.coarse) flight.result.warnings = job.coarse->warnings();
        } catch (const TooLarge&) {
            flight = Flight{};
            flight.result = convolve_in_pieces(image, psf, output);
            if (settings.shrink > 1) flight.result.warnings = {kFullResolution};
        }
        flights.images.push_back(std::move(flight));
    }

    std::optional<FlightZeros> zeros_of(const Job& job)
    {
        if (!wants_exact_zeros(job.problem.output)) return std::nullopt;
        ZeroRule rule = zero_rule(job.problem, job.image, job.psf.fitted);
        rule.has_zeros = job.image.facts->has_zeros;
        if (job.coarse) rule = coarse_rule(std::move(rule), job.coarse->coarse());
        return FlightZeros{std::move(rule), job.image.samples};
    }

    ZeroRule zero_rule(const Problem& problem, const ImageView& image, const Psf& fitted)
    {
        ZeroRule rule{problem, fitted_psfs.support(fitted), blending_for(settings.blending, image.is_clipped),
                      image.alpha_channel};
        if (problem.border == Border::constant) rule.outside = outside_of(image, settings);
        return rule;
    }

    CoarseConvolution& coarse_for(const Job& job, Output& result)
    {
        const int lanes = coarse_lanes(settings.decisions, device->info().traits);
        return coarse_ones.of(
            {job.problem, job.psf, settings.shrink, lanes}, [this] { flights.settle_all(); }, result);
    }

    /// Enqueues the convolution of a job by the known plan of its problem, or by one from `source`.
    KnownPlan& launch_with(const PlanSource& source, Flight& flight, const Job& job)
    {
        if (job.coarse) return launch_coarse(source, flight, job);
        const Problem& problem = job.problem;
        const auto [known, transfer] = plans.ready(problem, source, job.psf, flight.result);
        PreparedPlan& plan = known.plan;
        const double magnitude = problem.precision == Precision::half ? largest_magnitude(job.image) : 0;
        flight.levels = level_scalars(plan.plan(), job.levels(magnitude), transfer, job.blending);
        flight.result.extent = plan.plan().output;
        flight.result.samples = resources.host_memory(output_bytes(plan.plan()));
        const std::uint64_t results = plan.plan().output.pixels() * problem.channels;
        clear_clamped(flight.result.samples, results, problem);
        flight.result.plan = known.text;
        flight.result.plan_origin = known.origin;

        flight.noise.reset();
        if (is_noisy(problem) && plan.plan().is_fft() && job.support) {
            flight.noise = FlightNoise{plan.plan(), job.image, job.bias, job.support};
            flight.noise->image.facts = nullptr;  // they may go before the flight ends
        }
        flight.slot = flights.free_slot(plan);
        flight.plan = &plan;
        flight.buffers = plan.slot(flight.slot);
        flight.buffers.weight = flight.piece.coverage.empty()
                                    ? transfer.weight
                                    : upload_scalars(*device, flight.piece.coverage, problem.precision);
        flight.buffers.mask = mask_for(flight, problem);
        flight.buffers.image_id = job.image.id;
        DeviceConvolution& convolution = plan.convolution_of(flight.slot);
        flight.launcher = std::make_unique<Launcher>(*device, plan.route_of(flight.slot));
        if (problem.counts_clamped && !is_cpu()) {
            const std::size_t place = clamped_place(results, problem.output);
            flight.launcher->write(flight.buffers.output, flight.result.samples.data() + place, sizeof(std::uint32_t),
                                   place);
        }
        enqueue(flight, job.image.samples, input_bytes(plan.plan()), convolution, transfer);
        return known;
    }

    /// The same for a job at a lower resolution.
    KnownPlan& launch_coarse(const PlanSource& source, Flight& flight, const Job& job)
    {
        CoarseConvolution& coarse = *job.coarse;
        const auto [known, transfer] = plans.ready(job.planned(), source, coarse.psf(), flight.result);
        flight.result.extent = job.problem.image;
        flight.result.samples = resources.host_memory(coarse.output_bytes());
        flight.result.plan = coarse.text() + known.text;
        flight.result.plan_origin = known.origin;
        flight.slot = flights.free_slot(known.plan);
        flight.plan = &known.plan;
        if (settings.blending.mask) flight.buffers.mask = mask_for(flight, job.problem);
        flight.launcher = std::make_unique<Launcher>(*device, known.plan.route_of(flight.slot));
        coarse.enqueue(flight, known.plan, transfer, {job.image, job.levels(1), job.blending, known.check.is_due()});
        return known;
    }

    /// The mask of an image's results, or of a piece's. Any buffer if there is none.
    cl::Buffer mask_for(const Flight& flight, const Problem& problem)
    {
        if (!settings.blending.mask) return flight.buffers.restore;
        if (!flight.piece.mask.empty()) return upload_scalars(*device, flight.piece.mask, problem.precision);
        const Position first{first_output(along_x(problem)), first_output(along_y(problem))};
        const Extent size = output_extent(problem);
        if (!mask || mask->first != first || mask->size != size)
            mask = UploadedMask{
                first, size, upload_scalars(*device, part_of(*settings.blending.mask, first, size), problem.precision)};
        return mask->values;
    }

    /// Like launch_with() and launch_coarse(), but waits for the first results of a plan and checks them. Other plans
    /// replace wrong results: the planner's own instead of a measured one, then the simplest.
    void launch(Flight& flight, const Job& job)
    {
        KnownPlan& known = launch_with(settings.plans, flight, job);
        const bool was_measured = known.is_measured;
        std::string wrong = wrong_at_first_use(known, flight, job);
        if (!wrong.empty() && was_measured) wrong = wrong_again(wrong, heuristic_plan, flight, job);
        if (!wrong.empty()) wrong = wrong_again(wrong, simplest_plan, flight, job);
        if (!wrong.empty())
            throw WrongResults(wrong + "; see clconv selftest, and try another driver or another device");
    }

    /// Uses another plan after a wrong one. Returns what wrong_at_first_use() says of it. `before`: what was wrong with
    /// the first.
    std::string wrong_again(const std::string& before, const PlanSource& source, Flight& flight, const Job& job)
    {
        plans.forget(job.planned());
        try {
            return wrong_at_first_use(launch_with(source, flight, job), flight, job);
        } catch (const Error& error) {
            return fmt::format("{}; there is no other plan: {}", before, error.what());
        }
    }

    /// Compares a result with direct sums, unless the plan has passed before. Empty if the result is right. Otherwise
    /// the error has been reported, and nothing is in flight with that plan.
    std::string wrong_at_first_use(KnownPlan& known, Flight& flight, const Job& job)
    {
        flight.result.plan_check = known.check.status();
        if (!known.check.is_due()) return "";
        flight.settle();
        const Clock::time_point start = Clock::now();
        const PlanCheck::Finding found =
            flight.coarse ? job.coarse->compare(known.check, *flight.coarse)
                          : known.check.compare({job.problem, job.psf.fitted, job.image.samples,
                                                 flight.result.samples.data(), job.bias, flight.piece.coverage,
                                                 &job.blending, job.image.alpha_channel, flight.piece.mask});
        add_time(flight.result.times, "check", since(start));
        if (found.verdict == Verdict::right) flight.result.plan_check = "passed";
        return found.wrong;
    }

    void enqueue(Flight& flight, const std::byte* image, std::size_t bytes, DeviceConvolution& convolution,
                 const PreparedPsf& transfer) const
    {
        Launcher& launcher = *flight.launcher;
        ImageBuffers& buffers = flight.buffers;
        Bytes& samples = flight.result.samples;
        if (is_cpu()) {
            buffers.input = wrap(*device, image, bytes, CL_MEM_READ_ONLY);
            buffers.output = wrap(*device, samples.data(), samples.size(), CL_MEM_READ_WRITE);
        } else {
            launcher.write(buffers.input, image, bytes);
        }
        launcher.write(buffers.bias, flight.levels.bias.data(), flight.levels.bias.size());
        launcher.write(buffers.restore, flight.levels.restore.data(), flight.levels.restore.size());
        convolution.convolve(launcher, buffers, transfer);
        if (is_cpu())
            launcher.show_host(buffers.output, samples.size());
        else
            launcher.read(buffers.output, samples.data(), samples.size());
        launcher.flush();
    }

    [[nodiscard]] BandedConvolution banded(const ImageView& image, const std::shared_ptr<const Psf>& psf,
                                           SampleType output, const ImageView& sample, std::uint64_t host_limit)
    {
        const Psf& used = fit(psf, image);
        const Problem problem = fitted_problem(image, used, *fitted_psfs.support(used), settings, output);
        std::optional<ZeroRule> zeros;
        if (wants_exact_zeros(output)) zeros = zero_rule(problem, image, used);
        return BandedConvolution({.pieces = plan_pieces(problem, device->info().traits, settings.decisions, host_limit),
                                  .alpha_channel = image.alpha_channel,
                                  .psf = psf,
                                  .fitted = used,
                                  .bias = bias_in_float(sample, settings),
                                  .outside = outside_of(sample, settings),
                                  .blending = blending_for(settings.blending, image.is_clipped),
                                  .zeros = std::move(zeros)});
    }

    /// Pieces overlap like images. Returns ConvolvedImage::clamped.
    std::size_t convolve_band(const BandedConvolution& banded, int band, const ImageRows& rows, std::byte* result,
                              std::vector<StageTime>& times)
    {
        const Clock::time_point start = Clock::now();
        Seconds in_pieces{0};
        std::size_t clamped = 0;
        PieceQueue queue;
        queue.capacity = capacity();
        queue.start = [&](PieceInput piece) {
            Flight flight;
            flight.piece = std::move(piece);
            const Problem& problem = banded.pieces().plan.problem;
            const BandedImage& whole = banded.image();
            ImageView image{problem.image, problem.channels, problem.input, flight.piece.samples.data()};
            image.alpha_channel = whole.alpha_channel;
            std::optional<SampleFacts> facts;
            if (whole.zeros) image.facts = facts_for(image, problem.output, facts);
            const Job job{problem,        image,
                          whole.bias,     {whole.psf, whole.alpha_channel, whole.fitted},
                          whole.blending, whole.zeros ? whole.zeros->support : nullptr};
            launch(flight, job);
            flights.pieces.push_back(std::move(flight));
        };
        queue.finish = [&] {
            Flight flight = Flights::take_first(flights.pieces);
            for (const StageTime& time : flight.result.times) {
                add_time(times, time.stage, time.time);
                in_pieces += time.time;
            }
            clamped += flight.result.clamped;
            return std::move(flight.result.samples);
        };
        try {
            banded.convolve(band, rows, queue, result);
        } catch (...) {
            flights.pieces.clear();
            throw;
        }
        add_time(times, "cut and join", std::max(Seconds{0}, since(start) - in_pieces));
        return clamped;
    }

    [[nodiscard]] Output convolve_in_pieces(const ImageView& image, const std::shared_ptr<const Psf>& psf,
                                            SampleType output)
    {
        const BandedConvolution bands = banded(image, psf, output, image, kNoLimit);
        const Extent extent{bands.pieces().columns.total, bands.pieces().rows.total};
        const std::size_t row = image.bytes() / static_cast<std::size_t>(image.extent.height);
        const std::size_t row_out = static_cast<std::size_t>(extent.width) * image.channels * bytes_of(output);
        Output result{extent,
                      resources.host_memory(row_out * static_cast<std::size_t>(extent.height)),
                      {},
                      describe(bands.pieces()),
                      "heuristic"};
        std::byte* to = result.samples.data();
        for (int band = 0; band < bands.bands(); ++band) {
            result.clamped += convolve_band(
                bands, band, [&](int y) { return image.samples + static_cast<std::size_t>(y) * row; }, to,
                result.times);
            to += static_cast<std::size_t>(bands.new_rows(band)) * row_out;
        }
        return result;
    }

    static void put_zeros(Flight& flight)
    {
        if (!flight.zeros) return;
        const Clock::time_point start = Clock::now();
        const ZeroRule& rule = flight.zeros->rule;
        const Problem& problem = rule.problem;
        const std::size_t row_bytes =
            static_cast<std::size_t>(problem.image.width) * problem.channels * bytes_of(problem.input);
        const std::byte* const samples = flight.zeros->samples;
        const auto row = [&](int y) { return samples + static_cast<std::size_t>(y) * row_bytes; };
        ZeroResults(rule, 0, flight.result.extent.height, row).write(flight.result.samples.data());
        add_time(flight.result.times, "zeros", since(start));
    }

    Output finish()
    {
        if (flights.images.empty()) throw InternalError("no image is in flight");
        Flight flight = Flights::take_first(flights.images);
        put_zeros(flight);
        if (const auto& noise = flight.noise)
            if (auto warning = noise_warning(
                    half_noise(noise->plan, noise->image, noise->bias, *noise->support, flight.result.samples.data())))
                flight.result.warnings.push_back(std::move(*warning));
        // Time that no stage accounts for: launches, and waiting for the device. This image's time begins when the
        // image before it is no longer in flight.
        Seconds accounted{0};
        for (const StageTime& time : flight.result.times) accounted += time.time;
        const Seconds elapsed = since(std::max(flight.started, last_finish));
        add_time(flight.result.times, "launch and wait", std::max(Seconds{0}, elapsed - accounted));
        last_finish = Clock::now();
        return std::move(flight.result);
    }
};

Convolver::Convolver(std::shared_ptr<Device> device, KernelSource kernels, ConvolveSettings settings,
                     ConvolverResources resources)
    : state_(new State{std::move(device), std::move(kernels), std::move(settings), std::move(resources)})
{
}
Convolver::~Convolver() = default;
Convolver::Convolver(Convolver&&) noexcept = default;
Convolver& Convolver::operator=(Convolver&&) noexcept = default;

const Device& Convolver::device() const { return *state_->device; }
std::size_t Convolver::capacity() const { return static_cast<std::size_t>(state_->capacity()); }

void Convolver::start(const ImageView& image, const std::shared_ptr<const Psf>& psf, SampleType output)
{
    try {
        state_->start(image, psf, output);
    } catch (const cl::Error& error) {
        rethrow(error, "convolving on " + state_->device->info().name);
    }
}

Convolver::Output Convolver::finish()
{
    try {
        return state_->finish();
    } catch (const cl::Error& error) {
        rethrow(error, "convolving on " + state_->device->info().name);
    }
}

BandedConvolution Convolver::banded(const ImageView& image, const std::shared_ptr<const Psf>& psf, SampleType output,
                                    const ImageView& sample, std::uint64_t host_limit)
{
    return state_->banded(image, psf, output, sample, host_limit);
}

std::size_t Convolver::convolve_band(const BandedConvolution& banded, int band, const ImageRows& rows,
                                     std::byte* result, std::vector<StageTime>& times)
{
    try {
        return state_->convolve_band(banded, band, rows, result, times);
    } catch (const cl::Error& error) {
        rethrow(error, "convolving on " + state_->device->info().name);
    }
}

Convolver::Output Convolver::convolve(const ImageView& image, const std::shared_ptr<const Psf>& psf, SampleType output)
{
    start(image, psf, output);
    return finish();
}

}  // namespace clconv
