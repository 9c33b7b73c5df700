// SPDX-License-Identifier: Apache-2.0
#include "report/text_file.h"

#include "base/errors.h"
#include "base/temporary_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace clconv {

namespace fs = std::filesystem;

namespace {

struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
};

/// True if all of `text` reached the file; otherwise errno has the reason.
bool write_all(const fs::path& path, std::string_view text)
{
    if (path == "-") return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "wb"));
    if (!file) return false;
    if (std::fwrite(text.data(), 1, text.size(), file.get()) != text.size()) return false;
    return std::fclose(file.release()) == 0;
}

InputError cannot_be_written(const fs::path& path, int reason)
{
    return InputError(fmt::format("{}: cannot be written: {}", path.string(), std::strerror(reason)));
}

}  // namespace

void write_text_file(const fs::path& path, std::string_view text)
{
    std::error_code failure;
    if (path == "-" ||
        (fs::exists(path, failure) && !fs::is_regular_file(path, failure) && !fs::is_directory(path, failure))) {
        // A pipe or a terminal (/dev/stdout) must be written to, not replaced.
        if (!write_all(path, text)) throw cannot_be_written(path, errno);
        return;
    }
    (void)make_folder_of(path);
    TemporaryFile file(path);
    if (!write_all(file.path(), text)) throw cannot_be_written(path, errno);
    file.commit();
}

}  // namespace clconv
