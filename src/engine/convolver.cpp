#include "engine/convolver.h"

#include "base/errors.h"
#include "engine/bias.h"
#include "engine/engine.h"
#include "opencl/buffers.h"
#include "psf/normalize.h"

#include <fmt/format.h>

#include <map>
#include <tuple>

namespace clconv {
namespace {

/// A plan, its engine, and the memory of one image.
struct Prepared {
    Plan plan;
    std::unique_ptr<Engine> engine;
    ImageBuffers image;
};

/// The problem of a PSF that is matched and turned already.
Problem fitted_problem(const ImageView& image, const Psf& psf, const ConvolveSettings& settings, SampleType output)
{
    if (settings.border == Border::constant && settings.border_value.size() != 1 &&
        settings.border_value.size() != static_cast<std::size_t>(image.channels))
        throw InvalidProblem(
            fmt::format("--border constant has {} values and the image {} channels; give 1 value, or one a channel",
                        settings.border_value.size(), image.channels));
    return {.image = image.extent,
            .channels = image.channels,
            .input = image.type,
            .output = output,
            .psf = psf.extent,
            .origin = psf.origin,
            .psf_channels = psf.channels,
            .border = settings.border,
            .mode = settings.mode};
}

/// A PSF as one image needs it: matched to its channels, turned for correlation.
Psf fitted(const Psf& psf, int channels, int alpha_channel, bool correlate)
{
    Psf matched = matched_to_channels(psf, channels, alpha_channel);
    return correlate ? flipped(matched) : matched;
}

Seconds since(std::chrono::steady_clock::time_point start) { return std::chrono::steady_clock::now() - start; }

std::uint64_t output_bytes(const Plan& plan)
{
    return plan.output.pixels() * plan.problem.channels * bytes_of(plan.problem.output);
}

}  // namespace

Problem problem_of(const ImageView& image, int alpha_channel, const Psf& psf, const ConvolveSettings& settings,
                   SampleType output)
{
    return fitted_problem(image, fitted(psf, image.channels, alpha_channel, settings.correlate), settings, output);
}

struct Convolver::State {
    std::shared_ptr<Device> device;
    KernelSource kernels;
    ConvolveSettings settings;
    std::map<std::string, Prepared> prepared;  ///< by the problem's token
    /// By problem, PSF and alpha channel. Holds the PSF, so that its address stays its own.
    struct PsfEntry {
        std::shared_ptr<const Psf> psf;
        PreparedPsf prepared;
    };
    std::map<std::tuple<std::string, const Psf*, int>, PsfEntry> psfs;

    Prepared& prepare(const Problem& wanted, std::vector<StageTime>& times)
    {
        const std::string key = token(wanted);
        if (const auto known = prepared.find(key); known != prepared.end()) return known->second;
        // Memory of other sizes goes first: a device need not hold the buffers of every size of a folder at once.
        psfs.clear();
        prepared.clear();

        const auto start = std::chrono::steady_clock::now();
        Plan made = make_plan(wanted, device->info().traits, settings.decisions);
        auto engine = make_engine({*device, kernels, made});
        const auto channels = static_cast<std::uint64_t>(wanted.channels);
        ImageBuffers buffers{
            .input = allocate(*device, wanted.image.pixels() * channels * bytes_of(wanted.input)),
            .output = allocate(*device, output_bytes(made)),
            .bias = allocate(*device, channels * sizeof(float)),
            .restore = allocate(*device, channels * sizeof(float)),
            .weight = {},
        };
        add_time(times, "build", since(start));
        return prepared.emplace(key, Prepared{std::move(made), std::move(engine), std::move(buffers)}).first->second;
    }

    PreparedPsf& prepare_psf(Prepared& plan, const std::shared_ptr<const Psf>& psf, const Psf& fitted_psf,
                             int alpha_channel, std::vector<StageTime>& times)
    {
        const auto key = std::tuple(token(plan.plan.problem), psf.get(), alpha_channel);
        if (const auto known = psfs.find(key); known != psfs.end()) return known->second.prepared;
        Launcher launcher(*device);
        PreparedPsf made = plan.engine->prepare(launcher, fitted_psf);
        for (const StageTime& time : launcher.finish()) add_time(times, time.stage, time.time);
        return psfs.emplace(key, PsfEntry{psf, std::move(made)}).first->second.prepared;
    }
};

Convolver::Convolver(std::shared_ptr<Device> device, KernelSource kernels, ConvolveSettings settings)
    : state_(new State{std::move(device), std::move(kernels), std::move(settings), {}, {}})
{
}
Convolver::~Convolver() = default;
Convolver::Convolver(Convolver&&) noexcept = default;
Convolver& Convolver::operator=(Convolver&&) noexcept = default;

const Device& Convolver::device() const { return *state_->device; }

Convolver::Output Convolver::convolve(const ImageView& image, int alpha_channel, const std::shared_ptr<const Psf>& psf,
                                      SampleType output)
{
    State& state = *state_;
    try {
        const Psf used = fitted(*psf, image.channels, alpha_channel, state.settings.correlate);
        Output result;
        Prepared& prepared = state.prepare(fitted_problem(image, used, state.settings, output), result.times);
        PreparedPsf& transfer = state.prepare_psf(prepared, psf, used, alpha_channel, result.times);

        const std::vector<double> bias = bias_of(image, state.settings.border, state.settings.border_value);
        std::vector<float> subtracted;
        std::vector<float> restored;
        for (std::size_t c = 0; c < bias.size(); ++c) {
            subtracted.push_back(static_cast<float>(bias[c]));
            restored.push_back(static_cast<float>(
                restored_bias(subtracted.back(), transfer.sums[c % transfer.sums.size()], state.settings.border)));
        }

        result.extent = prepared.plan.output;
        result.samples = Bytes(output_bytes(prepared.plan));
        result.plan = describe(prepared.plan);
        ImageBuffers& buffers = prepared.image;
        buffers.weight = transfer.weight;
        Launcher launcher(*state.device);
        launcher.write(buffers.input, image.samples, image.bytes());
        launcher.write(buffers.bias, subtracted.data(), subtracted.size() * sizeof(float));
        launcher.write(buffers.restore, restored.data(), restored.size() * sizeof(float));
        prepared.engine->convolve(launcher, buffers, transfer);
        launcher.read(buffers.output, result.samples.data(), result.samples.size());
        for (const StageTime& time : launcher.finish()) add_time(result.times, time.stage, time.time);
        return result;
    } catch (const cl::Error& error) {
        rethrow(error, "convolving on " + state.device->info().name);
    }
}

}  // namespace clconv
