// SPDX-License-Identifier: Apache-2.0
// write_programs FOLDER: writes the text of every program that a set of plans builds, as the OpenCL driver gets it, for
// scripts/check-kernels, and prints the name of each file when it is complete. Files are named after the device that
// was planned for:
//
//     gpu-...      limits of a GPU, radices up to 32: registers must hold every array
//     generic-...  a generic radix, whose array lies in memory
//     cpu-...      the limits of the device that builds
//
// The texts are taken where they leave the project, at OpenCL's own entry point: what is checked is what is built. The
// driver gets kernels of the same names that do nothing, because building all programs takes a minute and a half of
// processor time, and nothing here needs their results.

#include "base/errors.h"
#include "engine/coarse.h"
#include "fft/radix.h"
#include "opencl/scratch.h"
#include "passes/adjoint_convolution.h"
#include "passes/convolution_chain.h"
#include "passes/engine.h"
#include "passes/line_transform.h"
#include "support/test_device.h"
#include "support/variants.h"

#include <dlfcn.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>

namespace clconv::test {
namespace {

/// Writes each text once.
struct Recorder {
    std::filesystem::path folder;
    std::string prefix;
    std::set<std::string> known;

    void record(const std::string& text)
    {
        if (!known.insert(text).second) return;
        const std::filesystem::path file = folder / (prefix + "-" + std::to_string(known.size()) + ".cl");
        std::ofstream(file) << text;
        std::puts(file.c_str());
        std::fflush(stdout);  // others read it while the next program is built
    }
};
Recorder recorder;

/// Kernels of a program's names, which do nothing.
std::string without_code(const std::string& text)
{
    std::set<std::string> names;
    const std::string before = "void ";
    for (std::size_t at = text.find("__kernel "); at != std::string::npos; at = text.find("__kernel ", at + 1)) {
        const std::size_t begin = text.find(before, at) + before.size();
        names.insert(text.substr(begin, text.find('(', begin) - begin));
    }
    std::string empty;
    for (const std::string& name : names) empty += "__kernel void " + name + "() {}\n";
    return empty;
}

void write_plan(const std::shared_ptr<Device>& device, const Problem& problem, const Decisions& decisions,
                const std::string& prefix)
{
    recorder.prefix = prefix;
    const Plan plan = make_plan(problem, device->info().traits, decisions);
    const KernelSource kernels = KernelSource::embedded();
    (void)make_engine({*device, kernels, plan, false, std::make_shared<Scratch>(*device)});
}

Problem photograph(SampleType type, Border border)
{
    return {.image = {320, 240},
            .channels = 3,
            .input = type,
            .output = type,
            .psf = {51, 31},
            .origin = {25, 15},
            .border = border};
}

Decisions by_fft()
{
    Decisions decisions;
    decisions.method = Method::fft;
    return decisions;
}

/// Every tile that the device takes, of samples with and without tables.
void write_tiles(const std::shared_ptr<Device>& device, const std::string& prefix)
{
    for (const Extent tile : {Extent{32, 32}, Extent{32, 64}, Extent{64, 32}, Extent{64, 64}, Extent{96, 96},
                              Extent{128, 128}, Extent{192, 192}, Extent{256, 256}, Extent{320, 320}})
        for (const SampleType type : {SampleType::u8, SampleType::float32}) {
            Problem problem = photograph(type, Border::clamp);
            problem.psf = {15, 9};
            problem.origin = {7, 4};
            problem.layout = type == SampleType::u8 ? Layout::interleaved : Layout::planar;
            Decisions decisions;
            decisions.tile = tile;
            try {
                write_plan(device, problem, decisions, prefix);
            } catch (const InvalidProblem&) {  // not of this device
            }
        }
}

/// Sizes from a line of one stage to one that is split, every type, borders with and without tables.
void write_problems(const std::shared_ptr<Device>& device, const std::string& prefix)
{
    const Problem small{.image = {5, 7}, .channels = 1, .psf = {3, 3}, .origin = {1, 1}, .border = Border::zero};
    Problem large = photograph(SampleType::half, Border::constant);
    large.image = {3840, 2160};
    Problem odd = photograph(SampleType::float32, Border::renormalize);
    odd.image = {641, 479};
    odd.mode = Mode::full;
    for (const Problem& problem :
         {small, odd, large, photograph(SampleType::u8, Border::clamp), photograph(SampleType::u16, Border::wrap)}) {
        Decisions decisions = by_fft();
        write_plan(device, problem, decisions, prefix);
        decisions.residence = Residence::global;
        write_plan(device, problem, decisions, prefix);
        decisions = {};
        decisions.method = Method::direct;
        write_plan(device, problem, decisions, prefix);
    }
    write_tiles(device, prefix);
}

/// Blends of highlights, in every shape.
void write_blends(const std::shared_ptr<Device>& device, const std::string& prefix)
{
    Problem problem = photograph(SampleType::u8, Border::mirror);
    problem.psf = {9, 9};  // for the smallest tiles
    problem.origin = {4, 4};
    problem.blend = {Blend::screen, true, true};
    problem.decode_srgb = problem.encode_srgb = true;
    for (const Method method : {Method::fft, Method::tiled, Method::direct}) {
        Decisions decisions;
        decisions.method = method;
        write_plan(device, problem, decisions, prefix);
        decisions.programs = Programs::special;
        write_plan(device, problem, decisions, prefix);
    }
    Decisions decisions = by_fft();
    decisions.residence = Residence::global;
    write_plan(device, problem, decisions, prefix);
    for (const bool leaves : {false, true}) {
        problem.blend = {Blend::sum, false, true, leaves};
        decisions = by_fft();
        decisions.programs = Programs::special;
        write_plan(device, problem, decisions, prefix);
    }
    problem.channels = 7;
    problem.blend = {Blend::sum, false, true, true, true};
    write_plan(device, problem, by_fft(), prefix);
    problem.channels = 2;
    problem.input = SampleType::u16;
    problem.blend = {.blend = Blend::sum, .highlights = true, .leaves = true, .boosts = true, .early_alpha = true};
    write_plan(device, problem, by_fft(), prefix);
    problem.channels = 1;
    problem.input = SampleType::u8;
    problem.blend = {Blend::sum, false, false};
    write_plan(device, problem, by_fft(), prefix);
}

/// The passes of a lower resolution.
void write_coarse(const std::shared_ptr<Device>& device, const std::string& prefix)
{
    recorder.prefix = prefix;
    Problem problem = photograph(SampleType::u8, Border::mirror);
    problem.decode_srgb = problem.encode_srgb = true;
    problem.blend = {Blend::sum, false, true};
    const Psf psf{"psf", problem.psf, 1, problem.origin, std::vector<double>(problem.psf.pixels(), 1.0)};
    for (const int factor : {2, 4}) {
        Coarse made = coarse(problem, psf, factor);
        made.lanes = device->info().traits.is_cpu ? 8 : 1;
        (void)CoarsePasses(*device, KernelSource::embedded(), made);
    }
}

/// Transfers that are made of others, and the ends of adjoints.
void write_operators(const std::shared_ptr<Device>& device)
{
    recorder.prefix = "gpu";
    for (const Precision precision : {Precision::float32, Precision::float64}) {
        Problem problem = photograph(SampleType::float32, Border::mirror);
        problem.precision = precision;
        (void)AdjointConvolution(*device, KernelSource::embedded(),
                                 make_plan(problem, device->info().traits, by_fft()));
    }
}

/// Steps of Richardson-Lucy in rows, with the programs of the adjoint.
void write_steps(const std::shared_ptr<Device>& device, const std::string& prefix)
{
    recorder.prefix = prefix;
    for (const Precision precision : {Precision::float32, Precision::float64})
        for (const char* variant : {"packing=rows", "packing=channels", "row-exchange=ping-pong"}) {
            Problem problem = photograph(SampleType::float32, Border::zero);
            problem.precision = precision;
            Decisions decisions = by_fft();
            if (!device->info().traits.is_cpu) decide(decisions, variant);
            const Plan plan = make_plan(problem, device->info().traits, decisions);
            const AdjointPlan back = adjoint_of(plan, device->info().traits);
            const KernelSource kernels = KernelSource::embedded();
            (void)ConvolutionChain({*device, kernels, plan, false, std::make_shared<Scratch>(*device)}, back,
                                   {.weighted = precision == Precision::float64});
        }
}

/// Programs that differ between the precisions, in every shape.
void write_precisions(const std::shared_ptr<Device>& device, const std::string& prefix)
{
    for (const Precision precision : {Precision::half, Precision::float64}) {
        Problem problem = photograph(SampleType::half, Border::clamp);
        problem.precision = precision;
        Decisions decisions = by_fft();
        write_plan(device, problem, decisions, prefix);
        decisions.residence = Residence::global;
        write_plan(device, problem, decisions, prefix);
    }
}

/// Every radix alone and after another, in the last stage (paired in the rows) and in the first.
void write_radices(const std::shared_ptr<Device>& device)
{
    const Problem problem = {
        .image = {40, 40}, .channels = 3, .psf = {9, 9}, .origin = {4, 4}, .border = Border::mirror};
    for (const Radix& radix : supported_radices()) {
        Decisions decisions = by_fft();
        if (radix.butterfly == Butterfly::generic) {
            decisions.residence = Residence::global;
            decisions.radix_x.sequence = decisions.radix_y.sequence = {radix.size};
            write_plan(device, problem, decisions, "generic");
            continue;
        }
        std::vector<int> sequence{radix.size};
        while (strides_of(sequence).back() * sequence.back() < 50) sequence.push_back(radix.size);
        decisions.radix_x.sequence = decisions.radix_y.sequence = sequence;
        write_plan(device, problem, decisions, "gpu");
        decisions.residence = Residence::global;
        write_plan(device, problem, decisions, "gpu");
    }
}

/// Each variant of docs/radix-study.md.
void write_variants(const std::shared_ptr<Device>& device)
{
    const Problem problem = photograph(SampleType::float32, Border::mirror);
    std::vector<std::string> variants = {"radix-order=ascending",
                                         "padding=3",
                                         "butterflies=direct",
                                         "row-exchange=ping-pong",
                                         "column-exchange=ping-pong",
                                         "column-exchange=split",
                                         "order=dif-dit"};
    for (const std::string& variant : forced_variants()) variants.push_back(variant);
    for (const std::string& variant : variants) {
        Decisions decisions = by_fft();
        decide(decisions, variant);
        write_plan(device, problem, decisions, "gpu");
    }
}

/// The transform by itself.
void write_transform(const std::shared_ptr<Device>& device)
{
    LinePlan plan{.radices = {16, 9, 4}, .residence = Residence::local, .lines = 1, .local = {}};
    plan.local = local_line({.radices = plan.radices}).value();
    recorder.prefix = "gpu";
    (void)LineTransform(*device, KernelSource::embedded(), plan).forward(LineTransform::Lines(16 * 9 * 4));
}

void write_all()
{
    write_problems(small_gpu(), "gpu");
    write_problems(gpu(), "gpu");
    write_problems(test_device(), "cpu");
    write_precisions(small_gpu(), "gpu");
    write_precisions(test_device(), "cpu");
    write_blends(small_gpu(), "gpu");
    write_blends(test_device(), "cpu");
    write_coarse(small_gpu(), "gpu");
    write_coarse(test_device(), "cpu");
    write_operators(small_gpu());
    write_steps(small_gpu(), "gpu");
    write_steps(gpu(), "gpu");
    write_steps(test_device(), "cpu");
    write_radices(small_gpu());
    write_variants(small_gpu());
    write_transform(small_gpu());
}

}  // namespace
}  // namespace clconv::test

// These take the place of the loader's functions of their names.

/// Notes the text, and passes on kernels of its names without arguments and without code.
extern "C" cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char** texts,
                                                const size_t* lengths, cl_int* error)
{
    std::string text;
    for (cl_uint i = 0; i < count; ++i)
        text += lengths && lengths[i] ? std::string(texts[i], lengths[i]) : std::string(texts[i]);
    clconv::test::recorder.record(text);
    const std::string empty = clconv::test::without_code(text);
    const char* passed_on = empty.c_str();
    static const auto next =
        reinterpret_cast<decltype(&clCreateProgramWithSource)>(dlsym(RTLD_NEXT, "clCreateProgramWithSource"));
    return next(context, 1, &passed_on, nullptr, error);
}

extern "C" cl_int clSetKernelArg(cl_kernel, cl_uint, size_t, const void*) { return CL_SUCCESS; }

int main(int argc, char** argv)
{
    if (argc != 2) {
        std::fputs("usage: write_programs FOLDER\n", stderr);
        return 2;
    }
    clconv::test::recorder.folder = argv[1];
    std::filesystem::create_directories(argv[1]);
    clconv::test::write_all();
    return 0;
}
