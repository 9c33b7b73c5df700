#include "image/temporary_file.h"

#include "base/errors.h"

#include <fcntl.h>
#include <unistd.h>
#include <atomic>
#include <cerrno>
#include <cstring>

namespace clconv {
namespace {

/// Names may be 255 bytes long; what a temporary name adds must fit too.
constexpr std::size_t kStemBytes = 180;

std::filesystem::path temporary_name(const std::filesystem::path& target)
{
    static std::atomic<unsigned> counter{0};
    const std::string stem = target.stem().string().substr(0, kStemBytes);
    const std::string name = "." + stem + ".clconv-" + std::to_string(::getpid()) + "-" + std::to_string(counter++) +
                             ".tmp" + target.extension().string();
    return target.parent_path() / name;
}

}  // namespace

TemporaryFile::TemporaryFile(std::filesystem::path target) : target_(std::move(target))
{
    int file = -1;
    do {
        path_ = temporary_name(target_);
        file = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (file < 0 && errno == EEXIST);
    if (file < 0) throw InputError(target_.string() + ": cannot be written: " + std::strerror(errno));
    ::close(file);
}

TemporaryFile::~TemporaryFile()
{
    if (committed_) return;
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
}

void TemporaryFile::commit()
{
    std::error_code error;
    std::filesystem::rename(path_, target_, error);
    if (error) throw InputError(target_.string() + ": cannot be written: " + error.message());
    committed_ = true;
}

}  // namespace clconv
