#include "engine/convolver.h"

#include "base/clock.h"
#include "base/errors.h"
#include "engine/coarse_convolution.h"
#include "engine/flights.h"
#include "engine/half_noise.h"
#include "engine/job_launcher.h"
#include "engine/zero_results.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

namespace clconv {
namespace {

/// The facts about an image's samples; null if its results need none. Facts that the image lacks are stored in `own`.
const SampleFacts* facts_for(const ImageView& image, SampleType output, std::optional<SampleFacts>& own)
{
    if (!wants_exact_zeros(output)) return nullptr;
    return image.facts ? image.facts : &own.emplace(sample_facts(image));
}

Seconds since(Clock::time_point start) { return Clock::now() - start; }

}  // namespace

struct Convolver::State {
    std::shared_ptr<Device> device;
    KernelSource kernels;
    ConvolveSettings settings;
    ConvolverResources resources;
    FittedPsfs fitted_psfs = {};
    JobLauncher launcher;
    Flights& flights = launcher.flights();
    Clock::time_point last_finish = {};

    State(std::shared_ptr<Device> on, KernelSource from, ConvolveSettings how, ConvolverResources with)
        : device(std::move(on)),
          kernels(std::move(from)),
          settings(std::move(how)),
          resources(std::move(with)),
          launcher(*device, kernels, settings, {resources.host_memory, {capacity(), resources.frugal}})
    {
    }

    /// A CPU has nothing to overlap. But with a second image enqueued, it need not wait for the host in between.
    [[nodiscard]] int capacity() const
    {
        if (resources.frugal) return 1;
        return device->info().traits.is_cpu ? 2 : 3;
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
            const Blending blending = blending_for(settings.blending, image);
            std::optional<SampleFacts> own;
            ImageView with_facts = image;
            with_facts.facts = facts_for(image, output, own);
            Job job{problem, with_facts, bias, {psf, image.alpha_channel, used}, blending, support};
            if (settings.shrink > 1) job.coarse = &launcher.coarse_for(job, flight.result);
            launcher.launch(flight, job);
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
        ZeroRule rule{problem, fitted_psfs.support(fitted), blending_for(settings.blending, image),
                      image.alpha_channel};
        if (mode_of(problem.border).has_own_value()) rule.outside = outside_of(image, settings);
        return rule;
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
                                  .blending = blending_for(settings.blending, image),
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
            launcher.launch(flight, job);
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
        add_time(times, stage::kCutAndJoin, std::max(Seconds{0}, since(start) - in_pieces));
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
        add_time(flight.result.times, stage::kZeros, since(start));
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
        add_time(flight.result.times, stage::kLaunchAndWait, std::max(Seconds{0}, elapsed - accounted));
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
