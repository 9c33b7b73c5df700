// SPDX-License-Identifier: Apache-2.0
#include "batch/control_groups.h"

#include "base/byte_count.h"
#include "base/split.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace clconv {

namespace fs = std::filesystem;

namespace {

/// The names of one version of control groups.
struct Version {
    const char* folder;  ///< of the hierarchy, below that of all groups
    const char* limit;
    const char* usage;
    std::string_view inactive;  ///< pages of files, in memory.stat
    std::string_view active;
};
constexpr Version kFirst{"memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file",
                         "total_active_file"};
constexpr Version kSecond{"", "memory.max", "memory.current", "inactive_file", "active_file"};

/// The number in a file of the kernel; `otherwise` if there is none ("max").
std::uint64_t number_in(const fs::path& path, std::uint64_t otherwise)
{
    std::ifstream file(path);
    std::uint64_t value = 0;
    return file >> value ? value : otherwise;
}

/// Bytes of files in the page cache.
std::uint64_t cached_files(const fs::path& group, const Version& version)
{
    std::ifstream file(group / "memory.stat");
    std::uint64_t sum = 0;
    std::string name;
    for (std::uint64_t bytes = 0; file >> name >> bytes;)
        if (name == version.inactive || name == version.active) sum += bytes;
    return sum;
}

void add_group(ControlGroupMemory& memory, const fs::path& group, const Version& version)
{
    const std::uint64_t limit = number_in(group / version.limit, kNoLimit);
    if (limit == kNoLimit) return;
    const std::uint64_t usage = number_in(group / version.usage, 0);
    const std::uint64_t used = usage - std::min(usage, cached_files(group, version));
    memory.limit = std::min(memory.limit, limit);
    memory.available = std::min(memory.available, limit - std::min(limit, used));
}

/// `path`: of the process's group, from the root of the hierarchy. A container may see the path that its host has for
/// it, and itself as the root.
void add_groups(ControlGroupMemory& memory, const fs::path& hierarchy, std::string_view path, const Version& version)
{
    fs::path group = hierarchy;
    add_group(memory, group, version);
    for (const std::string_view name : split(path, '/')) {
        if (name.empty() || name == "..") continue;
        group /= name;
        add_group(memory, group, version);
    }
}

}  // namespace

ControlGroupMemory control_group_memory(const ControlGroupFiles& files)
{
    ControlGroupMemory memory{kNoLimit, kNoLimit};
    std::ifstream own(files.own);
    for (std::string line; std::getline(own, line);) {  // "4:memory:/slurm/job_7", or "0::/slurm/job_7"
        const std::size_t first = line.find(':');
        const std::size_t second = line.find(':', first + 1);
        if (second == std::string::npos) continue;
        const std::string_view controllers = std::string_view(line).substr(first + 1, second - first - 1);
        const std::string_view path = std::string_view(line).substr(second + 1);
        const std::vector<std::string_view> names = split(controllers, ',');
        if (controllers.empty()) add_groups(memory, files.groups, path, kSecond);
        if (std::ranges::find(names, "memory") != names.end())
            add_groups(memory, files.groups / kFirst.folder, path, kFirst);
    }
    return memory;
}

}  // namespace clconv
