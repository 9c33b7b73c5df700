// SPDX-License-Identifier: Apache-2.0
#include "opencl/remembered_devices.h"

#include "base/fields.h"
#include "base/fingerprint.h"

#include <fmt/format.h>
#include <link.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>
#include <tuple>

namespace clconv {

CLCONV_FIELDS(DeviceTraits, local_memory, max_work_group, global_memory, max_allocation, is_cpu, is_nvidia, has_double,
              cache, vector_floats)
CLCONV_FIELDS(DeviceInfo, index, platform, name, vendor, driver, version, type, compute_units, clock_mhz, traits)

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Increased when the file's format changes, or what counts as a change.
constexpr int kListVersion = 3;
constexpr std::string_view kListFile = "devices.json";

/// What differs between terminals, and no driver reads. Every other variable counts, because each driver has its own.
constexpr std::array<std::string_view, 14> kOfTerminals = {
    "_",          "COLUMNS",        "LINES",   "OLDPWD", "PWD",  "SHLVL",     "SSH_AUTH_SOCK",
    "SSH_CLIENT", "SSH_CONNECTION", "SSH_TTY", "TERM",   "TMUX", "TMUX_PANE", "WINDOWID"};

/// Size, times and number of a file: they differ once it was replaced, even by a file of the same size and time. Empty
/// if there is no such file.
std::string state_of(const fs::path& file)
{
    struct stat found {};
    if (::stat(file.c_str(), &found) != 0) return {};
    return fmt::format("{}:{} {} {}.{} {}.{}", found.st_dev, found.st_ino, found.st_size, found.st_mtim.tv_sec,
                       found.st_mtim.tv_nsec, found.st_ctim.tv_sec, found.st_ctim.tv_nsec);
}

/// The states of a folder and of its files, each in a line.
std::string state_of_folder(const fs::path& folder)
{
    std::vector<std::string> lines;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
        lines.push_back(fmt::format("{} {}\n", entry->path().string(), state_of(entry->path())));
    std::ranges::sort(lines);
    std::string text = fmt::format("{} {}\n", folder.string(), state_of(folder));
    for (const std::string& line : lines) text += line;
    return text;
}

std::string contents_of(const fs::path& file)
{
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

std::string state_of_environment()
{
    std::vector<std::string_view> variables;
    for (char** variable = environ; variable && *variable; ++variable) {
        const std::string_view text = *variable;
        if (std::ranges::find(kOfTerminals, text.substr(0, text.find('='))) == kOfTerminals.end())
            variables.push_back(text);
    }
    std::ranges::sort(variables);
    std::string text;
    for (const std::string_view variable : variables) text.append(variable).push_back('\0');
    return text;
}

/// Where the loaders of OpenCL look for drivers and layers.
std::string state_of_drivers()
{
    std::string text = state_of_folder("/etc/OpenCL/vendors") + state_of_folder("/etc/OpenCL/layers");
    for (const char* const name : {"OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH"})
        if (const char* const folder = std::getenv(name)) text += state_of_folder(folder);
    return text;
}

/// What a driver for GPUs can see: the running kernel and its module, and the files of devices.
std::string state_of_kernel()
{
    return contents_of("/proc/sys/kernel/random/boot_id") + contents_of("/proc/driver/nvidia/version") +
           state_of("/dev") + state_of_folder("/dev/dri");
}

/// What a driver for CPUs can see: processors and memory that this process may use.
std::string state_of_processors()
{
    std::string text = contents_of("/sys/devices/system/cpu/online");
    cpu_set_t own{};
    if (::sched_getaffinity(0, sizeof own, &own) == 0)
        for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) text += CPU_ISSET(cpu, &own) ? '1' : '0';
    struct sysinfo memory {};
    if (::sysinfo(&memory) == 0) text += fmt::format(" {} {}", memory.totalram, memory.mem_unit);
    for (const auto limit : {RLIMIT_AS, RLIMIT_DATA}) {
        struct rlimit found {};
        if (::getrlimit(limit, &found) == 0) text += fmt::format(" {}", found.rlim_cur);
    }
    return text;
}

/// The user and the groups, which decide on access to devices.
std::string state_of_user()
{
    std::string text = fmt::format("{} {}", ::geteuid(), ::getegid());
    std::vector<gid_t> groups(static_cast<std::size_t>(std::max(0, ::getgroups(0, nullptr))));
    if (::getgroups(static_cast<int>(groups.size()), groups.data()) >= 0)
        for (const gid_t group : groups) text += fmt::format(" {}", group);
    return text;
}

template <class Field>
json stored(const Field& field)
{
    if constexpr (HasFields<const Field>) {
        json list = json::array();
        std::apply([&](const auto&... part) { (list.push_back(stored(part)), ...); }, fields_of(field));
        return list;
    } else {
        return field;
    }
}

/// Throws json::exception if `kept` is something else.
template <class Field>
void restore(const json& kept, Field& field)
{
    if constexpr (HasFields<Field>) {
        std::size_t place = 0;
        std::apply([&](auto&... part) { (restore(kept.at(place++), part), ...); }, fields_of(field));
    } else {
        kept.get_to(field);
    }
}

/// Throws json::exception if the file is damaged.
std::vector<DeviceInfo> unpacked(const std::string& text, std::uint64_t state)
{
    const json kept = json::parse(text);
    if (kept.at("version") != kListVersion || kept.at("state") != state) return {};
    for (const auto& [file, before] : kept.at("files").items())
        if (state_of(file) != before.get<std::string>()) return {};
    std::vector<DeviceInfo> devices;
    for (const json& entry : kept.at("devices")) restore(entry, devices.emplace_back());
    return devices;
}

}  // namespace

