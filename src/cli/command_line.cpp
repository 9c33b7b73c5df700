// SPDX-License-Identifier: Apache-2.0
#include "cli/command_line.h"

#include "base/edit_distance.h"
#include "base/errors.h"
#include "cli/standard_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <string_view>
#include <utility>

namespace clconv {

namespace {

thread_local std::function<void(const CLI::App&)> options_watch;

/// Of an option; see did_you_mean().
std::string suggestion(const CLI::App& app, const std::string& word)
{
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options())
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    return did_you_mean(word.substr(0, word.find('=')), names);
}

constexpr std::size_t kNameColumns = 30;
constexpr std::size_t kTextColumns = 80;

/// `text` with line breaks between words, so that no line is longer than kTextColumns. Keeps existing breaks.
std::string wrapped(const std::string& text)
{
    std::string result;
    std::size_t line_start = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
        if (result.size() + (end - at) > line_start + kTextColumns && result.size() > line_start) {
            result.back() = '\n';  // the blank before this word
            line_start = result.size();
        }
        result += text.substr(at, end + 1 - at);
        if (end < text.size() && text[end] == '\n') line_start = result.size();
        at = end + 1;
    }
    return result;
}

/// "--name TYPE" on the left; defaults, environment and requirements in words on the right.
class HelpFormatter final : public CLI::Formatter {
public:
    HelpFormatter() { column_width(kNameColumns); }

    std::string make_option_opts(const CLI::Option* option) const override
    {
        const std::string type = option->get_type_size() == 0 ? "" : option->get_type_name();
        const bool repeats = option->get_expected_max() > 1;
        return (type.empty() ? "" : " " + type) + (repeats ? "..." : "");
    }

    std::string make_option_desc(const CLI::Option* option) const override
    {
        std::string text = option->get_description();
        if (option->get_required()) text += " (required)";
        if (!option->get_default_str().empty()) text += fmt::format(" (default: {})", option->get_default_str());
        if (!option->get_envname().empty()) text += fmt::format(" (environment: {})", option->get_envname());
        return wrapped(text);
    }
};

/// CLI11 leaves two blank lines between groups.
std::string help_text(const CLI::App& app)
{
    std::string text = app.help();
    for (std::size_t at = text.find("\n\n\n"); at != std::string::npos; at = text.find("\n\n\n", at)) text.erase(at, 1);
    return text;
}

std::string unexpected(const CLI::App& app)
{
    std::vector<std::string> words;
    for (const std::string& word : app.remaining())
        if (word != "--") words.push_back(word.starts_with("-") ? word + suggestion(app, word) : word);
    return fmt::format("{}: no such option or argument", fmt::join(words, ", "));
}

bool has_unknown_option(const CLI::App& app)
{
    return std::ranges::any_of(app.remaining(),
                               [](const std::string& word) { return word != "--" && word.starts_with("-"); });
}

/// CLI11 says "--jobs: At Most 1 required but received 2" and "--jobs: 1 required N missing".
std::string mismatch(std::string_view said)
{
    constexpr std::string_view twice = ": At Most 1 required but received ", alone = ": 1 required ", end = " missing";
    if (const std::size_t at = said.find(twice); at != said.npos)
        return fmt::format("{}: is given {} times; give it once", said.substr(0, at), said.substr(at + twice.size()));
    if (const std::size_t at = said.find(alone); at != said.npos && said.ends_with(end)) {
        const std::string_view name = said.substr(0, at);
        said.remove_suffix(end.size());
        return fmt::format("{0}: has no value; write {0} {1}", name, said.substr(at + alone.size()));
    }
    return std::string(said);
}

/// Throws InvalidProblem for "--psf=", such as of a variable of the shell that is not set: CLI11 would take the next
/// word for the value, whatever it is.
void check_values(const std::vector<std::string>& arguments)
{
    for (const std::string& word : arguments) {
        if (word == "--") return;
        if (word.starts_with("--") && word.find('=') == word.size() - 1)
            throw InvalidProblem(fmt::format("{}: has no value; write one behind the =", word));
    }
}

/// Throws InvalidProblem for `--shard ""`, which is a variable that is not set, too. Options that a variable of the
/// environment can set may be empty, as those may.
void check_not_empty(const CLI::App& app)
{
    for (const CLI::Option* option : app.get_options()) {
        const std::vector<std::string>& values = option->results();
        if (option->nonpositional() && option->get_envname().empty() &&
            std::find(values.begin(), values.end(), "") != values.end())
            throw InvalidProblem(fmt::format("{}: its value is empty", option->get_name()));
    }
}

}  // namespace

OptionsWatch::OptionsWatch(std::function<void(const CLI::App&)> watch) { options_watch = std::move(watch); }

OptionsWatch::~OptionsWatch() { options_watch = {}; }

bool parse(CLI::App& app, const std::vector<std::string>& arguments)
{
    app.formatter(std::make_shared<HelpFormatter>());
    app.get_help_ptr()->description("print this and exit");
    if (options_watch) {
        options_watch(app);
        return false;
    }
    check_values(arguments);
    try {
        app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));  // CLI11 wants the last word first
        check_not_empty(app);
        return true;
    } catch (const CLI::CallForHelp&) {
        print(help_text(app));
        return false;
    } catch (const CLI::ExtrasError&) {
        throw InvalidProblem(fmt::format("{}; see {} --help", unexpected(app), app.get_name()));
    } catch (const CLI::ArgumentMismatch& error) {
        throw InvalidProblem(fmt::format("{}; see {} --help", mismatch(error.what()), app.get_name()));
    } catch (const CLI::ParseError& error) {
        // A misspelled required option is also missing, but saying so would not help.
        if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::RequiredError) && has_unknown_option(app))
            throw InvalidProblem(fmt::format("{}; see {} --help", unexpected(app), app.get_name()));
        throw InvalidProblem(fmt::format("{}; see {} --help", error.what(), app.get_name()));
    }
}

std::vector<std::pair<std::string, std::string>> values_of(const CLI::App& app)
{
    std::vector<std::pair<std::string, std::string>> values;
    for (const CLI::Option* option : app.get_options()) {
        const std::string value =
            option->count() > 0 ? fmt::format("{}", fmt::join(option->results(), " ")) : option->get_default_str();
        if (!value.empty()) values.emplace_back(option->get_name(), value);
    }
    return values;
}

}  // namespace clconv
