// SPDX-License-Identifier: Apache-2.0
// clconv warm: builds the programs that images of any size need, before there are any images.
#include "base/cache_folder.h"
#include "base/clock.h"
#include "base/counted.h"
#include "base/errors.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/log_options.h"
#include "cli/standard_output.h"
#include "cli/warm_work.h"
#include "engine/convolver.h"
#include "opencl/device.h"
#include "opencl/device_choice.h"
#include "opencl/driver_cache.h"
#include "opencl/kept_programs.h"
#include "opencl/program.h"
#include "report/log.h"
#include "settings/cache_option.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>

namespace clconv {
namespace {

constexpr const char* kWarmAbout =
    "Build the programs that images of any size need on a device, and keep them for later runs: for "
    "installers, container\nimages, CI and farm nodes. Kept programs are not built again. clconv plan "
    "--menu lists them all.";

constexpr const char* kWarmExamples =
    "Examples:\n"
    "  clconv warm                                        8-bit images of three and four channels\n"
    "  clconv warm --types u8,half --channels 3 --psf-size 63\n"
    "  clconv warm --resolution 1,1/4                     those of bloom too\n"
    "  clconv warm --list\n"
    "  clconv warm --clear";

void add_warm_options(CLI::App& app, WarmOptions& options, LogChoice& log)
{
    app.add_option("--device", options.devices, "OpenCL device: P:D, gpu, cpu, or a part of its name; repeatable")
        ->type_name("SEL")
        ->envname("CLCONV_DEVICE");
    app.add_option("--types", options.types, "samples of the images: u8, u16, half, float")
        ->type_name("LIST")
        ->delimiter(',')
        ->capture_default_str();
    app.add_option("--channels", options.channels, "channels of the images")
        ->type_name("LIST")
        ->delimiter(',')
        ->check(CLI::Validator(CLI::Range(1, 64)).description(""))
        ->capture_default_str();
    app.add_option("--psf-size", options.psf_sizes, "sizes of the PSFs, which choose method and tile; repeatable")
        ->type_name("K[xK]")
        ->delimiter(',')
        ->capture_default_str();
    app.add_flag("--linear", options.linear, "also the programs of clconv run --linear");
    app.add_option("--resolution", options.resolutions,
                   "also the programs of clconv bloom at these resolutions: 1, 1/2, 1/4")
        ->type_name("LIST")
        ->delimiter(',');
    app.add_flag("--list", options.list, "only list the programs, and which of them are kept")
        ->excludes(app.add_flag("--clear", options.clear, "remove all kept programs, of every device"));
    OptionList list(app);
    add_log_options(list, log);
}

/// Builds the programs that are not kept, in parallel, keeps each at once, and reports it. Returns how many were built.
std::size_t build_all(Device& device, const KernelSource& kernels, const std::vector<Recipe>& programs, Log& log)
{
    std::atomic<std::size_t> next{0};
    std::atomic<std::size_t> built{0};
    std::mutex output_mutex;
    std::exception_ptr failure;
    const auto work = [&] {
        for (std::size_t i = next++; i < programs.size(); i = next++) try {
                const bool was_kept = is_kept(device, kernels, programs[i]);
                (void)build(device, kernels, programs[i]);
                const std::lock_guard lock(output_mutex);
                if (!was_kept) {
                    device.keep_programs(std::chrono::hours(1));
                    ++built;
                }
                log.message(Level::info, fmt::format("{:>3} of {}: {}{}", i + 1, programs.size(), programs[i].name,
                                                     was_kept ? ", kept before" : ""));
            } catch (...) {
                const std::lock_guard lock(output_mutex);
                failure = std::current_exception();
                next = programs.size();
            }
    };
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < device.parallel_builds(); ++i) threads.emplace_back(work);
    threads.clear();
    if (failure) std::rethrow_exception(failure);
    return built;
}

/// Removes files that are named like programs. Returns how many. Throws InputError if one stays.
std::size_t clear(const CacheFolder& folder)
{
    const auto is_program = [](const std::string& name) {
        return name.ends_with(".bin") && CacheFolder::is_own_name(name);
    };
    std::size_t removed = 0;
    for (const std::string& name : folder.names())
        if (is_program(name) && folder.remove(name)) ++removed;
    const auto left = static_cast<std::size_t>(std::ranges::count_if(folder.names(), is_program));
    if (left > 0)
        throw InputError(fmt::format("{}: {} removed, {} left; is the folder read-only?", folder.path().string(),
                                     counted(removed, "program"), left));
    return removed;
}

/// Convolves a small image by each method, so that drivers that compile a kernel at its first launch finish all
/// programs and keep them.
void convolve_small_images(const std::shared_ptr<Device>& device, const std::vector<WarmWork>& all)
{
    for (const WarmWork& work : all)
        for (const std::optional<Method> method : {std::optional<Method>(), std::optional(Method::fft)}) {
            ConvolveSettings settings = work.settings;
            settings.decisions.method = method;
            Convolver convolver(device, KernelSource::embedded(), settings);
            Bytes samples(work.image.pixels() * work.channels * bytes_of(work.type));
            std::memset(samples.data(), 0, samples.size());
            (void)convolver.convolve(work.view(samples.data()), work.psf, work.type);
        }
}

void list(Device& device, const std::vector<Recipe>& programs)
{
    const KernelSource kernels = KernelSource::embedded();
    std::size_t kept = 0;
    for (const Recipe& program : programs) {
        const bool is_there = is_kept(device, kernels, program);
        kept += is_there ? 1 : 0;
        print(fmt::format("{}  {}\n", is_there ? "kept" : "    ", program.name));
    }
    const std::string& name = device.info().name;
    print(driver_keeps_programs(device.info())
              ? fmt::format("{}; the driver of {} keeps them itself and does not say which ones\n",
                            counted(programs.size(), "program"), name)
              : fmt::format("{} of {} kept for {}\n", kept, counted(programs.size(), "program"), name));
}

/// How many of the programs are in no file.
std::size_t missing(Device& device, const std::vector<Recipe>& programs)
{
    const KernelSource kernels = KernelSource::embedded();
    return static_cast<std::size_t>(
        std::ranges::count_if(programs, [&](const Recipe& program) { return !is_kept(device, kernels, program); }));
}

/// Throws InputError if programs are missing and could not be kept.
void check_folder(Device& device, const CacheFolder& folder, const std::vector<Recipe>& programs)
{
    if (driver_keeps_programs(device.info()) || missing(device, programs) == 0) return;
    const auto refuse = [](const std::string& why) {
        throw InputError(why + ", so programs would not be kept; choose another folder with CLCONV_CACHE_DIR");
    };
    if (folder.path().empty()) refuse("there is no cache folder");
    if (const std::string why = folder.distrust(); !why.empty())
        refuse(fmt::format("{}: cannot be trusted: {}", folder.path().string(), why));
    constexpr std::string_view trial = "trial";
    if (!folder.write(trial, "")) refuse(fmt::format("{}: cannot be written", folder.path().string()));
    folder.remove(trial);  // unless another process has already
}

/// Throws InputError if programs were built but could not be kept, as on a full disk.
void check_kept(Device& device, const CacheFolder& folder, const std::vector<Recipe>& programs)
{
    if (driver_keeps_programs(device.info())) return;
    if (const std::size_t count = missing(device, programs); count > 0)
        throw InputError(fmt::format("{} of {} programs could not be kept in {}: is the disk full?", count,
                                     programs.size(), folder.path().string()));
}

void warm(const DeviceInfo& info, const WarmOptions& options, Log& log)
{
    const std::vector<WarmWork> all = warm_work(options);
    std::vector<Recipe> programs;
    for (const WarmWork& work : all) add_programs(programs, work.programs(info.traits));
    ProgramCache cache{cache_folder(false).below("programs"), {}};
    cache.compilers = compiler_processes(info.traits);
    cache.slow = slow_driver_messages(log);
    cache.warn = warning_to(log);
    const auto device = std::make_shared<Device>(info, cache);
    if (options.list) return list(*device, programs);
    check_folder(*device, cache.folder, programs);

    const Clock::time_point start = Clock::now();
    const std::size_t built = build_all(*device, KernelSource::embedded(), programs, log);
    if (driver_keeps_programs(info)) convolve_small_images(device, all);
    check_kept(*device, cache.folder, programs);
    const std::chrono::duration<double> taken = Clock::now() - start;
    print(driver_keeps_programs(info)
              ? fmt::format("{}: {}, built or there before, {:.1f} s\n", info.name, counted(programs.size(), "program"),
                            taken.count())
              : fmt::format("{}: {}, {} built and {} there before, {:.1f} s\n", info.name,
                            counted(programs.size(), "program"), built, programs.size() - built, taken.count()));
}

}  // namespace

int warm_command(const std::vector<std::string>& arguments)
{
    CLI::App app(kWarmAbout, "clconv warm");
    app.footer(kWarmExamples);
    WarmOptions options;
    LogChoice log_choice;
    add_warm_options(app, options, log_choice);
    if (!parse(app, arguments)) return all_done;
    Log log(log_options(log_choice), nullptr);
    const CacheFolder folder = cache_folder(false).below("programs");
    if (options.clear) {
        if (folder.path().empty()) throw InputError("there is no cache folder; set CLCONV_CACHE_DIR");
        print(fmt::format("{} removed from {}\n", counted(clear(folder), "program"), folder.path().string()));
        return all_done;
    }
    for (const DeviceInfo& info : chosen_devices(options.devices, log)) warm(info, options, log);
    return all_done;
}

}  // namespace clconv
