// SPDX-License-Identifier: Apache-2.0
#include "image_options/run_options.h"

#include "cli/command_line.h"
#include "image/format_help.h"
#include "image_options/history.h"
#include "settings/number_option.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <thread>

namespace clconv {

namespace {

void add_input_options(OptionList& list, RunOptions& options)
{
    constexpr const char* group_name = "Inputs";
    list.add_option(Effect::none, "INPUT", options.inputs,
                    "images, folders (the images directly inside, without hidden ones), glob patterns in quotes (* ? "
                    "[a-z], ** for any "
                    "folders), frame sequences (shot.####.exr, shot.@@@@.exr, shot.%04d.exr; a single # is four "
                    "digits); sorted, each name once; links are separate inputs. - alone is an image from standard "
                    "input")
        ->type_name("")
        ->group(group_name);
    list.add_option(
            Effect::none, "--files-from", options.files_from,
            "more INPUTs from a text file, one a line, or each with a NUL behind it (find -print0); - is standard "
            "input")
        ->type_name("FILE")
        ->group(group_name);
    list.add_option(
            Effect::none, "--frames", options.frames,
            "frames of sequences, such as 1001-1100, 1001-1100x2, 1-5,8 or -12-3; a missing one fails; default: "
            "all that exist")
        ->type_name("LIST")
        ->group(group_name);
    list.add_flag(Effect::none, "--recursive,-r", options.recursive, "also subfolders")->group(group_name);
    list.add_option(Effect::none, "--include", options.include,
                    "only images that match, repeatable: the file name, or with a slash in GLOB the path below INPUT")
        ->type_name("GLOB")
        ->allow_extra_args(false)
        ->group(group_name);
    list.add_option(Effect::none, "--exclude", options.exclude, "exclude images that match, repeatable")
        ->type_name("GLOB")
        ->allow_extra_args(false)
        ->group(group_name);
    list.add_option(
            Effect::none, "--shard", options.shard,
            "only every Nth item of the sorted list, from item I on (counted from 0); slurm takes I and N from the job "
            "array, or from srun; env:NAME/N takes I from an environment variable, and N too if it is a name")
        ->type_name("I/N")
        ->group(group_name);
    list.add_option(
            Effect::pixels, "--psf", options.psfs,
            std::string("PSFs: images, text (rows of numbers, # comments), or words such as gaussian:2.5, disc:15.5 "
                        "or gaussian:2*0.9+glow:400*0.1 (clconv psf --help lists them); takes all words up to the "
                        "next option. A PSF has one channel for all, or one for each colour of the image. ") +
                (options.bloom ? "Default: a soft glow" : "Required, except with clconv run --method none"))
        ->type_name("PSF")
        ->group(group_name);
}

void add_output_options(OptionList& list, RunOptions& options)
{
    constexpr const char* group_name = "Outputs";
    list.add_option(Effect::none, "--output,-o", options.output,
                    "folder of the outputs; made if missing; keeps the subfolders of each INPUT folder. With one "
                    "INPUT and one PSF, it can also be the output's own name, such as out/soft.exr; end a folder of "
                    "such a name with /; - is standard output")
        ->type_name("DIR|FILE")
        ->required()
        ->group(group_name);
    list.add_option(Effect::none, "--name", options.name,
                    "output names, with the fields {stem} {ext} {psf} {index} {part}; default: {stem}{ext}, or "
                    "{stem}_{psf}{ext} "
                    "with several PSFs")
        ->type_name("TEMPLATE")
        ->group(group_name);
    list.add_option(Effect::pixels, "--format", options.format,
                    fmt::format("format by its extension: exr, tif, png, jpg, hdr, ...; default: the input's. What it "
                                "does not hold is a warning ({})",
                                limits_text()))
        ->type_name("EXT")
        ->group(group_name);
    list.add_option(
            Effect::pixels, "--depth", options.depth,
            fmt::format("samples: same as the input, u8, u16, half or float, or double with --precision double; "
                        "integers are rounded and clamped; the nearest type that the format holds is used, with a "
                        "warning if it does not hold all values ({}). Integers of 32 bits keep their values; without "
                        "--precision double, doubles become float",
                        types_text()))
        ->type_name("TYPE")
        ->capture_default_str()
        ->group(group_name);
    list.add_flag(Effect::pixels, "--dither", options.write.dither,
                  "round integers up or down at random instead of to nearest, so that smooth areas show no steps: "
                  "3.3 becomes 4 in three of ten cases. The noise depends only on the output's name; alpha gets "
                  "none")
        ->group(group_name);
    list.add_option(Effect::pixels, "--quality", options.write.quality,
                    fmt::format("1 to 100, for formats that have one; default: the input's for JPEGs made from JPEGs, "
                                "else {}",
                                qualities_text()))
        ->type_name("N")
        ->check(CLI::Range(1, 100).description(""))
        ->group(group_name);
    list.add_option(Effect::pixels, "--compression", options.compression,
                    fmt::format("compression, with a level if it has one: {}; default: the input's if the format stays",
                                codecs_text()))
        ->type_name("NAME[:LEVEL]")
        ->group(group_name);
    list.add_choice(Effect::pixels, "--metadata", options.metadata, "keep or strip EXIF, ICC, XMP and similar")
        ->type_name("HOW")
        ->group(group_name);
    CLI::Option* overwrite =
        list.add_flag(Effect::none, "--overwrite", options.overwrite, "replace existing outputs")->group(group_name);
    CLI::Option* skip = list.add_flag(Effect::none, "--skip-existing", options.skip_existing,
                                      "keep existing outputs and skip their inputs")
                            ->excludes(overwrite)
                            ->group(group_name);
    list.add_flag(Effect::none, "--resume", options.resume,
                  "continue where an earlier run with --resume or --manifest ended: skip images that its manifest "
                  "proves done (by digests of input, PSF, options and output), and make those that are missing or "
                  "have changed")
        ->excludes(skip)
        ->group(group_name);
    list.add_option(Effect::none, "--manifest", options.manifest,
                    "record what is done in this file, one JSON object a line; default with --resume: "
                    ".clconv-manifest.ndjson in DIR, for shards .clconv-manifest-I-of-N.ndjson")
        ->type_name("FILE")
        ->group(group_name);
    list.add_flag(Effect::none, "--dry-run", options.dry_run, "list input -> output and the plan; change nothing")
        ->group(group_name);
}

void add_sample_options(OptionList& list, RunOptions& options)
{
    constexpr const char* group_name = "What is computed";
    list.add_choice(Effect::pixels, "--alpha", options.alpha,
                    "convolve, alpha is convolved like the colours; keep, the output has the input's alpha (cropped by "
                    "--mode valid, transparent around it with full). Colours are convolved associated either way")
        ->type_name("HOW")
        ->group(group_name);
    add_channels_option(list, options.channels, group_name);
    list.add_option(Effect::pixels, "--parts", options.parts,
                    fmt::format("which images of files with several (parts, pages, frames) to convolve: all, first, or "
                                "numbers counted from 0. {} hold all of them in one output of the input's format; "
                                "otherwise --name needs {{part}}, and each gets a file. Smaller copies (mipmap levels, "
                                "pyramids) are not parts and are left out",
                                formats_with(&FileFormat::holds_parts)))
        ->type_name("all|first|N[,N...]")
        ->capture_default_str()
        ->group(group_name);
    add_nonfinite_option(list, options.nonfinite, group_name);
    list.add_option(Effect::pixels, "--nodata", options.nodata,
                    "which number stands for missing samples, which --nonfinite then treats as NaN: auto, that of the "
                    "file's GDAL_NODATA tag (GeoTIFF); off, none; or V, in the numbers of the file. Results that are "
                    "missing get the value again")
        ->type_name("auto|off|V")
        ->capture_default_str()
        ->group(group_name);
}

void add_trust_options(OptionList& list, RunOptions& options)
{
    constexpr const char* group_name = "Untrusted files";
    list.add_choice(Effect::pixels, "--damaged", options.damaged,
                    "images that are damaged or end too early: fail; or keep, which uses what can be decoded: missing "
                    "samples are 0 in integers, and treated by --nonfinite in floats")
        ->type_name("HOW")
        ->group(group_name);
    list.add_option(Effect::none, "--max-pixels", options.max_pixels,
                    "images with more pixels fail before they are decoded, and so do images that need more memory "
                    "than --memory-limit (256M are always allowed)")
        ->type_name("N")
        ->check(in_range(1, 1e18))
        ->capture_default_str()
        ->group(group_name);
    list.add_option(Effect::none, "--timeout", options.timeout,
                    "time limit in seconds for a decoder or an encoder and one image; the image then fails; 0: no "
                    "limit")
        ->type_name("SECONDS")
        ->check(in_range(0, 1e6))
        ->capture_default_str()
        ->group(group_name);
}

void add_run_control(OptionList& list, RunOptions& options)
{
    constexpr const char* group_name = "The run";
    // Reading and writing rarely cost the same. With half as many threads each, one kind would idle while the run waits
    // for the other. Bounded queues stop threads that are ahead, so they take no time from a CPU device.
    // docs/decisions/024-jobs.md
    options.jobs = std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, 32);
    list.add_option(Effect::none, "--jobs,-j", options.jobs,
                    "number of reading threads, and also of writing threads; outputs do not depend on it")
        ->type_name("N")
        ->check(CLI::Range(1, 256).description(""))
        ->capture_default_str()
        ->group(group_name);
    list.add_option(
            Effect::none, "--memory-limit", options.memory_limit,
            fmt::format(
                "memory limit of the process, such as 2G or 500M: fewer images are in flight at a time, "
                "and {} of more than a sixteenth of it are read and written by bands; default: half of "
                "the available memory (for bands: half of the machine's memory). A container's or a job's limit "
                "counts as the machine's",
                formats_with(&FileFormat::by_rows)))
        ->type_name("SIZE")
        ->group(group_name);
    list.add_flag(Effect::none, "--fail-fast", options.fail_fast, "stop at the first image that fails")
        ->group(group_name);
    list.add_flag(Effect::none, "--no-verify", options.no_verify,
                  "do not compare the first result of each plan on a device with direct sums (some milliseconds, once)")
        ->group(group_name);
    list.add_option(Effect::pixels, "--kernel-dir", options.kernel_dir,
                    "use the OpenCL kernels (.cl) of this folder instead of the built-in ones")
        ->type_name("DIR")
        ->group(group_name);
    list.add_option(Effect::none, "--report", options.report,
                    "write a JSON report of the whole run, even if it fails or is interrupted; times in seconds; - is "
                    "standard output")
        ->type_name("FILE")
        ->group(group_name);
    add_page_options(list, options.html, options.max_pictured, group_name);
    list.add_option(Effect::none, "--events", options.events,
                    "write the report's contents while it runs, one JSON object a line; - is standard output")
        ->type_name("FILE")
        ->group(group_name);
    list.add_option(Effect::none, "--trace", options.trace,
                    "write a timeline of threads and device passes, for ui.perfetto.dev or chrome://tracing")
        ->type_name("FILE")
        ->group(group_name);
    list.add_choice(Effect::none, "--progress", options.progress,
                    "bar; text, a line every ten seconds; none; or auto, a bar on a terminal")
        ->type_name("HOW")
        ->group(group_name);
}

}  // namespace

