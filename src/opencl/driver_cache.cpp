#include "opencl/driver_cache.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace clconv {
namespace {

namespace fs = std::filesystem;

fs::path variable(const char* name)
{
    const char* const value = std::getenv(name);
    return value ? fs::path(value) : fs::path();
}

fs::path folder_of_pocl()
{
    if (fs::path own = variable("POCL_CACHE_DIR"); !own.empty()) return own;
    if (const fs::path caches = variable("XDG_CACHE_HOME"); !caches.empty()) return caches / "pocl" / "kcache";
    if (const fs::path home = variable("HOME"); !home.empty()) return home / ".cache" / "pocl" / "kcache";
    return {};
}

/// Whether the folder can be written, or can be made.
bool can_be_written(fs::path folder)
{
    std::error_code error;
    while (!folder.empty() && !fs::exists(folder, error) && folder != folder.parent_path())
        folder = folder.parent_path();
    return !folder.empty() && ::access(folder.c_str(), W_OK | X_OK) == 0;
}

bool cache_of_pocl_works()
{
    return variable("POCL_KERNEL_CACHE") != fs::path("0") && can_be_written(folder_of_pocl());
}

}  // namespace

bool driver_keeps_programs(const DeviceInfo& device)
{
    return device.platform == "Portable Computing Language" && cache_of_pocl_works();
}

void prepare_pocl()
{
    if (!cache_of_pocl_works()) ::setenv("POCL_WORK_GROUP_SPECIALIZATION", "0", 0);
}

}  // namespace clconv
