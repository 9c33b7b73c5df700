#include "engine/convolver.h"

#include "base/errors.h"
#include "engine/bias.h"
#include "engine/engine.h"
#include "opencl/buffers.h"
#include "psf/normalize.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace clconv {
namespace {

/// A plan, its engine, the memory of one image, and the PSFs that came so far.
struct Prepared {
    /// Holds the PSF, so that its address stays its own.
    struct PsfEntry {
        std::shared_ptr<const Psf> psf;
        PreparedPsf prepared;
    };
    Plan plan;
    std::unique_ptr<Engine> engine;
    ImageBuffers image;
    std::map<std::pair<const Psf*, int>, PsfEntry> psfs;  ///< by PSF and alpha channel
    std::uint64_t last_used = 0;                          ///< in images
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

std::uint64_t input_bytes(const Plan& plan)
{
    return plan.problem.image.pixels() * plan.problem.channels * bytes_of(plan.problem.input);
}

std::uint64_t output_bytes(const Plan& plan)
{
    return plan.output.pixels() * plan.problem.channels * bytes_of(plan.problem.output);
}

/// All that a prepared plan holds, with one PSF.
std::uint64_t device_bytes(const Plan& plan)
{
    return input_bytes(plan) + output_bytes(plan) + plan.scratch_bytes() +
           plan.transfer_cells() * plan.problem.psf_channels * sizeof(cl_float2);
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
    std::map<std::string, Prepared> prepared = {};  ///< by the problem's token
    std::uint64_t images = 0;

    Prepared& prepare(const Problem& wanted, std::vector<StageTime>& times)
    {
        const std::string key = token(wanted);
        ++images;
        if (const auto known = prepared.find(key); known != prepared.end()) {
            known->second.last_used = images;
            return known->second;
        }
        const auto start = std::chrono::steady_clock::now();
        Plan made = make_plan(wanted, device->info().traits, settings.decisions);
        make_room(device_bytes(made));
        auto engine = make_engine({*device, kernels, made});
        const auto channels = static_cast<std::uint64_t>(wanted.channels);
        ImageBuffers buffers{
            .input = allocate(*device, input_bytes(made)),
            .output = allocate(*device, output_bytes(made)),
            .bias = allocate(*device, channels * sizeof(float)),
            .restore = allocate(*device, channels * sizeof(float)),
            .weight = {},
        };
        add_time(times, "build", since(start));
        return prepared.emplace(key, Prepared{std::move(made), std::move(engine), std::move(buffers), {}, images})
            .first->second;
    }

    /// Sizes of a folder come in any order, and PSFs in turn: what was prepared stays while half the device's memory
    /// holds it, the least recently used goes first.
    void make_room(std::uint64_t bytes)
    {
        const auto in_use = [&] {
            std::uint64_t sum = bytes;
            for (const auto& [key, entry] : prepared) sum += device_bytes(entry.plan);
            return sum;
        };
        while (!prepared.empty() && in_use() > device->info().traits.global_memory / 2)
            prepared.erase(std::min_element(prepared.begin(), prepared.end(), [](const auto& a, const auto& b) {
                return a.second.last_used < b.second.last_used;
            }));
    }

    PreparedPsf& prepare_psf(Prepared& entry, const std::shared_ptr<const Psf>& psf, const Psf& fitted_psf,
                             int alpha_channel, std::vector<StageTime>& times)
    {
        const auto key = std::pair(psf.get(), alpha_channel);
        if (const auto known = entry.psfs.find(key); known != entry.psfs.end()) return known->second.prepared;
        Launcher launcher(*device);
        PreparedPsf made = entry.engine->prepare(launcher, fitted_psf);
        for (const StageTime& time : launcher.finish()) add_time(times, time.stage, time.time);
        return entry.psfs.emplace(key, Prepared::PsfEntry{psf, std::move(made)}).first->second.prepared;
    }
};

Convolver::Convolver(std::shared_ptr<Device> device, KernelSource kernels, ConvolveSettings settings)
    : state_(new State{std::move(device), std::move(kernels), std::move(settings)})
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
    const auto start = std::chrono::steady_clock::now();
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
        // What no stage accounts for: launches, and compilers that finish their work at a kernel's first one.
        Seconds accounted{0};
        for (const StageTime& time : result.times) accounted += time.time;
        add_time(result.times, "launch and wait", std::max(Seconds{0}, since(start) - accounted));
        return result;
    } catch (const cl::Error& error) {
        rethrow(error, "convolving on " + state.device->info().name);
    }
}

}  // namespace clconv
