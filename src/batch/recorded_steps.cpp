// SPDX-License-Identifier: Apache-2.0
#include "batch/recorded_steps.h"

#include "base/errors.h"
#include "files/digest.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace clconv {

namespace fs = std::filesystem;

namespace {

/// Hands the digests of inputs from the reader to the writer.
class InputDigests {
public:
    void set(const fs::path& input, std::string digest)
    {
        const std::lock_guard lock(mutex_);
        by_path_[input] = std::move(digest);
    }
    /// The digest of an input. For a link to a file that was read under another name, it is computed now.
    std::string of(const fs::path& input)
    {
        {
            const std::lock_guard lock(mutex_);
            if (const auto found = by_path_.find(input); found != by_path_.end()) return found->second;
        }
        try {
            return digest_of_file(input);
        } catch (const InputError&) {
            return {};  // the record matches nothing, so the image is made again
        }
    }

private:
    std::mutex mutex_;
    std::map<fs::path, std::string> by_path_;
};

}  // namespace

Steps recorded_steps(const Steps& steps, const ManifestContext& context,
                     std::function<void(const ManifestRecord&)> append)
{
    Steps recorded = steps;
    auto digests = std::make_shared<InputDigests>();
    recorded.read = [read = steps.read, digests](const Item& item, const AllocateSamples& allocate) {
        const fs::path& path = item.info.input;
        // The digest is computed before decoding. If the file changes in between, the record does not match it, and the
        // image is made again.
        try {
            digests->set(path, digest_of_file(path));
        } catch (const InputError&) {
            // Reading the file gives the best error message.
        }
        return read(item, allocate);
    };
    // `input`: the file's name under which it was read.
    const auto record = [digests, &context, append = std::move(append)](const Item& item, const fs::path& input) {
        const ItemKey key{digests->of(input), context.psfs.at(item.psf), context.options};
        if (const std::optional<ManifestRecord> proof = record_of_output(item, key, context.output_folder))
            append(*proof);
    };
    recorded.write = [write = steps.write, record](const Image& image, const Item& item) {
        write(image, item);
        record(item, item.info.input);
    };
    if (steps.copy)
        recorded.copy = [copy = steps.copy, record](const Item& made, const Item& same) {
            copy(made, same);
            record(same, made.info.input);
        };
    return recorded;
}

}  // namespace clconv
