// SPDX-License-Identifier: Apache-2.0
#include "opencl/driver_cache.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace clconv {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFolderOfPocl = "POCL_CACHE_DIR";
constexpr const char* kSpecialisation = "POCL_WORK_GROUP_SPECIALIZATION";

/// The value of a variable; an empty one counts as not set.
fs::path variable(const char* name)
{
    const char* const value = std::getenv(name);
    return value ? fs::path(value) : fs::path();
}

fs::path folder_of_pocl()
{
    if (fs::path own = variable(kFolderOfPocl); !own.empty()) return own;
    if (const fs::path caches = variable("XDG_CACHE_HOME"); !caches.empty()) return caches / "pocl" / "kcache";
    // PoCL takes an empty HOME as the root folder.
    if (const char* const home = std::getenv("HOME")) return fs::path(home) / ".cache" / "pocl" / "kcache";
    return "/tmp/pocl/kcache";
}

/// Whether the folder can be written, or can be made, and its disk has room for some programs. Tries it, because
/// permissions do not tell it of all file systems. Leaves nothing behind.
bool can_be_written(const fs::path& wanted)
{
    constexpr std::uintmax_t some_programs = std::uintmax_t{16} << 20U;  // bytes
    std::error_code error;
    fs::path folder = fs::absolute(wanted, error);
    while (!error && !fs::exists(folder, error) && folder != folder.parent_path()) folder = folder.parent_path();
    if (error) return false;
    const fs::space_info disk = fs::space(folder, error);
    if (!error && disk.capacity > 0 && disk.available < some_programs) return false;  // 0: it does not say
    std::string probe = (folder / ".clconv-XXXXXX").string();
    return ::mkdtemp(probe.data()) != nullptr && ::rmdir(probe.c_str()) == 0;
}

bool cache_of_pocl_works()
{
    return variable("POCL_KERNEL_CACHE") != fs::path("0") && can_be_written(folder_of_pocl());
}

/// A folder below the one for temporary files that only this user can read and write; empty if it cannot be made. It
/// stays, for the next start.
fs::path own_temporary_folder()
{
    std::error_code error;
    const fs::path temporary = fs::temp_directory_path(error);
    if (error) return {};
    fs::path folder = temporary / ("clconv-pocl-" + std::to_string(::geteuid()));
    ::mkdir(folder.c_str(), S_IRWXU);
    struct stat found {};
    // Another user may have made it, or a link of that name: programs in it would be theirs.
    const bool is_own = ::lstat(folder.c_str(), &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == ::geteuid() &&
                        (found.st_mode & (S_IRWXG | S_IRWXO)) == 0;
    return is_own && can_be_written(folder) ? folder : fs::path();
}

/// The folders of POSIX's utilities.
std::string default_search_path()
{
    std::string path(::confstr(_CS_PATH, nullptr, 0), '\0');
    ::confstr(_CS_PATH, path.data(), path.size());
    return path;
}

}  // namespace

void prefer_binaries_of_pocl() { ::setenv(kSpecialisation, "0", 0); }

bool driver_keeps_programs(const DeviceInfo& device)
{
    return device.platform == "Portable Computing Language" && variable(kSpecialisation) != fs::path("0") &&
           cache_of_pocl_works();
}

void prepare_pocl()
{
    if (const char* const folder = std::getenv(kFolderOfPocl); folder != nullptr && *folder == '\0')
        ::unsetenv(kFolderOfPocl);
    if (!can_be_written(folder_of_pocl()))
        if (const fs::path folder = own_temporary_folder(); !folder.empty()) ::setenv(kFolderOfPocl, folder.c_str(), 1);
    if (!cache_of_pocl_works()) prefer_binaries_of_pocl();
    if (variable("PATH").empty()) ::setenv("PATH", default_search_path().c_str(), 1);
}

}  // namespace clconv