void add_run_options(OptionList& list, RunOptions& options)
{
    add_input_options(list, options);
    add_output_options(list, options);
    add_problem_options(list, options.problem);
    if (options.bloom)
        add_mask_option(list, options.blend);
    else
        add_blend_options(list, options.blend);
    add_sample_options(list, options);
    add_trust_options(list, options);
    add_run_control(list, options);
    add_log_options(list, options.log);
}

std::vector<std::string> other_inputs(const RunOptions& options)
{
    std::vector<std::string> files;
    for (const std::string& file : {options.blend.mask, options.weights})
        if (!file.empty()) files.push_back(file);
    return files;
}

OptionNames run_options_without_effect()
{
    OptionNames names;
    for (const bool is_bloom : {false, true}) {
        CLI::App app;
        RunOptions options;
        if (is_bloom) options.bloom.emplace();
        OptionList list(app);
        add_run_options(list, options);
        names.insert(list.without_effect().begin(), list.without_effect().end());
    }
    return names;
}

bool parse_run(CLI::App& app, const OptionList& list, const std::vector<std::string>& arguments, RunOptions& options)
{
    if (!parse(app, arguments)) return false;
    const std::string& name = app.get_name();  // "clconv run"
    options.command = {name.substr(0, name.find(' ')), name.substr(name.find(' ') + 1)};
    options.command.insert(options.command.end(), arguments.begin(), arguments.end());
    options.values = values_of(app);
    options.without_effect = list.without_effect();
    options.history = history_of(app, list.without_effect());
    return true;
}

const char* run_about()
{
    return "Convolve images with one or more PSFs.\n\nThis is true convolution, as in scipy, G'MIC and "
           "ImageMagick -morphology Convolve. oiiotool --convolve, OpenCV\nfilter2D and ImageMagick "
           "-convolve correlate instead; --correlate does the same. The two differ only for\nPSFs that are "
           "not symmetric.";
}

const char* run_examples()
{
    return "Examples:\n"
           "  clconv run photos --psf disc.png --output blurred\n"
           "  clconv run photos --recursive --psf disc.png bars.txt --output out --format exr --depth half\n"
           "  clconv run 'shots/**/*.exr' --psf glare.exr --border zero --normalize sum-all --output out --report "
           "out.json\n"
           "  find . -name '*.tif' | clconv run --files-from - --psf box.txt --name '{stem}_soft{ext}' --output soft\n"
           "\n"
           "Exit codes: 0 all done, 1 some images failed, 2 usage error, 3 no input found, 4 output exists, 5 no "
           "usable\n"
           "OpenCL device or a program failed to build, 6 internal error, 129, 130 or 143 interrupted,\n"
           "141 the reader of standard output has gone.";
}

}  // namespace clconv
