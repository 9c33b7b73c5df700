// SPDX-License-Identifier: Apache-2.0
#include "image_commands/resume.h"

#include "cli/version.h"
#include "files/digest.h"
#include "files/output_checks.h"
#include "image_commands/output_place.h"
#include "image_options/psf_words.h"
#include "opencl/kernel_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

namespace clconv {

namespace fs = std::filesystem;

namespace {

constexpr const char* kManifestStem = ".clconv-manifest";
constexpr const char* kNothingToResume =
    "there is no manifest that says how they were made (runs with --resume or --manifest write one); use --overwrite, "
    "or, to keep them, --skip-existing instead of --resume";

/// `resuming`: an earlier run has left its manifest, so existing outputs are its work.
Existing existing_policy(const RunOptions& options, bool resuming)
{
    if (options.overwrite || resuming) return Existing::overwrite;
    return options.skip_existing ? Existing::skip : Existing::refuse;
}

/// A digest of the options that may change pixels. PSFs have digests of their own.
std::string options_digest(const RunOptions& options)
{
    Digester digest;
    digest.add_text(kVersion);
    for (const auto& [name, value] : options.values)
        if (!options.without_effect.contains(name) && name != "--psf") {
            digest.add_text(name);
            digest.add_text(value);
        }
    for (const std::string& file : other_inputs(options)) digest.add_text(digest_of_file(file));
    if (!options.kernel_dir.empty()) digest.add_text(KernelSource::from_folder(options.kernel_dir).fingerprint());
    return digest.hex();
}

ManifestContext manifest_context(const RunOptions& options)
{
    ManifestContext context{output_place(options.output).folder, {}, options_digest(options)};
    for (const std::string& psf : options.psfs) context.psfs.push_back(psf_digest(psf));
    if (options.psfs.empty()) context.psfs.emplace_back();  // --method none
    return context;
}

fs::path manifest_file(const RunOptions& options, const RunShard& shard)
{
    if (!options.manifest.empty()) return options.manifest;
    const std::string part = shard.count > 1 ? fmt::format("-{}-of-{}", shard.index, shard.count) : "";
    return output_place(options.output).folder / fmt::format("{}{}.ndjson", kManifestStem, part);
}

/// The manifests that say what is done: the named one, or all in the output folder, from any shards.
std::set<fs::path> manifests_to_read(const RunOptions& options)
{
    std::error_code failure;
    std::set<fs::path> files;
    if (!options.manifest.empty()) {
        if (fs::exists(options.manifest, failure)) files.insert(options.manifest);
        return files;
    }
    for (fs::directory_iterator entry(output_place(options.output).folder, failure), end; !failure && entry != end;
         entry.increment(failure)) {
        const std::string name = entry->path().filename().string();
        if (name.starts_with(kManifestStem) && name.ends_with(".ndjson")) files.insert(entry->path());
    }
    return files;
}

}  // namespace

std::optional<RunManifest> run_manifest(const RunOptions& options, const RunShard& shard)
{
    if (!options.resume && options.manifest.empty()) return std::nullopt;
    return RunManifest{manifest_file(options, shard), manifest_context(options)};
}

void settle_outputs(std::vector<Item>& items, const std::optional<RunManifest>& manifest, const RunOptions& options,
                    const std::atomic<int>& stop, Sink& sink)
{
    const std::set<fs::path> manifests = options.resume ? manifests_to_read(options) : std::set<fs::path>();
    settle_existing(items, existing_policy(options, !manifests.empty()),
                    options.resume ? kNothingToResume : kKeepOrReplace);
    if (!options.resume || !manifest) return;
    // What appears later is of a process that makes the same, such as a job that a scheduler has started twice.
    for (Item& item : items) item.existing = Existing::overwrite;
    skip_what_is_done(items, load_manifests(manifests), manifest->context, options.jobs, stop, sink);
    if (stop != 0) return;  // not all have been looked at
    const auto done = std::ranges::count(items, true, &Item::skip);
    sink.message(Level::info,
                 fmt::format("resuming: {} of {} images are done, as {} manifest{} show{}", done, items.size(),
                             manifests.size(), manifests.size() == 1 ? "" : "s", manifests.size() == 1 ? "s" : ""));
}

}  // namespace clconv
