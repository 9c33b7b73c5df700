// SPDX-License-Identifier: Apache-2.0
#include "engine/convolver.h"

#include "base/clock.h"
#include "base/errors.h"
#include "engine/flights.h"
#include "engine/half_noise.h"
#include "engine/image_statistics.h"
#include "engine/job_launcher.h"
#include "engine/joined_parts.h"
#include "engine/zero_results.h"
#include "plan/overlapping_parts.h"

#include <algorithm>
#include <chrono>
#include <iterator>
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

/// A CPU has nothing to overlap. But with a second image enqueued, it need not wait for the host in between.
int images_in_flight(const Device& device, const ConvolverResources& resources)
{
    if (resources.frugal) return 1;
    return device.info().traits.is_cpu ? 2 : 3;
}

/// Rethrows errors of OpenCL in `work` as errors of the device.
template <class Action>
auto on_device(const Device& device, Action work)
{
    try {
        return work();
    } catch (const cl::Error& error) {
        rethrow(error, "convolving on " + device.info().name);
    }
}

void put_zeros(Flight& flight)
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

/// Warns of the noise of --precision half.
void judge_noise(Flight& flight)
{
    if (!flight.noise) return;
    const FlightNoise& noise = *flight.noise;
    auto warning =
        noise_warning(half_noise(noise.plan, noise.image, noise.bias, *noise.support, flight.result.samples.data()));
    if (warning) flight.result.warnings.push_back(*std::move(warning));
}

}  // namespace

Convolver::Convolver(std::shared_ptr<Device> device, KernelSource kernels, ConvolveSettings settings,
                     ConvolverResources resources)
    : device_(std::move(device)),
      kernels_(std::move(kernels)),
      settings_(std::move(settings)),
      resources_(std::move(resources)),
      launcher_(std::make_unique<JobLauncher>(
          *device_, kernels_, settings_,
          LaunchResources{resources_.host_memory, {images_in_flight(*device_, resources_), resources_.frugal}}))
{
}

Convolver::~Convolver() = default;

std::size_t Convolver::capacity() const
{
    const auto launches = static_cast<std::size_t>(images_in_flight(*device_, resources_));
    const Flights& flights = launcher_->flights();
    const bool has_room = flights.launches() < launches || launcher_->has_waiting();
    return std::max(launches, flights.images.size() + (has_room ? 1 : 0));
}

const Psf& Convolver::fit(const std::shared_ptr<const Psf>& psf, const ImageView& image)
{
    return fitted_psfs_.fit(psf, channels_of(image), settings_.correlate);
}

void Convolver::start_image(const ImageView& image, const std::shared_ptr<const Psf>& psf, SampleType output,
                            TellIterations tell)
{
    Flights& flights = launcher_->flights();
    if (flights.images.size() >= capacity()) throw InternalError("more images are in flight than a Convolver can hold");
    const Psf& used = fit(psf, image);
    Flight flight;
    flight.tell = std::move(tell);
    try {
        const auto support = fitted_psfs_.support(used);
        const Problem problem = fitted_problem(image, used, *support, settings_, output);
        const std::vector<double> bias = subtracted_from(image, settings_);
        const Blending blending = blending_for(settings_.blending, image);
        std::optional<SampleFacts> own;
        ImageView with_facts = image;
        with_facts.facts = facts_for(image, output, own);
        const Job job{problem, with_facts, bias, {psf, image.alpha_channel, used}, blending, support};
        const std::unique_ptr<Task> task = launcher_->launch(flight, job);
        std::ranges::move(task->warnings(), std::back_inserter(flight.result.warnings));
        if (wants_exact_zeros(output)) {
            ZeroRule rule = zero_rule(problem, with_facts, used);
            rule.has_zeros = with_facts.facts->has_zeros;
            if (auto zeros = task->zeros(std::move(rule))) flight.zeros = FlightZeros{*std::move(zeros), image.samples};
        }
    } catch (const TooLarge&) {
        TellIterations progress = std::move(flight.tell);
        flight = Flight{};
        if (const auto halo =
                settings_.work->halo(fitted_problem(image, used, *fitted_psfs_.support(used), settings_, output)))
            flight.result = work_on_parts(image, psf, output, *halo, progress);
        else
            flight.result = cut_to_pieces(image, psf, output);
    }
    flights.images.push_back(std::move(flight));
}

Convolver::Output Convolver::cut_to_pieces(const ImageView& image, const std::shared_ptr<const Psf>& psf,
                                           SampleType output)
{
    const std::optional<std::string> cut = settings_.work->cut();
    Output result = convolve_in_pieces(image, psf, output);
    if (cut) result.warnings = {*cut};
    return result;
}

Convolver::Output Convolver::work_on_parts(const ImageView& image, const std::shared_ptr<const Psf>& psf,
                                           SampleType output, Extent halo, const TellIterations& tell)
{
    launcher_->flights().settle_all();  // parts write what images on the same queue read, without waiting for these
    const Psf& used = fit(psf, image);
    const auto support = fitted_psfs_.support(used);
    const Problem whole = fitted_problem(image, used, *support, settings_, output);
    const std::vector<double> bias = subtracted_from(image, settings_);
    const Blending blending = blending_for(settings_.blending, image);
    PartOfWhole place{image, statistics_of(image)};
    const OverlappingParts parts = overlapping_parts(image.extent, halo, [&](Extent extent) {
        Problem part = whole;
        part.image = extent;
        return fits(part, used);
    });
    JoinedParts joined(image, parts, output, resources_.host_memory);
    for (int number = 0; number < parts.count(); ++number) {
        Flight flight;
        const CutPart part = joined.cut(number);
        place.first = part.first;
        std::optional<SampleFacts> own;
        ImageView view = part.view;
        view.facts = facts_for(view, output, own);
        if (blending.mask) flight.piece.mask = part_of(*blending.mask, part.first, view.extent);
        if (tell) flight.tell = [&](int done, int maximum) { tell(number * maximum + done, parts.count() * maximum); };
        Problem problem = whole;
        problem.image = view.extent;
        const Job job{problem, view, bias, {psf, image.alpha_channel, used}, blending, support, &place};
        const std::unique_ptr<Task> task = launcher_->launch(flight, job);
        if (number == 0) joined.warn(task->warnings());
        flight.settle();
        joined.place(number, flight.result);
    }
    return joined.take();
}

