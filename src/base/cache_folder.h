// Files that only save time: built programs, measured plans. One small immutable file a key.
//
// Among them are programs that are run: what others could have put there is not read. The folder and its files are
// made for their owner alone.
//
// Nothing here throws or locks. What cannot be read does not exist, what cannot be written (a full disk, a folder that
// may only be read) is not kept. A file appears under its name when it is complete, so that a reader never meets half
// of one, whoever else writes. Readers check what they read: a file may still be foreign, old or torn by a crash.
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
    /// Finds and keeps nothing.
    CacheFolder() = default;
    /// `folder` need not exist; the first file that is kept makes it.
    explicit CacheFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}
    /// $CLCONV_CACHE_DIR, else $XDG_CACHE_HOME/clconv, else ~/.cache/clconv; where none of these is set, nothing is
    /// kept. As the XDG base directory specification wants, an $XDG_CACHE_HOME that is not absolute does not count.
    [[nodiscard]] static CacheFolder of_user();

    /// The folder called `name` in this one.
    [[nodiscard]] CacheFolder below(std::string_view name) const;

    /// Where the files are; empty: nowhere.
    [[nodiscard]] const std::filesystem::path& path() const { return folder_; }

    /// Why what lies here may be somebody else's: the folder, one above it or its link can be changed by other users
    /// than this one and root. Empty: it cannot, or there is no folder yet.
    [[nodiscard]] std::string distrust() const noexcept;

    /// The whole file, or nothing if it cannot be read to its end, or if others can write to the folder or the file.
    [[nodiscard]] std::optional<std::string> read(std::string_view name) const noexcept;

    /// Makes the folder if it is missing, for its owner alone. False if there is none and cannot be one: nothing could
    /// be kept.
    bool make() const noexcept;

    /// Makes `name` hold `bytes`, instead of whatever it held; only its owner can read it. False if it could not;
    /// nothing is left behind then.
    bool write(std::string_view name, std::string_view bytes) const noexcept;

    /// Names of the files, sorted; without those that are being written.
    [[nodiscard]] std::vector<std::string> names() const noexcept;

    /// False if there was none, or it could not be removed.
    bool remove(std::string_view name) const noexcept;

    /// Notes that a file is in use, which saves it from remove_unused().
    void touch(std::string_view name) const noexcept;

    /// The name of a file of `key` that tells readers `what` it holds: "clconv-rows-64-8.8-0123456789abcdef.bin". Of
    /// `what` it has the letters in lower case, digits, dots and hyphens, and no more than fit file systems; the key
    /// tells files apart.
    [[nodiscard]] static std::string own_name(std::string_view what, std::uint64_t key);

    /// Whether only clconv gives such a name, and only to what it can make again: that of own_name(); 16 hexadecimal
    /// digits with .bin (programs of earlier versions) or .txt (plans that passed); and what interrupted writers left.
    [[nodiscard]] static bool is_own_name(std::string_view name);

    /// Removes what has an own name and was neither written nor touched for `age`. Nothing else: it may be anybody's.
    void remove_unused(std::chrono::hours age) const noexcept;

private:
    std::filesystem::path folder_;
};

}  // namespace clconv
