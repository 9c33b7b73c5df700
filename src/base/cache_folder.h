// SPDX-License-Identifier: Apache-2.0
// Files that only save time: built programs, measured plans. There is one small file for each key. Those of programs
// and plans never change; the measured passes of a device, and the list of devices, are replaced whole.
//
// Some of them are programs that clconv runs, so files that other users could have put there are not read. Only their
// owner can read the folder and its files.
//
// Nothing here throws, and only lock() locks. A file that cannot be read counts as missing. A file that cannot be
// written (full disk, read-only folder) is not kept. A file appears under its name when it is complete, so a reader
// never sees a partial one, even with several writers. Readers check the contents: a file may still be foreign, old or
// torn by a crash.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clconv {

class CacheFolder {
public:
    /// A cache that finds and keeps nothing.
    CacheFolder() = default;
    /// `folder` need not exist. The first write creates it.
    explicit CacheFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}
    /// $CLCONV_CACHE_DIR, else $XDG_CACHE_HOME/clconv, else ~/.cache/clconv; if none of these is set, nothing is kept.
    /// An $XDG_CACHE_HOME that is not absolute is ignored, as the XDG base directory specification says.
    [[nodiscard]] static CacheFolder of_user();

    /// The folder called `name` in this one.
    [[nodiscard]] CacheFolder below(std::string_view name) const;

    /// Where the files are; empty if nothing is kept.
    [[nodiscard]] const std::filesystem::path& path() const { return folder_; }

    /// Why the files may come from somebody else: users other than this one and root can change the folder, a folder
    /// above it, or its link. Empty if they cannot, or if there is no folder yet.
    [[nodiscard]] std::string distrust() const noexcept;
    /// That for users, with what to do; empty if the folder is trusted.
    [[nodiscard]] std::string distrust_in_words() const;

    /// The whole file, or nothing if it cannot be read to its end, or if others can write to the folder or the file.
    [[nodiscard]] std::optional<std::string> read(std::string_view name) const noexcept;

    /// Makes the folder if it is missing, readable by its owner only. False if it cannot be made, so that nothing can
    /// be kept.
    bool make() const noexcept;

    /// Replaces the contents of `name` by `bytes`; only its owner can read it. Returns false on failure, and then
    /// leaves nothing behind.
    bool write(std::string_view name, std::string_view bytes) const noexcept;

    /// While it lives, lock() of this folder waits in other processes, for those that read a file, change and write it.
    class Lock {
    public:
        explicit Lock(int file) : file_(file) {}
        ~Lock();
        Lock(const Lock&) = delete;
        Lock& operator=(const Lock&) = delete;

    private:
        int file_;
    };
    /// Nothing is locked if the folder cannot be written.
    [[nodiscard]] Lock lock() const noexcept;

    /// Names of the files, sorted; without those that are being written.
    [[nodiscard]] std::vector<std::string> names() const noexcept;

    /// False if there was none, or it could not be removed.
    bool remove(std::string_view name) const noexcept;

    /// Marks a file as used, so that remove_unused() keeps it.
    void touch(std::string_view name) const noexcept;

    /// The name of a file of `key`, which tells readers `what` it holds: "clconv-rows-64-8.8-0123456789abcdef.bin". It
    /// has the lower-case letters, digits, dots and hyphens of `what`, cut to the limits of file systems. The key makes
    /// names unique.
    [[nodiscard]] static std::string own_name(std::string_view what, std::uint64_t key);

    /// Whether clconv alone uses such a name, for files that it can make again: names from own_name(); 16 hexadecimal
    /// digits with .bin (programs of earlier versions) or .txt (plans that passed); and leftovers of interrupted
    /// writers.
    [[nodiscard]] static bool is_own_name(std::string_view name);

    /// Removes files for which is_own_name() holds and that were neither written nor touched for `age`. Other files may
    /// belong to anybody.
    void remove_unused(std::chrono::hours age) const noexcept;

private:
    std::filesystem::path folder_;
};

}  // namespace clconv
