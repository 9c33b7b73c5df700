// A file that appears under its name only when it is complete.
#pragma once

#include <filesystem>
#include <string>

namespace clconv {

/// An empty file beside `target`, hidden, which becomes `target` at commit() or goes away with this object.
///
/// Its name keeps the extension (the library chooses the format by it) and holds process id and a counter, so that
/// writers of the same name on several machines do not meet: ".photo.clconv-1234-0.tmp.png".
class TemporaryFile {
public:
    /// Throws InputError naming `target` and the system's reason.
    explicit TemporaryFile(std::filesystem::path target);
    ~TemporaryFile();
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

    /// Renames the file to `target`, replacing what was there. Throws InputError.
    void commit();

private:
    std::filesystem::path target_;
    std::filesystem::path path_;
    bool committed_ = false;
};

}  // namespace clconv
