// SPDX-License-Identifier: Apache-2.0
#include "base/temporary_file.h"

#include "base/errors.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace clconv {

namespace fs = std::filesystem;

namespace {

/// Names may be 255 bytes long, including what a temporary name adds.
constexpr std::size_t kStemBytes = 170;
constexpr std::size_t kHostBytes = 32;

/// The host's name, cut to fit, without characters that separate parts of a name.
std::string host()
{
    std::array<char, 256> name{};
    if (::gethostname(name.data(), name.size() - 1) != 0) return "host";
    std::string text = std::string(name.data()).substr(0, kHostBytes);
    for (char& letter : text)
        if (letter == '-' || letter == '/') letter = '_';
    return text;
}

/// The part between stem and process in the temporary names of this host.
const std::string& mark()
{
    static const std::string kText = ".clconv-" + host() + "-";
    return kText;
}

fs::path temporary_name(const fs::path& target)
{
    static std::atomic<unsigned> counter{0};
    const std::string stem = target.stem().string().substr(0, kStemBytes);
    return target.parent_path() /
           fmt::format(".{}{}{}-{}.tmp{}", stem, mark(), ::getpid(), counter++, target.extension().string());
}

bool is_temporary_name(const std::string& name)
{
    return name.starts_with(".") && name.find(mark()) != std::string::npos && name.find(".tmp") != std::string::npos;
}

bool is_there(int file)
{
    struct stat status = {};
    return ::fstat(file, &status) == 0 && status.st_nlink > 0;
}

/// Makes and locks a new file. Returns -1 and errno on failure. On file systems without locks the file stays unlocked.
int new_locked_file(const fs::path& path)
{
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0) return file;
    (void)::flock(file, LOCK_EX);
    // Between open and flock another process may have removed it as abandoned.
    if (is_there(file)) return file;
    ::close(file);
    errno = EEXIST;
    return -1;
}

bool remove_if_abandoned(const fs::path& path)
{
    const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0) return false;
    // The file is removed while the lock is held, so a process that waits for this lock sees that it is gone.
    const bool removed = ::flock(file, LOCK_EX | LOCK_NB) == 0 && ::unlink(path.c_str()) == 0;
    ::close(file);
    return removed;
}

/// Renames a file, unless `to` exists. Returns the system's reason if it did not.
std::error_code rename_to_a_new_name(const fs::path& from, const fs::path& to)
{
    const auto reason = [](int result) { return std::error_code(result == 0 ? 0 : errno, std::generic_category()); };
    const std::error_code renamed = reason(::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE));
    if (renamed != std::errc::invalid_argument && renamed != std::errc::function_not_supported) return renamed;
    // NFS and some file systems of FUSE cannot, but a link replaces nothing either.
    const std::error_code linked = reason(::link(from.c_str(), to.c_str()));
    if (!linked) (void)::unlink(from.c_str());
    if (!linked || linked == std::errc::file_exists) return linked;
    return reason(std::rename(from.c_str(), to.c_str()));
}

template <class Function>
void for_each_temporary(const fs::path& folder, const Function& function) noexcept
{
    try {
        std::error_code failure;
        for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end; entry.increment(failure))
            if (is_temporary_name(entry->path().filename().string())) function(entry->path());
    } catch (const std::exception&) {  // out of memory: the files stay until the next run
    }
}

}  // namespace

TemporaryFile::TemporaryFile(fs::path target) : target_(std::move(target))
{
    do {
        path_ = temporary_name(target_);
        locked_ = new_locked_file(path_);
    } while (locked_ < 0 && errno == EEXIST);
    if (locked_ < 0) throw InputError(target_.string() + ": cannot be written: " + std::strerror(errno));
}

TemporaryFile::~TemporaryFile()
{
    if (!committed_) {
        std::error_code ignored;
        fs::remove(path_, ignored);
    }
    ::close(locked_);
}

void TemporaryFile::commit(Existing existing)
{
    std::error_code error;
    if (existing == Existing::overwrite)
        fs::rename(path_, target_, error);
    else
        error = rename_to_a_new_name(path_, target_);
    if (error == std::errc::file_exists && existing != Existing::overwrite)
        throw OutputExists(target_.string() +
                           ": exists, because another program has made it during this run, and is "
                           "kept; use --overwrite to replace such files");
    if (error) throw InputError(target_.string() + ": cannot be written: " + error.message());
    committed_ = true;
}

std::size_t remove_abandoned_temporaries(const fs::path& folder) noexcept
{
    std::size_t removed = 0;
    for_each_temporary(folder, [&](const fs::path& path) {
        if (remove_if_abandoned(path)) ++removed;
    });
    return removed;
}

void remove_temporaries_of(int process, const fs::path& folder) noexcept
{
    for_each_temporary(folder, [&](const fs::path& path) {
        if (path.filename().string().find(fmt::format("{}{}-", mark(), process)) != std::string::npos) fs::remove(path);
    });
}

}  // namespace clconv