bool Convolver::fits(const Problem& problem, const Psf& fitted) const
{
    const DeviceTraits& traits = device_->info().traits;
    try {
        const WorkNeeds needs = settings_.work->needs(problem, fitted, settings_.decisions, traits);
        (void)make_plan(needs.planned, traits, settings_.decisions);
        return true;
    } catch (const TooLarge&) {
        return false;
    }
}

ZeroRule Convolver::zero_rule(const Problem& problem, const ImageView& image, const Psf& fitted)
{
    ZeroRule rule{problem, fitted_psfs_.support(fitted), blending_for(settings_.blending, image), image.alpha_channel};
    if (mode_of(problem.border).has_own_value()) rule.outside = outside_of(image, settings_);
    return rule;
}

BandedConvolution Convolver::banded(const ImageView& image, const std::shared_ptr<const Psf>& psf, SampleType output,
                                    const ImageView& sample, std::uint64_t host_limit)
{
    const Psf& used = fit(psf, image);
    const Problem problem = fitted_problem(image, used, *fitted_psfs_.support(used), settings_, output);
    std::optional<ZeroRule> zeros;
    if (wants_exact_zeros(output)) zeros = zero_rule(problem, image, used);
    return BandedConvolution({.pieces = plan_pieces(problem, device_->info().traits, settings_.decisions, host_limit),
                              .alpha_channel = image.alpha_channel,
                              .psf = psf,
                              .fitted = used,
                              .bias = subtracted_from(sample, settings_),
                              .outside = outside_of(sample, settings_),
                              .blending = blending_for(settings_.blending, image),
                              .zeros = std::move(zeros)});
}

std::size_t Convolver::convolve_pieces(const BandedConvolution& banded, int band, const ImageRows& rows,
                                       std::byte* result, std::vector<StageTime>& times)
{
    const Clock::time_point start = Clock::now();
    Flights& flights = launcher_->flights();
    Seconds in_pieces{0};
    std::size_t clamped = 0;
    PieceQueue queue;
    queue.capacity = images_in_flight(*device_, resources_);
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
        launcher_->launch_piece(flight, job);
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

Convolver::Output Convolver::convolve_in_pieces(const ImageView& image, const std::shared_ptr<const Psf>& psf,
                                                SampleType output)
{
    const BandedConvolution bands = banded(image, psf, output, image, kNoLimit);
    const Extent extent{bands.pieces().columns.total, bands.pieces().rows.total};
    const std::size_t row = image.bytes() / static_cast<std::size_t>(image.extent.height);
    const std::size_t row_out = static_cast<std::size_t>(extent.width) * image.channels * bytes_of(output);
    Output result{extent,
                  resources_.host_memory(row_out * static_cast<std::size_t>(extent.height)),
                  {},
                  describe(bands.pieces()),
                  "heuristic"};
    std::byte* to = result.samples.data();
    for (int band = 0; band < bands.bands(); ++band) {
        result.clamped += convolve_pieces(
            bands, band, [&](int y) { return image.samples + static_cast<std::size_t>(y) * row; }, to, result.times);
        to += static_cast<std::size_t>(bands.new_rows(band)) * row_out;
    }
    return result;
}

Convolver::Output Convolver::finish_image()
{
    Flights& flights = launcher_->flights();
    if (flights.images.empty()) throw InternalError("no image is in flight");
    if (!flights.images.front().has_landed()) launcher_->send_off();
    Flight flight = Flights::take_first(flights.images);
    put_zeros(flight);
    judge_noise(flight);
    // Time that no stage accounts for: launches, and waiting for the device. This image's time begins when the image
    // before it is no longer in flight.
    Seconds accounted{0};
    for (const StageTime& time : flight.result.times) accounted += time.time;
    const Seconds elapsed = since(std::max(flight.started, last_finish_));
    add_time(flight.result.times, stage::kLaunchAndWait, std::max(Seconds{0}, elapsed - accounted));
    last_finish_ = Clock::now();
    return std::move(flight.result);
}

void Convolver::start(const ImageView& image, const std::shared_ptr<const Psf>& psf, SampleType output,
                      TellIterations tell)
{
    on_device(*device_, [&] { start_image(image, psf, output, std::move(tell)); });
}

Convolver::Output Convolver::finish()
{
    return on_device(*device_, [&] { return finish_image(); });
}

std::size_t Convolver::convolve_band(const BandedConvolution& banded, int band, const ImageRows& rows,
                                     std::byte* result, std::vector<StageTime>& times)
{
    return on_device(*device_, [&] { return convolve_pieces(banded, band, rows, result, times); });
}

Convolver::Output Convolver::convolve(const ImageView& image, const std::shared_ptr<const Psf>& psf, SampleType output)
{
    start(image, psf, output);
    return finish();
}

}  // namespace clconv
