// SPDX-License-Identifier: Apache-2.0
// Remembers across runs which images are done: `--manifest FILE` and `--resume`.
//
// The file is NDJSON, with one line for each finished item: digests of its input, its PSF and the options, and of the
// output. Lines are only appended, each by one write. A process that dies leaves at worst a torn last line, which is
// ignored. Times of files are not used.
#pragma once

#include "base/messages.h"
#include "files/item.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace clconv {

/// Digests of everything on which the bytes of an output depend.
struct ItemKey {
    std::string input;    ///< of the file's bytes
    std::string psf;      ///< of the file's bytes
    std::string options;  ///< of the options that change pixels, and the version

    friend bool operator==(const ItemKey&, const ItemKey&) = default;
};

struct ManifestRecord {
    std::string output;  ///< relative to the output folder
    std::string input;   ///< for readers of the file; only the key is compared
    ItemKey key;
    std::uint64_t bytes = 0;  ///< of the output
    std::string digest;       ///< of the output
};

/// Converts a record to one line, and back; none for a line that is not a whole record.
[[nodiscard]] std::string manifest_line(const ManifestRecord& record);
[[nodiscard]] std::optional<ManifestRecord> manifest_record(const std::string& line);

/// By output. Several records of one output are all kept, because any of them may describe the existing file.
using ManifestRecords = std::multimap<std::string, ManifestRecord>;

/// The records of all these files. Missing files are ignored. Throws InputError with a file that cannot be read.
[[nodiscard]] ManifestRecords load_manifests(const std::set<std::filesystem::path>& files);

/// Appends to a manifest. Threads may share one.
class Manifest {
public:
    /// Opens the file, or makes it and its folder. Throws InvalidProblem with its name.
    explicit Manifest(std::filesystem::path file);
    ~Manifest();
    Manifest(const Manifest&) = delete;
    Manifest& operator=(const Manifest&) = delete;

    /// Appends a line, never to a torn one. The first failed write is a warning to `messages`: the image exists, but a
    /// resumed run will make it again.
    void append(const ManifestRecord& record, Messages& messages);

private:
    std::filesystem::path file_;
    std::mutex mutex_;
    int descriptor_ = -1;
    bool is_torn_ = false;  ///< the file ends in a part of a line
    bool warned_ = false;
};

/// The common part of the items of a run.
struct ManifestContext {
    std::filesystem::path output_folder;
    std::vector<std::string> psfs;  ///< digests of the PSFs' files
    std::string options;            ///< digest
};

/// The record of an output that was just written; none if it is already gone. Reads the output.
[[nodiscard]] std::optional<ManifestRecord> record_of_output(const Item& item, const ItemKey& key,
                                                             const std::filesystem::path& folder);

/// Marks the items to skip: those with a record of the same key whose output is unchanged. Reads their inputs and
/// outputs, `jobs` at a time, until `stop` is not 0; then the others are not marked. Logs to `messages` at debug level
/// why a recorded item is made again.
void skip_what_is_done(std::vector<Item>& items, const ManifestRecords& records, const ManifestContext& context,
                       int jobs, const std::atomic<int>& stop, Messages& messages);

}  // namespace clconv
