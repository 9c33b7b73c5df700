// SPDX-License-Identifier: Apache-2.0
#include "engine/plain_work.h"

#include "engine/clamped.h"
#include "opencl/buffers.h"
#include "passes/bias.h"
#include "passes/scalars.h"

namespace clconv {
namespace {

/// Whether half_noise() applies to a problem.
bool is_noisy(const Problem& problem)
{
    return problem.precision == Precision::half && problem.blend == BlendShape{} && !problem.decode_srgb &&
           !problem.encode_srgb && !mode_of(problem.border).divides_by_coverage;
}

class BoundPlain final : public BoundWork {
public:
    explicit BoundPlain(const WorkContext& context) : context_(context) {}
    [[nodiscard]] std::unique_ptr<Task> task(const Job& job, ConvolvedImage& /*result*/) override
    {
        return std::make_unique<PlainTask>(context_, job);
    }

private:
    const WorkContext& context_;
};

class PlainWork final : public Work {
public:
    [[nodiscard]] WorkNeeds needs(const Problem& whole, const Psf& /*fitted*/, const Decisions& /*forced*/,
                                  const DeviceTraits& /*traits*/) const override
    {
        return {whole};
    }
    [[nodiscard]] std::unique_ptr<BoundWork> bound(const WorkContext& context) const override
    {
        return std::make_unique<BoundPlain>(context);
    }
    [[nodiscard]] std::optional<std::string> cut() const override { return std::nullopt; }
};

}  // namespace

PreparedPlan::Transfer PlainTask::transfer(PreparedPlan& plan) { return plan.psf(job_.psf); }

void PlainTask::enqueue(Flight& flight, PreparedPlan& prepared, const PreparedPsf& transfer, bool /*is_checked*/)
{
    const Problem& problem = job_.problem;
    const Plan& plan = prepared.plan();
    const double magnitude = problem.precision == Precision::half ? largest_magnitude(job_.image) : 0;
    flight.levels = level_scalars(plan, job_.levels(magnitude), transfer, job_.blending);
    flight.result.extent = plan.output;
    Bytes& samples = flight.result.samples = context_.host_memory(output_bytes(plan));
    const std::uint64_t results = plan.output.pixels() * problem.channels;
    clear_clamped(samples, results, problem);
    keep_for_noise(flight, plan);
    if (flight.shared) return flight.shared->join(job_.image, flight.levels, samples);

    ImageBuffers& buffers = flight.buffers = prepared.slot(flight.slot);
    buffers.weight = flight.piece.coverage.empty()
                         ? transfer.weight
                         : upload_scalars(context_.device, flight.piece.coverage, problem.precision);
    buffers.mask = context_.mask.of(flight, problem);
    buffers.image_id = job_.image.id;
    Launcher& launcher = *flight.launcher;
    if (context_.is_cpu()) {
        buffers.input = wrap(context_.device, job_.image.samples, input_bytes(plan), CL_MEM_READ_ONLY);
        buffers.output = wrap(context_.device, samples.data(), samples.size(), CL_MEM_READ_WRITE);
    } else {
        if (problem.counts_clamped) {
            const std::size_t place = clamped_place(results, problem.output);
            launcher.write(buffers.output, samples.data() + place, kClampedBytes, place);
        }
        launcher.write(buffers.input, job_.image.samples, input_bytes(plan));
    }
    launcher.write(buffers.bias, flight.levels.bias.data(), flight.levels.bias.size());
    launcher.write(buffers.restore, flight.levels.restore.data(), flight.levels.restore.size());
    prepared.convolution_of(flight.slot).convolve(launcher, buffers, transfer);
    if (context_.is_cpu())
        launcher.show_host(buffers.output, samples.size());
    else
        launcher.read(buffers.output, samples.data(), samples.size());
    launcher.flush();
}

bool PlainTask::shares_launches() const { return !job_.part && !job_.problem.blend.masked; }

void PlainTask::keep_for_noise(Flight& flight, const Plan& plan) const
{
    flight.noise.reset();
    if (!is_noisy(job_.problem) || !plan.is_fft() || !job_.support) return;
    flight.noise = FlightNoise{plan, job_.image, job_.bias, job_.support};
    flight.noise->image.facts = nullptr;  // they may go before the flight ends
}

PlanCheck::Finding PlainTask::compare(PlanCheck& check, const Flight& flight)
{
    return check.compare({job_.problem, job_.psf.fitted, job_.image.samples, flight.result.samples.data(), job_.bias,
                          flight.piece.coverage, &job_.blending, job_.image.alpha_channel, flight.piece.mask});
}

std::shared_ptr<const Work> plain_work() { return std::make_shared<const PlainWork>(); }

}  // namespace clconv
