// SPDX-License-Identifier: Apache-2.0
#include "base/cache_folder.h"

#include "base/lower_case.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>

namespace clconv {

namespace fs = std::filesystem;

namespace {

std::string variable(const char* name)
{
    const char* const value = std::getenv(name);
    return value ? value : "";
}

/// Prefix of files that are being written. They are hidden, and no key's name begins so.
constexpr std::string_view kTemporaryPrefix = ".writing-";

/// Prefix of files whose names describe their contents. Only files of clconv begin so.
constexpr std::string_view kOwnPrefix = "clconv-";

std::string own_temporary_name()
{
    static std::atomic<unsigned> counter{0};
    return fmt::format("{}{}-{}", kTemporaryPrefix, ::getpid(), counter++);
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex_digit(char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); }

bool is_word_letter(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || c == '.' || c == '-'; }

bool is_own_or_roots(const struct stat& status) { return status.st_uid == ::geteuid() || status.st_uid == 0; }

/// Why other users could change what `folder` holds; empty if they cannot.
std::string distrust_of(const fs::path& folder)
{
    struct stat status = {};
    if (::lstat(folder.c_str(), &status) != 0) return {};
    const bool is_link = S_ISLNK(status.st_mode);
    if (!is_link && !S_ISDIR(status.st_mode)) return {};
    if (!is_own_or_roots(status))
        return fmt::format("{} belongs to user {}, not to {}", folder.string(), status.st_uid, ::geteuid());
    // In a folder like /tmp everybody can write, but can change only their own files.
    const bool others_write = (status.st_mode & (S_IWGRP | S_IWOTH)) != 0 && (status.st_mode & S_ISVTX) == 0;
    if (!is_link && others_write)
        return fmt::format("{} can be written by others (mode {:o}); chmod go-w makes it yours", folder.string(),
                           status.st_mode & 07777U);
    return {};
}

/// The bytes of a regular file that only its owner, who is this user or root, can write.
std::optional<std::string> read_trusted(const fs::path& path)
{
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    if (file < 0) return {};
    struct stat status = {};
    bool good = ::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && is_own_or_roots(status) &&
                (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
    std::string bytes(good ? static_cast<std::size_t>(status.st_size) : 0, '\0');
    for (std::size_t done = 0; good && done < bytes.size();) {
        const ssize_t count = ::read(file, bytes.data() + done, bytes.size() - done);
        good = count > 0;
        if (good) done += static_cast<std::size_t>(count);
    }
    ::close(file);
    return good ? std::optional(std::move(bytes)) : std::nullopt;
}

/// Makes a file in `folder` under a name that nobody has: a process that was killed may have left files with the number
/// of this one.
int open_temporary(const fs::path& folder, fs::path& path)
{
    constexpr int attempts = 100;
    int file = -1;
    for (int i = 0; i < attempts && file < 0; ++i) {
        path = folder / own_temporary_name();
        file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (file < 0 && errno != EEXIST) return file;
    }
    return file;
}

/// Writes a new file, and closes it. True if it is complete.
bool write_all(int file, std::string_view bytes)
{
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
    } catch (const std::exception&) {  // out of memory, or no name for a path: as if there were no cache
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

std::string CacheFolder::distrust_in_words() const
{
    const std::string why = distrust();
    if (why.empty()) return {};
    return "the cache " + folder_.string() + " is not used: " + why +
           "; or set CLCONV_CACHE_DIR to a folder of your own";
}

std::string CacheFolder::distrust() const noexcept
{
    return without_throwing([&]() -> std::string {
        std::error_code error;
        if (folder_.empty()) return {};
        const fs::path absolute = fs::absolute(folder_, error);
        if (error) return {};
        // Check the path as it is written, and the path that its links lead to.
        for (const fs::path& way : {absolute, fs::weakly_canonical(absolute, error)})
            for (fs::path place = way; place.has_relative_path(); place = place.parent_path())
                if (std::string why = distrust_of(place); !why.empty()) return why;
        return {};
    });
}

std::optional<std::string> CacheFolder::read(std::string_view name) const noexcept
{
    return without_throwing([&]() -> std::optional<std::string> {
        if (folder_.empty() || !distrust().empty()) return {};
        return read_trusted(folder_ / name);
    });
}

bool CacheFolder::make() const noexcept
{
    return without_throwing([&] {
        std::error_code error;
        std::vector<fs::path> missing;
        for (fs::path place = folder_; !place.empty() && !fs::exists(place, error); place = place.parent_path())
            missing.push_back(place);
        std::for_each(missing.rbegin(), missing.rend(),
                      [](const fs::path& place) { (void)::mkdir(place.c_str(), 0700); });
        return !folder_.empty() && fs::is_directory(folder_, error);
    });
}

bool CacheFolder::write(std::string_view name, std::string_view bytes) const noexcept
{
    return without_throwing([&] {
        if (!make()) return false;
        std::error_code error;
        fs::path temporary;
        const int file = open_temporary(folder_, temporary);
        if (file < 0) return false;
        bool good = write_all(file, bytes);
        if (good) {
            fs::rename(temporary, folder_ / name, error);
            good = !error;
        }
        if (!good) fs::remove(temporary, error);
        return good;
    });
}

std::string CacheFolder::own_name(std::string_view what, std::uint64_t key)
{
    constexpr std::size_t maximum = 180;
    std::string words;
    for (const char letter : what.substr(0, maximum))
        if (is_word_letter(lower_case(letter))) words += lower_case(letter);
    return fmt::format("{}{}-{:016x}.bin", kOwnPrefix, words, key);
}

bool CacheFolder::is_own_name(std::string_view name)
{
    constexpr std::size_t digits = 16;
    if (name.starts_with(kTemporaryPrefix)) {
        name.remove_prefix(kTemporaryPrefix.size());
        const std::size_t dash = name.find('-');
        return dash != std::string_view::npos && dash > 0 && dash + 1 < name.size() &&
               std::ranges::all_of(name.substr(0, dash), is_digit) &&
               std::ranges::all_of(name.substr(dash + 1), is_digit);
    }
    std::string_view extension = ".txt";
    if (name.ends_with(".bin")) extension = ".bin";
    if (!name.ends_with(extension)) return false;
    name.remove_suffix(extension.size());
    if (extension == ".bin" && name.starts_with(kOwnPrefix)) {
        const std::size_t dash = name.rfind('-');
        if (!std::ranges::all_of(name.substr(0, dash), is_word_letter)) return false;
        name.remove_prefix(dash + 1);
    }
    return name.size() == digits && std::ranges::all_of(name, is_hex_digit);
}

CacheFolder::Lock::~Lock()
{
    if (file_ >= 0) ::close(file_);
}

CacheFolder::Lock CacheFolder::lock() const noexcept
{
    if (!make()) return Lock(-1);
    const int folder = ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) (void)::flock(folder, LOCK_EX);
    return Lock(folder);
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
            if (is_own_name(at->path().filename().native()) && at->is_regular_file(gone) &&
                at->last_write_time(gone) < oldest && !gone)
                fs::remove(at->path(), gone);
        }
        return !error;
    });
}

}  // namespace clconv
