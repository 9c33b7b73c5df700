#include "base/cache_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace clconv {

namespace fs = std::filesystem;

namespace {

std::string variable(const char* name)
{
    const char* const value = std::getenv(name);
    return value ? value : "";
}

/// Of files that are being written. Hidden, so that no key's name looks like it.
constexpr std::string_view kTemporaryPrefix = ".writing-";

std::string temporary_name()
{
    static std::atomic<unsigned> counter{0};
    return fmt::format("{}{}-{}", kTemporaryPrefix, ::getpid(), counter++);
}

/// True if all of it is in the new file `path`.
bool write_all(const fs::path& path, std::string_view bytes)
{
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0) return false;
    bool good = true;
    while (good && !bytes.empty()) {
        const ssize_t written = ::write(file, bytes.data(), bytes.size());
        good = written > 0;
        if (good) bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return ::close(file) == 0 && good;  // some file systems find out here that they are full
}

template <class Work>
auto without_throwing(const Work& work) noexcept -> decltype(work())
{
    try {
        return work();
    } catch (const std::exception&) {  // no memory, no name for a path: as if there were no cache
        return {};
    }
}

}  // namespace

CacheFolder CacheFolder::of_user()
{
    if (const std::string own = variable("CLCONV_CACHE_DIR"); !own.empty()) return CacheFolder(own);
    if (const fs::path xdg = variable("XDG_CACHE_HOME"); xdg.is_absolute()) return CacheFolder(xdg / "clconv");
    if (const fs::path home = variable("HOME"); home.is_absolute()) return CacheFolder(home / ".cache" / "clconv");
    return {};
}

CacheFolder CacheFolder::below(std::string_view name) const
{
    return folder_.empty() ? CacheFolder() : CacheFolder(folder_ / name);
}

std::optional<std::string> CacheFolder::read(std::string_view name) const noexcept
{
    return without_throwing([&]() -> std::optional<std::string> {
        if (folder_.empty()) return {};
        std::ifstream in(folder_ / name, std::ios::binary);
        if (!in) return {};
        std::string bytes{std::istreambuf_iterator<char>(in), {}};
        return in.bad() ? std::nullopt : std::optional(std::move(bytes));
    });
}

bool CacheFolder::make() const noexcept
{
    return without_throwing([&] {
        std::error_code error;
        if (!folder_.empty()) fs::create_directories(folder_, error);
        return !folder_.empty() && fs::is_directory(folder_, error);
    });
}

bool CacheFolder::write(std::string_view name, std::string_view bytes) const noexcept
{
    return without_throwing([&] {
        if (!make()) return false;
        std::error_code error;
        const fs::path temporary = folder_ / temporary_name();
        bool good = write_all(temporary, bytes);
        if (good) {
            fs::rename(temporary, folder_ / name, error);
            good = !error;
        }
        if (!good) fs::remove(temporary, error);
        return good;
    });
}

std::vector<std::string> CacheFolder::names() const noexcept
{
    return without_throwing([&] {
        std::vector<std::string> found;
        std::error_code error;
        for (fs::directory_iterator at(folder_, error), end; !error && at != end; at.increment(error)) {
            std::string name = at->path().filename().string();
            if (!name.starts_with(kTemporaryPrefix) && at->is_regular_file(error)) found.push_back(std::move(name));
        }
        std::sort(found.begin(), found.end());
        return found;
    });
}

bool CacheFolder::remove(std::string_view name) const noexcept
{
    return without_throwing([&] {
        std::error_code error;
        return !folder_.empty() && fs::remove(folder_ / name, error);
    });
}

void CacheFolder::touch(std::string_view name) const noexcept
{
    (void)without_throwing([&] {
        std::error_code error;
        if (!folder_.empty()) fs::last_write_time(folder_ / name, fs::file_time_type::clock::now(), error);
        return !error;
    });
}

void CacheFolder::remove_unused(std::chrono::hours age) const noexcept
{
    (void)without_throwing([&] {
        const fs::file_time_type oldest = fs::file_time_type::clock::now() - age;
        std::error_code error;
        for (fs::directory_iterator at(folder_, error), end; !error && at != end; at.increment(error)) {
            std::error_code gone;  // another process may clear the same folder
            if (at->is_regular_file(gone) && at->last_write_time(gone) < oldest && !gone) fs::remove(at->path(), gone);
        }
        return !error;
    });
}

}  // namespace clconv