std::uint64_t machine_state()
{
    return fingerprint(fmt::format("{}\n{}\n{}\n{}\n{}\n{}", state_of("/etc/ld.so.cache"), state_of_drivers(),
                                   state_of_kernel(), state_of_processors(), state_of_user(), state_of_environment()));
}

std::vector<fs::path> loaded_files()
{
    std::vector<fs::path> files;
    std::error_code error;
    if (fs::path program = fs::read_symlink("/proc/self/exe", error); !error) files.push_back(std::move(program));
    const auto add = [](dl_phdr_info* library, std::size_t, void* list) {
        // The program has no name here, and what the kernel maps has no folder.
        if (const std::string_view name = library->dlpi_name; name.find('/') != std::string_view::npos)
            static_cast<std::vector<fs::path>*>(list)->emplace_back(name);
        return 0;
    };
    ::dl_iterate_phdr(add, &files);
    return files;
}

void remember_devices(const CacheFolder& folder, const std::vector<DeviceInfo>& devices, std::uint64_t state,
                      const std::vector<fs::path>& files)
{
    if (devices.empty()) return;
    try {
        json kept{{"version", kListVersion}, {"state", state}, {"files", json::object()}, {"devices", json::array()}};
        for (const fs::path& file : files) {
            const std::string now = state_of(file);
            if (now.empty()) return;  // it was removed, so nobody can tell whether another one came
            kept["files"][file.string()] = now;
        }
        for (const DeviceInfo& device : devices) kept["devices"].push_back(stored(device));
        (void)folder.write(kListFile, kept.dump());
    } catch (const json::exception&) {  // a name is no text that JSON can hold
    }
}

std::vector<DeviceInfo> remembered_devices(const CacheFolder& folder, std::uint64_t state)
{
    const std::optional<std::string> text = folder.read(kListFile);
    if (!text) return {};
    try {
        return unpacked(*text, state);
    } catch (const json::exception&) {
        return {};
    }
}

std::vector<DeviceInfo> found_devices(const CacheFolder& folder)
{
    const std::uint64_t state = machine_state();
    std::vector<DeviceInfo> devices = list_devices();
    remember_devices(folder, devices, state, loaded_files());
    return devices;
}

}  // namespace clconv
