// SPDX-License-Identifier: Apache-2.0
#include "cli/completion.h"

#include "cli/command_line.h"
#include "cli/exit_codes.h"
#include "cli/standard_output.h"
#include "conv/border.h"
#include "conv/problem.h"
#include "psf/kinds.h"
#include "settings/offered_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>

namespace clconv {

enum class Shell { bash, zsh, fish };
template <>
inline constexpr auto kNames<Shell> =
    std::to_array<Named<Shell>>({{"bash", Shell::bash}, {"zsh", Shell::zsh}, {"fish", Shell::fish}});

namespace {

struct OptionWords {
    std::vector<std::string> names;   ///< "--output", "-o"
    std::vector<std::string> values;  ///< that are offered
    std::string help;                 ///< the beginning of its help
    bool has_value = false;
    bool is_file = false;  ///< the value names a file
};

struct CommandWords {
    std::string name, purpose;
    std::vector<OptionWords> options;
    std::vector<std::string> arguments;  ///< that are offered for words without an option; empty: files
};

std::vector<std::string> border_words()
{
    std::vector<std::string> words;
    for (const BorderMode& mode : kBorders)
        words.push_back(fmt::format("{}{}", mode.name, mode.needs_value ? ":" : ""));
    return words;
}

std::vector<std::string> psf_words()
{
    std::vector<std::string> words;
    for (const PsfKind& kind : psf_kinds()) words.push_back(fmt::format("{}:", kind.name));
    return words;
}

template <HasNames Value>
std::vector<std::string> words_of()
{
    std::vector<std::string> words;
    for (const Named<Value>& known : kNames<Value>) words.emplace_back(known.name);
    return words;
}

/// Values that are no plain enumeration.
struct Special {
    std::string_view option;
    std::vector<std::string> (*words)();
};
constexpr Special kSpecial[] = {
    {"--border", border_words},
    {"--psf", psf_words},
    {"--device",
     [] {
         return std::vector<std::string>{"gpu", "cpu", "all"};
     }},
    {"--mode", words_of<Mode>},
    {"--precision", words_of<Precision>},
};

std::vector<std::string> values_for(const CLI::Option& option)
{
    std::vector<std::string> words = offered_values(option);
    const auto* const special = std::ranges::find(kSpecial, option.get_name(), &Special::option);
    return words.empty() && special != std::end(kSpecial) ? special->words() : words;
}

/// The first part of a help text, without characters that are special to shells.
std::string beginning(std::string text)
{
    constexpr std::size_t maximum = 70;
    text = text.substr(0, text.find_first_of(";:\n("));
    if (text.size() > maximum) text = text.substr(0, text.rfind(' ', maximum)) + " ...";
    std::erase_if(text, [](char c) { return c == '\'' || c == '"' || c == '\\' || c == '[' || c == ']' || c == '`'; });
    return text.substr(0, text.find_last_not_of(" ,") + 1);
}

OptionWords words_of(const CLI::Option& option)
{
    OptionWords words;
    for (const std::string& name : option.get_lnames()) words.names.push_back("--" + name);
    for (const std::string& name : option.get_snames()) words.names.push_back("-" + name);
    words.has_value = option.get_expected_max() > 0;
    words.help = beginning(option.get_description());
    if (!words.has_value) return words;
    words.values = values_for(option);
    words.is_file = takes_file(option);
    return words;
}

std::vector<CommandWords> words_of(const std::vector<Command>& commands)
{
    std::vector<CommandWords> all;
    for (const Command& command : commands) {
        CommandWords words{std::string(command.name), std::string(command.purpose), {}, {}};
        const OptionsWatch watch([&words](const CLI::App& app) {
            for (const CLI::Option* option : app.get_options())
                if (option->nonpositional()) words.options.push_back(words_of(*option));
        });
        (void)command.run({});
        if (command.name == "completion") words.arguments = words_of<Shell>();
        if (command.name == "psf") words.arguments = psf_words();
        if (command.name == "help")
            for (const Command& other : commands) words.arguments.emplace_back(other.name);
        all.push_back(std::move(words));
    }
    return all;
}

std::vector<std::string> option_names(const CommandWords& command)
{
    std::vector<std::string> names;
    for (const OptionWords& option : command.options)
        names.insert(names.end(), option.names.begin(), option.names.end());
    return names;
}

std::vector<std::string> command_names(const std::vector<CommandWords>& commands)
{
    std::vector<std::string> names;
    for (const CommandWords& command : commands) names.push_back(command.name);
    return names;
}

/// Lines "run:--border|run:--mode) OFFER ;;" of a shell's `case` over "COMMAND:WORD BEFORE". `offer`: the shell's
/// command for words, and whether files are offered too.
template <class Offer>
std::string value_cases(const std::vector<CommandWords>& commands, const Offer& offer)
{
    std::string text;
    for (const CommandWords& command : commands)
        for (const OptionWords& option : command.options) {
            if (!option.has_value) continue;
            std::vector<std::string> patterns;
            for (const std::string& name : option.names) patterns.push_back(fmt::format("{}:{}", command.name, name));
            text += fmt::format("        {}) {} ;;\n", fmt::join(patterns, "|"), offer(option.values, option.is_file));
        }
    return text;
}

/// The same over the command alone, for words that belong to no option.
template <class Offer>
std::string word_cases(const std::vector<CommandWords>& commands, const Offer& offer)
{
    std::string text;
    for (const CommandWords& command : commands)
        text += fmt::format("        {}) {} ;;\n", command.name, offer(command));
    return text;
}

constexpr const char* kBash =
    R"bash(# bash completion of clconv: source it, or install it as bash-completion/completions/clconv.
_clconv_offer() {{
    # Bash takes a colon for the end of a word, so what is before it is not part of the answer.
    COMPREPLY=($(compgen -W "$1" -- "$cur"))
    if [[ ${{#COMPREPLY[@]}} == 1 && ${{COMPREPLY[0]}} == *: ]]; then compopt -o nospace 2>/dev/null; fi
}}
_clconv_files() {{
    compopt -o filenames 2>/dev/null
    COMPREPLY+=($(compgen -f -- "$cur"))
}}
_clconv() {{
    local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD - 1]}} command=${{COMP_WORDS[1]}}
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        _clconv_offer "{commands} --help --version"
        return
    fi
    case "$command:$prev" in
{values}        *)
            case "$command" in
{words}            esac
            ;;
    esac
}}
complete -F _clconv clconv
)bash";

std::string bash_script(const std::vector<CommandWords>& commands)
{
    const auto offer = [](const std::vector<std::string>& values, bool is_file) {
        return fmt::format("{}{}", values.empty() ? "" : fmt::format("_clconv_offer \"{}\"; ", fmt::join(values, " ")),
                           is_file ? "_clconv_files" : "return");
    };
    const auto words = [](const CommandWords& command) {
        return fmt::format(
            "if [[ $cur == -* ]]; then _clconv_offer \"{}\"; else {}; fi", fmt::join(option_names(command), " "),
            command.arguments.empty() ? "_clconv_files"
                                      : fmt::format("_clconv_offer \"{}\"", fmt::join(command.arguments, " ")));
    };
    return fmt::format(kBash, fmt::arg("commands", fmt::join(command_names(commands), " ")),
                       fmt::arg("values", value_cases(commands, offer)),
                       fmt::arg("words", word_cases(commands, words)));
}

constexpr const char* kZsh = R"zsh(#compdef clconv
# zsh completion of clconv: install it as _clconv in a folder of $fpath.
_clconv() {{
    local before=${{words[CURRENT-1]}} command=${{words[2]}}
    if ((CURRENT == 2)); then
        compadd -- {commands} --help --version
        return
    fi
    case "$command:$before" in
{values}        *)
            case "$command" in
{words}            esac
            ;;
    esac
}}
if [[ $funcstack[1] == _clconv ]]; then _clconv "$@"; elif (($+functions[compdef])); then compdef _clconv clconv; fi
)zsh";

