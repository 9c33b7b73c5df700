#include "engine/job_launcher.h"

#include "base/clock.h"
#include "base/errors.h"
#include "conv/axis.h"
#include "engine/clamped.h"
#include "engine/coarse_convolution.h"
#include "engine/flights.h"
#include "opencl/buffers.h"
#include "passes/bias.h"
#include "passes/scalars.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

namespace clconv {
namespace {

/// One launch a stage, whatever else is forced. Its programs differ from those of all other plans.
ChosenPlan simplest_plan(const Problem& problem, const DeviceInfo& device, const Decisions& forced)
{
    Decisions decisions = forced;
    decisions.method = Method::fft;
    decisions.residence = Residence::global;
    return {make_plan(problem, device.traits, decisions), "first-use check"};
}

/// Whether half_noise() applies to a problem.
bool is_noisy(const Problem& problem)
{
    return problem.precision == Precision::half && problem.blend == BlendShape{} && !problem.decode_srgb &&
           !problem.encode_srgb && !mode_of(problem.border).divides_by_coverage;
}

}  // namespace

const Problem& Job::planned() const { return coarse ? coarse->coarse().small : problem; }

class JobLauncher::Parts {
public:
    Parts(Device& device, const KernelSource& kernels, const ConvolveSettings& settings,
          const LaunchResources& resources);

    [[nodiscard]] Flights& flights() { return flights_; }
    [[nodiscard]] CoarseConvolution& coarse_for(const Job& job, ConvolvedImage& result);
    void launch(Flight& flight, const Job& job);

private:
    /// A part of the mask on the device, identified by its position and size.
    struct UploadedMask {
        Position first;
        Extent size;
        cl::Buffer values;
    };

    [[nodiscard]] bool is_cpu() const { return device_.info().traits.is_cpu; }

    /// Enqueues the convolution of a job by the known plan of its problem, or by one from `source`.
    KnownPlan& launch_with(const PlanSource& source, Flight& flight, const Job& job);
    /// The same for a job at a lower resolution.
    KnownPlan& launch_coarse(const PlanSource& source, Flight& flight, const Job& job);

    /// The mask of an image's results, or of a piece's. Any buffer if there is none.
    [[nodiscard]] cl::Buffer mask_for(const Flight& flight, const Problem& problem);

    /// Uses another plan after a wrong one. Returns what wrong_at_first_use() says of it. `before`: what was wrong with
    /// the first.
    [[nodiscard]] std::string wrong_again(const std::string& before, const PlanSource& source, Flight& flight,
                                          const Job& job);

    /// Compares a result with direct sums, unless the plan has passed before. Empty if the result is right. Otherwise
    /// the error has been reported, and nothing is in flight with that plan.
    [[nodiscard]] std::string wrong_at_first_use(KnownPlan& known, Flight& flight, const Job& job);

    void enqueue(Flight& flight, const std::byte* image, std::size_t bytes, DeviceConvolution& convolution,
                 const PreparedPsf& transfer) const;

