// What is done, remembered across runs: `--manifest FILE` and `--resume`.
//
// NDJSON, one line an item that was made: digests of its input, its PSF and the options, and of the output that came of
// them. Lines are only ever appended, each by one write: a process that dies leaves at worst a torn last line, which
// is not read. Nothing here decides by times of files.
#pragma once

#include "files/item.h"
#include "report/events.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace clconv {

/// What decides the bytes of an output, as digests.
struct ItemKey {
    std::string input;    ///< of the file's bytes
    std::string psf;      ///< of the file's bytes
    std::string options;  ///< of the options that change pixels, and the version

    friend bool operator==(const ItemKey&, const ItemKey&) = default;
};

struct ManifestRecord {
    std::string output;  ///< relative to the output folder
    std::string input;   ///< for people; the key decides
    ItemKey key;
    std::uint64_t bytes = 0;  ///< of the output
    std::string digest;       ///< of the output
};

/// The record as one line, and back; none for a line that is no whole record.
[[nodiscard]] std::string manifest_line(const ManifestRecord& record);
[[nodiscard]] std::optional<ManifestRecord> manifest_record(const std::string& line);

/// By output; several records of one are all kept: any of them may be what lies there.
using ManifestRecords = std::multimap<std::string, ManifestRecord>;

/// The records of all these files together; files that are not there are left out. Throws InputError naming a file
/// that cannot be read.
[[nodiscard]] ManifestRecords load_manifests(const std::set<std::filesystem::path>& files);

/// Appends to a manifest. Threads may share one.
class Manifest {
public:
    /// Opens or makes the file and its folder, and ends a torn last line. Throws InvalidProblem naming it.
    explicit Manifest(std::filesystem::path file);
    ~Manifest();
    Manifest(const Manifest&) = delete;
    Manifest& operator=(const Manifest&) = delete;

    /// Appends a line. The first that cannot be written is told to `sink` as a warning: the image is there, and only
    /// a resumed run will make it again.
    void append(const ManifestRecord& record, Sink& sink);

private:
    std::filesystem::path file_;
    std::mutex mutex_;
    int descriptor_ = -1;
    bool warned_ = false;
};

/// What the items of a run have in common.
struct ManifestContext {
    std::filesystem::path output_folder;
    std::vector<std::string> psfs;  ///< digests of the PSFs' files
    std::string options;            ///< digest
};

/// The record of an output that was just written; none if it is gone already. Reads the output.
[[nodiscard]] std::optional<ManifestRecord> record_of_output(const Item& item, const ItemKey& key,
                                                             const std::filesystem::path& folder);

/// Marks the items to skip: those with a record of the same key whose output lies there unchanged. Reads their inputs
/// and outputs, `jobs` at a time. Tells `sink` at debug level why a recorded item is made again.
void skip_what_is_done(std::vector<Item>& items, const ManifestRecords& records, const ManifestContext& context,
                       int jobs, Sink& sink);

}  // namespace clconv