std::string zsh_offer(const std::vector<std::string>& words)
{
    std::vector<std::string> open;  // more is typed behind these
    std::vector<std::string> whole;
    for (const std::string& word : words) (word.ends_with(':') ? open : whole).push_back(word);
    std::string text;
    if (!whole.empty()) text += fmt::format("compadd -- {}; ", fmt::join(whole, " "));
    if (!open.empty()) text += fmt::format("compadd -S '' -- {}; ", fmt::join(open, " "));
    return text;
}

std::string zsh_script(const std::vector<CommandWords>& commands)
{
    const auto offer = [](const std::vector<std::string>& values, bool is_file) {
        return fmt::format("{}{}", zsh_offer(values), is_file ? "_files" : "return");
    };
    const auto words = [](const CommandWords& command) {
        return fmt::format("if [[ $PREFIX == -* ]]; then compadd -- {}; else {}; fi",
                           fmt::join(option_names(command), " "),
                           command.arguments.empty() ? "_files" : zsh_offer(command.arguments) + "true");
    };
    return fmt::format(kZsh, fmt::arg("commands", fmt::join(command_names(commands), " ")),
                       fmt::arg("values", value_cases(commands, offer)),
                       fmt::arg("words", word_cases(commands, words)));
}

std::string fish_script(const std::vector<CommandWords>& commands)
{
    std::string text = "# fish completion of clconv: install it as fish/vendor_completions.d/clconv.fish.\n";
    for (const CommandWords& command : commands)
        text += fmt::format("complete -c clconv -n __fish_use_subcommand -f -a {} -d '{}'\n", command.name,
                            beginning(command.purpose));
    for (const CommandWords& command : commands) {
        const std::string chosen = fmt::format("complete -c clconv -n '__fish_seen_subcommand_from {}'", command.name);
        if (!command.arguments.empty())
            text += fmt::format("{} -f -a '{}'\n", chosen, fmt::join(command.arguments, " "));
        for (const OptionWords& option : command.options) {
            text += chosen;
            for (const std::string& name : option.names)
                text += name.starts_with("--") ? fmt::format(" -l {}", name.substr(2))
                                               : fmt::format(" -s {}", name.substr(1));
            if (option.has_value) text += option.is_file ? " -r" : " -x";
            if (!option.values.empty()) text += fmt::format(" -a '{}'", fmt::join(option.values, " "));
            text += fmt::format(" -d '{}'\n", option.help);
        }
    }
    return text;
}

}  // namespace

int completion_command(const std::vector<Command>& commands, const std::vector<std::string>& arguments)
{
    CLI::App app("Print a script with which a shell completes commands, options and their values.",
                 "clconv completion");
    app.footer(
        "Examples:\n"
        "  source <(clconv completion bash)\n"
        "  clconv completion zsh > ~/.zfunc/_clconv                             a folder of $fpath\n"
        "  clconv completion fish > ~/.config/fish/completions/clconv.fish");
    std::string name;
    app.add_option("SHELL", name, "bash, zsh or fish")->type_name("")->required();
    if (!parse(app, arguments)) return all_done;
    const std::vector<CommandWords> words = words_of(commands);
    switch (choice<Shell>("SHELL", name)) {
        case Shell::bash: print(bash_script(words)); break;
        case Shell::zsh: print(zsh_script(words)); break;
        case Shell::fish: print(fish_script(words)); break;
    }
    return all_done;
}

}  // namespace clconv