    Device& device_;
    const ConvolveSettings& settings_;
    const LaunchResources resources_;
    std::optional<UploadedMask> mask_ = {};
    PlanCache plans_;
    CoarseConvolutions coarse_ones_;
    Flights flights_ = {};  ///< declared after the plans, so destroyed before them
};

JobLauncher::Parts::Parts(Device& device, const KernelSource& kernels, const ConvolveSettings& settings,
                          const LaunchResources& resources)
    : device_(device),
      settings_(settings),
      resources_(resources),
      plans_(device, kernels, settings, resources.limits, [this] { flights_.settle_all(); }),
      coarse_ones_(device, kernels)
{
}

CoarseConvolution& JobLauncher::Parts::coarse_for(const Job& job, ConvolvedImage& result)
{
    const int lanes = coarse_lanes(settings_.decisions, device_.info().traits);
    return coarse_ones_.of(
        {job.problem, job.psf, settings_.shrink, lanes}, [this] { flights_.settle_all(); }, result);
}

void JobLauncher::Parts::launch(Flight& flight, const Job& job)
{
    KnownPlan& known = launch_with(settings_.plans, flight, job);
    const bool was_measured = known.is_measured;
    std::string wrong = wrong_at_first_use(known, flight, job);
    if (!wrong.empty() && was_measured) wrong = wrong_again(wrong, heuristic_plan, flight, job);
    if (!wrong.empty()) wrong = wrong_again(wrong, simplest_plan, flight, job);
    if (!wrong.empty()) throw WrongResults(wrong + "; see clconv selftest, and try another driver or another device");
}

KnownPlan& JobLauncher::Parts::launch_with(const PlanSource& source, Flight& flight, const Job& job)
{
    if (job.coarse) return launch_coarse(source, flight, job);
    const Problem& problem = job.problem;
    auto [known, transfer, preparing] = plans_.ready(problem, source, job.psf, flight.result);
    flight.preparing = std::move(preparing);
    PreparedPlan& plan = known.plan;
    const double magnitude = problem.precision == Precision::half ? largest_magnitude(job.image) : 0;
    flight.levels = level_scalars(plan.plan(), job.levels(magnitude), transfer, job.blending);
    flight.result.extent = plan.plan().output;
    flight.result.samples = resources_.host_memory(output_bytes(plan.plan()));
    const std::uint64_t results = plan.plan().output.pixels() * problem.channels;
    clear_clamped(flight.result.samples, results, problem);
    flight.result.plan = known.text;
    flight.result.plan_origin = known.origin;

    flight.noise.reset();
    if (is_noisy(problem) && plan.plan().is_fft() && job.support) {
        flight.noise = FlightNoise{plan.plan(), job.image, job.bias, job.support};
        flight.noise->image.facts = nullptr;  // they may go before the flight ends
    }
    flight.slot = flights_.free_slot(plan);
    flight.plan = &plan;
    flight.buffers = plan.slot(flight.slot);
    flight.buffers.weight = flight.piece.coverage.empty()
                                ? transfer.weight
                                : upload_scalars(device_, flight.piece.coverage, problem.precision);
    flight.buffers.mask = mask_for(flight, problem);
    flight.buffers.image_id = job.image.id;
    DeviceConvolution& convolution = plan.convolution_of(flight.slot);
    flight.launcher = std::make_unique<Launcher>(device_, plan.route_of(flight.slot));
    if (problem.counts_clamped && !is_cpu()) {
        const std::size_t place = clamped_place(results, problem.output);
        flight.launcher->write(flight.buffers.output, flight.result.samples.data() + place, kClampedBytes, place);
    }
    enqueue(flight, job.image.samples, input_bytes(plan.plan()), convolution, transfer);
    return known;
}

KnownPlan& JobLauncher::Parts::launch_coarse(const PlanSource& source, Flight& flight, const Job& job)
{
    CoarseConvolution& coarse = *job.coarse;
    auto [known, transfer, preparing] = plans_.ready(job.planned(), source, coarse.psf(), flight.result);
    flight.preparing = std::move(preparing);
    flight.result.extent = job.problem.image;
    flight.result.samples = resources_.host_memory(coarse.output_bytes());
    flight.result.plan = coarse.text() + known.text;
    flight.result.plan_origin = known.origin;
    flight.slot = flights_.free_slot(known.plan);
    flight.plan = &known.plan;
    if (settings_.blending.mask) flight.buffers.mask = mask_for(flight, job.problem);
    flight.launcher = std::make_unique<Launcher>(device_, known.plan.route_of(flight.slot));
    coarse.enqueue(flight, known.plan, transfer, {job.image, job.levels(1), job.blending, known.check.is_due()});
    return known;
}

cl::Buffer JobLauncher::Parts::mask_for(const Flight& flight, const Problem& problem)
{
    if (!settings_.blending.mask) return flight.buffers.restore;
    if (!flight.piece.mask.empty()) return upload_scalars(device_, flight.piece.mask, problem.precision);
    const Position first{first_output(along_x(problem)), first_output(along_y(problem))};
    const Extent size = output_extent(problem);
    if (!mask_ || mask_->first != first || mask_->size != size)
        mask_ = UploadedMask{
            first, size, upload_scalars(device_, part_of(*settings_.blending.mask, first, size), problem.precision)};
    return mask_->values;
}

std::string JobLauncher::Parts::wrong_again(const std::string& before, const PlanSource& source, Flight& flight,
                                            const Job& job)
{
    plans_.forget(job.planned());
    try {
        return wrong_at_first_use(launch_with(source, flight, job), flight, job);
    } catch (const Error& error) {
        return fmt::format("{}; there is no other plan: {}", before, error.what());
    }
}

std::string JobLauncher::Parts::wrong_at_first_use(KnownPlan& known, Flight& flight, const Job& job)
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
    add_time(flight.result.times, stage::kCheck, Clock::now() - start);
    if (found.verdict == Verdict::right) flight.result.plan_check = "passed";
    return found.wrong;
}

void JobLauncher::Parts::enqueue(Flight& flight, const std::byte* image, std::size_t bytes,
                                 DeviceConvolution& convolution, const PreparedPsf& transfer) const
{
    Launcher& launcher = *flight.launcher;
    ImageBuffers& buffers = flight.buffers;
    Bytes& samples = flight.result.samples;
    if (is_cpu()) {
        buffers.input = wrap(device_, image, bytes, CL_MEM_READ_ONLY);
        buffers.output = wrap(device_, samples.data(), samples.size(), CL_MEM_READ_WRITE);
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

JobLauncher::JobLauncher(Device& device, const KernelSource& kernels, const ConvolveSettings& settings,
                         const LaunchResources& resources)
    : parts_(std::make_unique<Parts>(device, kernels, settings, resources))
{
}

JobLauncher::~JobLauncher() = default;

Flights& JobLauncher::flights() { return parts_->flights(); }

CoarseConvolution& JobLauncher::coarse_for(const Job& job, ConvolvedImage& result)
{
    return parts_->coarse_for(job, result);
}

void JobLauncher::launch(Flight& flight, const Job& job) { parts_->launch(flight, job); }

}  // namespace clconv
