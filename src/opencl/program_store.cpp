// SPDX-License-Identifier: Apache-2.0
#include "opencl/program_store.h"

#include "base/clock.h"
#include "base/errors.h"
#include "opencl/binary.h"
#include "opencl/driver_cache.h"
#include "opencl/kept_programs.h"
#include "opencl/program_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

namespace clconv {
namespace {

/// Programs that stay in memory besides those in use. A folder of a thousand sizes must not keep a thousand programs.
/// But there must be room for the candidates that the tuner builds at a time (src/tune/tuner.cpp): up to 18, of three
/// programs each.
constexpr std::size_t kProgramsInMemory = 64;

/// Held while a program is built in this process. There is one for the whole process, like the lock inside NVIDIA's
/// compiler, which devices and contexts share.
std::mutex building_here;

}  // namespace

ProgramStore::ProgramStore(const DeviceInfo& info, ProgramCache cache)
    : info_(info),
      cache_(std::move(cache)),
      driver_keeps_(driver_keeps_programs(info)),
      compilers_(cache_.compilers ? *cache_.compilers : requested_compiler_processes(),
                 {info.index, info.platform, info.name}, cache_.warn)
{
}

cl::Program ProgramStore::get(const Place& place, const std::string& name, const std::string& source,
                              const std::string& options)
{
    const Clock::time_point start = Clock::now();
    std::promise<cl::Program> promise;
    const auto known = others(identity_of(source, options), name, promise.get_future().share());
    if (known && known->wait_for(std::chrono::seconds(0)) == std::future_status::ready) return known->get();
    cl::Program program = known ? known->get() : made(promise, place, name, source, options);
    add_wait(start);
    return program;
}

cl::Program ProgramStore::made(std::promise<cl::Program>& promise, const Place& place, const std::string& name,
                               const std::string& source, const std::string& options)
{
    const std::string identity = identity_of(source, options);
    try {
        std::optional<cl::Program> program = loaded(place, name, identity, options);
        if (!program) {
            program = built(place, name, source, options);
            set_new(identity, true);
        }
        promise.set_value(*program);
        return *program;
    } catch (...) {
        promise.set_exception(std::current_exception());
        forget(identity);
        throw;
    }
}

void ProgramStore::watch_this_thread(bool is_watched)
{
    const std::lock_guard lock(mutex_);
    if (is_watched)
        waits_[std::this_thread::get_id()].clear();
    else
        waits_.erase(std::this_thread::get_id());
}

std::vector<Span> ProgramStore::waits_of_this_thread()
{
    const std::lock_guard lock(mutex_);
    const auto found = waits_.find(std::this_thread::get_id());
    return found == waits_.end() ? std::vector<Span>{} : found->second;
}

void ProgramStore::add_wait(Clock::time_point start)
{
    const std::lock_guard lock(mutex_);
    const auto found = waits_.find(std::this_thread::get_id());
    if (found != waits_.end()) found->second.push_back({"compiler", std::string(stage::kBuild), start, Clock::now()});
}

std::string ProgramStore::identity_of(const std::string& source, const std::string& options) const
{
    return identity_text({info_.platform, info_.name, info_.driver, info_.version, options, source});
}

bool ProgramStore::is_kept(const std::string& name, const std::string& source, const std::string& options) const
{
    const std::string identity = identity_of(source, options);
    const std::optional<std::string> file = cache_.folder.read(program_file_name(name, identity));
    return file && unpacked_program(identity, *file).has_value();
}

void ProgramStore::keep(std::chrono::duration<double> budget) noexcept
{
    const auto start = Clock::now();
    try {
        const auto wanted = new_ones();
        if (wanted.empty() || driver_keeps_ || cache_.folder.path().empty()) return;
        if (!cache_.folder.make()) return note(fmt::format("cache {} cannot be made", cache_.folder.path().string()));
        for (const auto& [identity, entry] : wanted) {
            if (Clock::now() - start > budget) return;
            const std::string file = packed_program(identity, binary_of(entry.program.get()));
            const bool is_kept = cache_.folder.write(program_file_name(entry.name, identity), file);
            note(is_kept ? fmt::format("{}: kept for the next start, {} KiB, {:.1f} ms", entry.name, file.size() / 1024,
                                       ms_since(start))
                         : fmt::format("{}: cannot be kept in {}", entry.name, cache_.folder.path().string()));
            set_new(identity, false);
        }
        cache_.folder.remove_unused(kUnusedFor);
    } catch (const std::exception& error) {  // the driver has no binary: the next start builds again
        note(fmt::format("programs cannot be kept: {}", error.what()));
    }
}

std::optional<ProgramStore::Made> ProgramStore::others(const std::string& identity, const std::string& name,
                                                       const Made& mine)
{
    const std::lock_guard lock(mutex_);
    const auto [at, is_mine] = entries_.try_emplace(identity, Entry{mine, name});
    at->second.last_used = ++uses_;
    if (!is_mine) return at->second.program;
    if (entries_.size() <= kProgramsInMemory) return {};
    const auto rank = [](const auto& known) {  // those that are being built go last
        const Entry& entry = known.second;
        return std::pair(entry.program.wait_for(std::chrono::seconds(0)) != std::future_status::ready, entry.last_used);
    };
    entries_.erase(std::ranges::min_element(entries_, {}, rank));
    return {};
}

void ProgramStore::forget(const std::string& identity)
{
    const std::lock_guard lock(mutex_);
    entries_.erase(identity);
}

void ProgramStore::set_new(const std::string& identity, bool is_new)
{
    const std::lock_guard lock(mutex_);
    if (const auto at = entries_.find(identity); at != entries_.end()) at->second.is_new = is_new;
}

std::vector<std::pair<std::string, ProgramStore::Entry>> ProgramStore::new_ones()
{
    const std::lock_guard lock(mutex_);
    std::vector<std::pair<std::string, Entry>> found;
    for (const auto& known : entries_)
        if (known.second.is_new) found.emplace_back(known);
    return found;
}

std::optional<cl::Program> ProgramStore::loaded(const Place& place, const std::string& name,
                                                const std::string& identity, const std::string& options) const
{
    if (driver_keeps_) return {};
    const auto start = Clock::now();
    const std::string file_name = program_file_name(name, identity);
    const std::optional<std::string> file = cache_.folder.read(file_name);
    if (!file) return {};
    const std::optional<std::string> binary = unpacked_program(identity, *file);
    if (!binary) {
        note(fmt::format("{}: {} is damaged or foreign, and is ignored", name, file_name));
        return {};
    }
    try {
        cl::Program program = program_of(*binary, place.context, place.device, options);
        cache_.folder.touch(file_name);
        note(fmt::format("{}: from cache, {:.1f} ms", name, ms_since(start)));
        return program;
    } catch (const cl::Error& error) {
        note(fmt::format("{}: the driver rejects {} ({})", name, file_name, error_name(error.err())));
        return {};
    }
}

cl::Program ProgramStore::built(const Place& place, const std::string& name, const std::string& source,
                                const std::string& options)
{
    const std::unique_lock here(building_here, std::try_to_lock);
    if (!here)
        if (auto program = built_elsewhere(place, name, source, options)) return *std::move(program);
    return built_here(place, name, source, options);
}

std::optional<cl::Program> ProgramStore::built_elsewhere(const Place& place, const std::string& name,
                                                         const std::string& source, const std::string& options)
{
    const auto start = Clock::now();
    const WhileCompiling waiting(cache_.slow, name);
    const std::optional<std::string> binary = compilers_.compile(options, source);
    if (!binary) return {};
    try {
        cl::Program program = program_of(*binary, place.context, place.device, options);
        note(fmt::format("{}: built by a compiler process, {:.1f} ms", name, ms_since(start)));
        return program;
    } catch (const cl::Error& error) {
        note(fmt::format("{}: the driver rejects what a compiler process built ({})", name, error_name(error.err())));
        return {};
    }
}

cl::Program ProgramStore::built_here(const Place& place, const std::string& name, const std::string& source,
                                     const std::string& options) const
{
    const auto start = Clock::now();
    const WhileCompiling waiting(cache_.slow, name);
    cl::Program program(place.context, source);
    try {
        program.build(place.device, options.c_str());
    } catch (const cl::Error& error) {
        const std::string log = program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(place.device);
        throw BuildError(fmt::format("{} does not build for {} ({}); compiler's log:\n{}", name, info_.name,
                                     error_name(error.err()), log));
    }
    note(fmt::format("{}: built, {:.1f} ms", name, ms_since(start)));
    return program;
}

void ProgramStore::note(const std::string& text) const
{
    if (cache_.note) cache_.note("program " + text);
}

}  // namespace clconv
