// SPDX-License-Identifier: Apache-2.0
#include "cli/log_options.h"

#include "cli/command_line.h"
#include "report/terminal.h"

namespace clconv {

namespace {

/// The level of that name. An empty inner optional means "off".
std::optional<std::optional<Level>> level_named(const std::string& name)
{
    if (const std::optional<Level> level = value_named<Level>(name)) return level;
    if (name == "warn") return Level::warning;
    if (name == "off") return std::optional<Level>();
    return std::nullopt;
}

}  // namespace

void add_log_options(OptionList& list, LogChoice& choice)
{
    constexpr const char* group_name = "Messages (on standard error; colour follows NO_COLOR)";
    CLI::Option* verbose = list.add_flag(Effect::none, "-v,--verbose", choice.verbose,
                                         "log more: items, plans, ignored files; -vv also stage times")
                               ->force_callback(false)  // CLI11 2.4 counts it as given, and then it excludes --quiet
                               ->group(group_name);
    list.add_flag(Effect::none, "-q,--quiet", choice.quiet, "only errors; no progress bar, no summary")
        ->excludes(verbose)
        ->group(group_name);
    list.add_option(Effect::none, "--log-level", choice.level,
                    "trace, debug, info (the default), warning, error or off; overrides -v and -q")
        ->type_name("LEVEL")
        ->group(group_name);
    list.add_option(Effect::none, "--log-file", choice.file,
                    "also append messages, with times, to this file, at least at level debug")
        ->type_name("FILE")
        ->group(group_name);
}

LogOptions log_options(const LogChoice& given)
{
    LogOptions options;
    options.color = standard_error().color;
    if (given.quiet) options.level = Level::error;
    if (given.verbose == 1) options.level = Level::debug;
    if (given.verbose > 1) options.level = Level::trace;
    if (!given.level.empty())
        options.level =
            choice("--log-level", given.level, level_named(given.level), "trace, debug, info, warning, error or off");
    if (!given.file.empty()) options.file = given.file;
    return options;
}

}  // namespace clconv
