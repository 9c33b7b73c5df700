// SPDX-License-Identifier: Apache-2.0
#include "image_commands/prepare_run.h"

#include "base/byte_count.h"
#include "base/errors.h"
#include "base/parse_number.h"
#include "batch/isolated_reading.h"
#include "batch/memory_limits.h"
#include "cli/command_line.h"
#include "cli/sample_type_option.h"
#include "cli/tuning_option.h"
#include "codecs/image_file.h"
#include "encoders/compression.h"
#include "engine/coarse_work.h"
#include "files/digest.h"
#include "files/frames.h"
#include "files/listing.h"
#include "files/output_checks.h"
#include "files/output_names.h"
#include "files/shard.h"
#include "image_commands/output_place.h"
#include "image_commands/psf_loading.h"
#include "image_commands/requested_blending.h"
#include "image_commands/resume.h"
#include "image_options/psf_words.h"
#include "settings/cache_option.h"
#include "settings/requested_blending.h"
#include "settings/resolution_option.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace clconv {

namespace {

KernelSource kernel_source(const std::string& folder)
{
    if (folder.empty()) return KernelSource::embedded();
    try {
        return KernelSource::from_folder(folder);
    } catch (const InputError& error) {
        throw InvalidProblem(error.what());
    }
}

WriteOptions write_options(const RunOptions& options)
{
    WriteOptions write = options.write;
    write.strip_metadata = options.metadata == MetadataRule::strip;
    if (!options.compression.empty()) write.compression = parse_compression(options.compression);
    write.history = options.history;
    return write;
}

/// `--nodata`. Copies have all samples as they are.
NodataRule nodata_rule(const RunOptions& options)
{
    using enum NodataRule::Source;
    const std::optional<double> value = parse_number<double>(options.nodata);
    if (options.nodata != "auto" && options.nodata != "off" && !value)
        throw InvalidProblem(fmt::format("--nodata {}: give auto, off, or a number such as -9999", options.nodata));
    if (options.problem.method.copies || options.nodata == "off") return {};
    return value ? NodataRule{given, *value, options.nodata} : NodataRule{tag};
}

DecodeRules decode_rules(const RunOptions& options, std::optional<std::uint64_t> memory_limit)
{
    // Some users set small limits so that images are cut. One image may always use this much, which any machine has.
    constexpr std::uint64_t min_memory = std::uint64_t{256} << 20U;
    return {.max_pixels = options.max_pixels,
            .max_memory = std::max(memory_limit.value_or(available_memory() / 2), min_memory),
            .keeps_damaged = options.damaged == DamagedRule::keep,
            .keeps_doubles = options.problem.precision == Precision::float64,
            .channels = parse_channels(options.channels),
            .refuses_inks = options.bloom.has_value(),
            .nodata = nodata_rule(options)};
}

/// Whether --mix 0 requests the image itself.
bool mixes_nothing(const BlendOptions& blend)
{
    return blend.mix && *blend.mix == 0 && blend.mask.empty() && blend.blending.offset == 0;
}

FirstUse first_use(const RunOptions& options, Sink& sink)
{
    FirstUse first_use;
    first_use.is_checked = !options.no_verify;
    first_use.passed = cache_folder(options.problem.no_cache).below("verified");
    first_use.note = [&sink](const std::string& text) { sink.message(Level::debug, text); };
    first_use.error = [&sink](const std::string& text) { sink.message(Level::error, text); };
    return first_use;
}

void check_has_input(const RunOptions& options)
{
    if (options.inputs.empty() && options.files_from.empty())
        throw InvalidProblem(
            "no INPUT: give images, folders or patterns before --psf (which takes all words up to the next "
            "option), or use --files-from; see clconv run --help");
}

/// The PSFs of the run. Copies need none, so a placeholder without a file is used.
std::vector<std::shared_ptr<const Psf>> psfs_of(const RunOptions& options, bool copies, Sink& sink)
{
    if (!options.psfs.empty()) return load_psfs(options.psfs, psf_settings(options.problem), sink);
    if (!copies) throw InvalidProblem("--psf is required; see clconv run --help");
    return {std::make_shared<const Psf>(
        Psf{.name = "none", .extent = {1, 1}, .channels = 1, .origin = {0, 0}, .weights = {1}})};
}

FileFormats file_formats() { return {readable_extensions(), writable_extensions()}; }

NamingOptions naming_options(const RunOptions& options)
{
    const OutputPlace place = output_place(options.output);
    check_output_options(place, options.name, options.format);
    return {place.folder, options.name, options.format, place.file, {}};
}

std::vector<InputFile> inputs_of(const RunOptions& options, const std::atomic<int>& stop, Sink& sink)
{
    InputRequest request;
    request.inputs = options.inputs;
    if (!options.files_from.empty())
        for (std::string& line : lines_of(options.files_from, stop)) request.inputs.push_back(std::move(line));
    request.recursive = options.recursive;
    if (!options.frames.empty()) request.frames = parse_frames(options.frames);
    request.include = options.include;
    request.exclude = options.exclude;
    const NamingOptions naming = naming_options(options);
    // A single output file may be in the folder of its input.
    if (naming.file.empty()) request.skip_folder = naming.folder;
    request.no_output = extensions_without_output(naming, file_formats());
    if (request.inputs.empty())
        throw NoInput(fmt::format("no input found: --files-from {} has no lines", options.files_from));
    return list_inputs(request, readable_extensions(), sink);
}

/// Throws InvalidProblem for the first output whose format does not have the compression. An output without a format
/// fails alone.
void check_compressions(const std::vector<Item>& items, const Compression& compression)
{
    for (const Item& item : items)
        if (can_be_written(item.info.output)) check_compression(item.info.output, compression);
}

/// The parts of a file to make. A file that cannot be read has one part, whose item reports the error.
std::vector<int> parts_of_input(const std::filesystem::path& path, const ImageWork& work)
{
    if (work.parts.named()) return *work.parts.named();
    try {
        return work.parts.of(isolated_count_of_parts(path, work.decode));
    } catch (const InputError&) {
        return {0};
    }
}

std::vector<Item> items_of(const RunOptions& options, const std::vector<InputFile>& inputs,
                           const std::vector<std::shared_ptr<const Psf>>& psfs, const ImageWork& work)
{
    std::vector<std::string> psf_names;
    for (const auto& psf : psfs) psf_names.push_back(psf->name);
    NamingOptions naming = naming_options(options);
    naming.parts = [&work](const std::filesystem::path& path) { return parts_of_input(path, work); };
    std::vector<Item> items = planned_items(inputs, psf_names, naming, file_formats());
    check_below(items, naming.folder);
    check_distinct(items);
    std::vector<std::string> files = psf_files(options.psfs);
    std::ranges::move(other_inputs(options), std::back_inserter(files));
    check_not_inputs(items, {files.begin(), files.end()});
    check_folders(items);
    if (!options.dry_run) check_distinct_in_any_case(items, ignores_case);  // which writes a file
    return items;
}

/// Keeps the items of this process's shard. Checks of the whole list come before this, checks of outputs after it.
RunShard take_shard(const Shard& shard, const RunOptions& options, std::vector<Item>& items, Sink& sink)
{
    Digester list;
    for (const std::string& psf : options.psfs) list.add_text(psf_digest(psf));
    for (const Item& item : items)
        for (const std::string& text : {item.info.input.string(), item.info.output.string(), item.info.psf})
            list.add_text(text);
    RunShard taken{shard.index, shard.count, items.size(), list.hex()};
    items = items_of_shard(items, shard);
    if (shard.count > 1)
        sink.message(Level::info,
                     fmt::format("shard {}/{}: {} of {} items", shard.index, shard.count, items.size(), taken.items));
    return taken;
}

}  // namespace

