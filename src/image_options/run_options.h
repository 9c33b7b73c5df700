// SPDX-License-Identifier: Apache-2.0
// The options of `clconv run`.
#pragma once

#include "base/names.h"
#include "cli/log_options.h"
#include "engine/work.h"
#include "image/alpha_rule.h"
#include "image/nonfinite_rule.h"
#include "image/write_options.h"
#include "image_options/page_options.h"
#include "settings/blend_options.h"
#include "settings/problem_options.h"

#include "settings/option_list.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace clconv {

/// `--metadata`.
enum class MetadataRule { keep, strip };
template <>
inline constexpr auto kNames<MetadataRule> = std::to_array<Named<MetadataRule>>({{"keep", MetadataRule::keep},
                                                                                 {"strip", MetadataRule::strip}});

/// `--damaged`.
enum class DamagedRule { fail, keep };
template <>
inline constexpr auto kNames<DamagedRule> = std::to_array<Named<DamagedRule>>({{"fail", DamagedRule::fail},
                                                                               {"keep", DamagedRule::keep}});

/// `--progress`.
enum class ProgressChoice { automatic, bar, text, none };
template <>
inline constexpr auto kNames<ProgressChoice> = std::to_array<Named<ProgressChoice>>({{"auto",
                                                                                      ProgressChoice::automatic},
                                                                                     {"bar", ProgressChoice::bar},
                                                                                     {"text", ProgressChoice::text},
                                                                                     {"none", ProgressChoice::none}});

/// Words are read when they are parsed; text that needs more than a table is as typed.
struct RunOptions {
    std::vector<std::string> inputs;
    std::string files_from;
    std::string frames;
    bool recursive = false;
    std::vector<std::string> include;
    std::vector<std::string> exclude;
    std::string shard;

    std::vector<std::string> psfs;
    ProblemOptions problem;
    BlendOptions blend;
    std::optional<BloomOptions> bloom;  ///< of `clconv bloom`
    std::shared_ptr<const Work> work;   ///< of other commands; null: the plain one
    std::string weights;                ///< the file of deconvolve's --weight; may be empty
    std::string note;                   ///< for the log: what such a command has chosen; may be empty
    bool no_verify = false;
    std::string kernel_dir;

    std::string output;
    std::string name;
    std::string format;
    std::string depth = "same";
    NonFiniteRule nonfinite = NonFiniteRule::error;
    std::string nodata = "auto";
    std::string parts = "all";
    DamagedRule damaged = DamagedRule::fail;
    std::uint64_t max_pixels = std::uint64_t{1} << 32U;
    AlphaRule alpha = AlphaRule::convolve;
    std::string channels;     ///< empty: the default ones
    WriteOptions write;       ///< with the fields that need no further parsing
    std::string compression;  ///< empty: the format's default
    MetadataRule metadata = MetadataRule::keep;
    bool overwrite = false;
    bool skip_existing = false;
    bool resume = false;
    std::string manifest;
    bool dry_run = false;

    int jobs = 1;
    std::string memory_limit;  ///< empty: half of what is available
    bool fail_fast = false;
    double timeout = 300;  ///< seconds for a codec and one image; 0: no limit

    LogChoice log;
    std::string report;
    std::string html;
    std::size_t max_pictured = kMaxPictured;
    std::string events;
    std::string trace;
    ProgressChoice progress = ProgressChoice::automatic;

    std::vector<std::string> command;                         ///< all words of the command line
    std::vector<std::pair<std::string, std::string>> values;  ///< every option with its value
    OptionNames without_effect;                               ///< on pixels
    std::string history;                                      ///< the description of the command in headers
};

/// With `options.bloom`, leaves out options that only `clconv run` has.
void add_run_options(OptionList& list, RunOptions& options);

/// The files that a run reads beside inputs and PSFs.
[[nodiscard]] std::vector<std::string> other_inputs(const RunOptions& options);

/// The options of `run` and of `bloom` that have no effect on pixels.
[[nodiscard]] OptionNames run_options_without_effect();

/// Parses the words of `run` or `bloom`, and keeps them as typed. False if --help was among them and has been printed.
/// Throws InvalidProblem.
[[nodiscard]] bool parse_run(CLI::App& app, const OptionList& list, const std::vector<std::string>& arguments,
                             RunOptions& options);

/// The text before and after the list of options in `clconv run --help`.
[[nodiscard]] const char* run_about();
[[nodiscard]] const char* run_examples();

}  // namespace clconv
