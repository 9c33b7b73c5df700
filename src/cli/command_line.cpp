#include "cli/command_line.h"

#include "base/errors.h"
#include "cli/standard_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <numeric>

namespace clconv {

namespace {

/// Single-character insertions, deletions and replacements between two words (Levenshtein).
std::size_t edit_distance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

/// " (did you mean --border?)", or nothing if no option is near.
std::string suggestion(const CLI::App& app, const std::string& word)
{
    const std::string name = word.substr(0, word.find('='));
    const std::size_t near_enough = name.size() < 6 ? 1 : 3;
    std::string best;
    std::size_t least = near_enough + 1;
    for (const CLI::Option* option : app.get_options())
        for (const std::string& long_name : option->get_lnames())
            if (const std::size_t distance = edit_distance(name, "--" + long_name); distance < least) {
                least = distance;
                best = "--" + long_name;
            }
    return best.empty() ? "" : fmt::format(" (did you mean {}?)", best);
}

constexpr std::size_t kNameColumns = 30;
constexpr std::size_t kTextColumns = 80;

/// `text` with line breaks between words, so that no line is longer than kTextColumns; its own breaks are kept.
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

/// "--name TYPE" on the left; defaults, environment and needs in words on the right.
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
        words.push_back(word.starts_with("-") ? word + suggestion(app, word) : word);
    return fmt::format("{}: no such option or argument", fmt::join(words, ", "));
}

}  // namespace

bool parse(CLI::App& app, const std::vector<std::string>& arguments)
{
    app.formatter(std::make_shared<HelpFormatter>());
    app.get_help_ptr()->description("print this and exit");
    try {
        app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));  // CLI11 wants the last word first
        return true;
    } catch (const CLI::CallForHelp&) {
        print(help_text(app));
        return false;
    } catch (const CLI::ExtrasError&) {
        throw InvalidProblem(fmt::format("{}; see {} --help", unexpected(app), app.get_name()));
    } catch (const CLI::ParseError& error) {
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

void unknown_choice(std::string_view option, std::string_view text, std::string_view names)
{
    throw InvalidProblem(fmt::format("{} {}: no such choice; use {}", option, text, names));
}

}  // namespace clconv
