#include "cli/prepared_run.h"

#include "base/errors.h"
#include "batch/listing.h"
#include "batch/output_checks.h"
#include "batch/output_names.h"
#include "cli/psf_loading.h"
#include "cli/sample_type_option.h"
#include "image/image_file.h"

#include <fmt/format.h>

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

FileSettings file_settings(const RunOptions& options)
{
    FileSettings settings;
    settings.depth = depth_option(options.depth);
    if (options.quality > 0) settings.quality = options.quality;
    settings.strip_metadata = options.metadata == "strip";
    return settings;
}

void check_has_input(const RunOptions& options)
{
    if (options.inputs.empty() && options.files_from.empty())
        throw InvalidProblem(
            "no INPUT: name images, folders or patterns before --psf (which takes all words up to the next "
            "option), or use --files-from; see clconv run --help");
}

std::vector<InputFile> inputs_of(const RunOptions& options, Sink& sink)
{
    InputRequest request;
    request.inputs = options.inputs;
    if (!options.files_from.empty())
        for (std::string& line : lines_of(options.files_from)) request.inputs.push_back(std::move(line));
    request.recursive = options.recursive;
    request.include = options.include;
    request.exclude = options.exclude;
    request.skip_folder = options.output;
    if (request.inputs.empty())
        throw NoInput(fmt::format("no input found: --files-from {} has no lines", options.files_from));
    return list_inputs(request, readable_extensions(), sink);
}

FileFormats file_formats() { return {readable_extensions(), writable_extensions()}; }

NamingOptions naming_options(const RunOptions& options) { return {options.output, options.name, options.format}; }

Existing existing_policy(const RunOptions& options)
{
    if (options.overwrite) return Existing::overwrite;
    return options.skip_existing ? Existing::skip : Existing::refuse;
}

std::vector<Item> items_of(const RunOptions& options, const std::vector<InputFile>& inputs,
                           const std::vector<std::shared_ptr<const Psf>>& psfs)
{
    std::vector<std::string> psf_names;
    for (const auto& psf : psfs) psf_names.push_back(psf->name);
    std::vector<Item> items = planned_items(inputs, psf_names, naming_options(options), file_formats());
    check_distinct(items);
    check_not_inputs(items, {options.psfs.begin(), options.psfs.end()});
    check_folders(items);
    settle_existing(items, existing_policy(options));
    return items;
}

}  // namespace

PreparedRun prepare_run(const RunOptions& options, Sink& sink)
{
    check_has_input(options);
    check_naming(naming_options(options), file_formats());
    PreparedRun run;
    run.convolve = convolve_settings(options.problem);
    run.files = file_settings(options);
    run.kernels = kernel_source(options.kernel_dir);
    run.psfs = load_psfs(options.psfs, psf_settings(options.problem), sink);
    run.items = items_of(options, inputs_of(options, sink), run.psfs);
    return run;
}

}  // namespace clconv