PreparedRun prepare_run(const RunOptions& options, const std::atomic<int>& stop, Sink& sink)
{
    check_has_input(options);
    check_naming(naming_options(options), file_formats());
    const Shard shard = options.shard.empty() ? Shard{} : parse_shard(options.shard, environment_value);
    PreparedRun run;
    run.copies = options.problem.method.copies;
    ProblemOptions problem = options.problem;
    problem.method.copies = false;
    run.work.convolve = convolve_settings(problem);
    if (run.copies) run.work.convolve.mode = Mode::same;
    run.work.depth = depth_option(options.depth);
    if (run.work.depth == SampleType::float64 && options.problem.precision != Precision::float64)
        throw InvalidProblem("--depth double: results are computed in float; add --precision double");
    run.work.nonfinite = options.nonfinite;
    if (options.problem.linear && !run.copies) run.work.light = Light::linear;
    run.work.builds_ahead = options.problem.tuning != Tuning::measure;  // measuring needs the device for itself
    run.work.alpha = options.alpha;
    run.devices = options.problem.device;
    run.device_memory = device_memory(options.problem);
    run.times_every_launch = !options.trace.empty();
    run.caches = cache_folder(options.problem.no_cache);
    run.jobs = options.jobs;
    run.fail_fast = options.fail_fast;
    run.work.write = write_options(options);
    run.work.kernels = kernel_source(options.kernel_dir);
    run.work.convolve.plans = plans_for(options.problem.tuning, run.caches, run.work.kernels, sink);
    run.work.convolve.first_use = first_use(options, sink);
    if (!options.memory_limit.empty()) run.memory_limit = parse_byte_count("--memory-limit", options.memory_limit);
    run.work.decode = decode_rules(options, run.memory_limit);
    const bool wants_input = (run.copies || mixes_nothing(options.blend)) && !run.work.write.dither;
    if (wants_input && options.channels.empty()) run.work.decode.channels = {.kind = ChannelRule::Kind::listed};
    run.work.parts = PartChoice(options.parts);
    run.work.convolve.blending = blending_of(options);
    if (options.work) run.work.convolve.work = options.work;
    if (!options.note.empty()) sink.message(Level::info, options.note);
    if (options.bloom) run.work.convolve.work = work_at_resolution(shrink_of(options.bloom->resolution));
    run.work.psfs = psf_set(psfs_of(options, run.copies, sink), options.problem,
                            options.bloom ? bloom_fit(*options.bloom) : PsfSet::Fit{});
    run.work.convolve.several_psfs = run.work.psfs.all().size() > 1;
    run.items = items_of(options, inputs_of(options, stop, sink), run.work.psfs.all(), run.work);
    if (run.work.write.compression) check_compressions(run.items, *run.work.write.compression);
    run.shard = take_shard(shard, options, run.items, sink);
    run.manifest = run_manifest(options, run.shard);
    settle_outputs(run.items, run.manifest, options, stop, sink);
    if (std::ranges::any_of(run.items,
                            [](const Item& item) { return needs_library(item.info.input, item.info.output); }))
        load_library();
    return run;
}

}  // namespace clconv
