// SPDX-License-Identifier: Apache-2.0
// The options of a command, each with its effect on the pixels of a run.
//
// An option whose values are words is an enumeration with names (base/names.h), read by add_choice() when the command
// line is parsed. Code behind it compares enumerators, so that a misspelled word does not compile.
#pragma once

#include "base/choice.h"
#include "settings/offered_values.h"

#include <CLI/App.hpp>

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace clconv {

/// Whether two runs that differ in an option may make different pixels from one input and one PSF. Options that choose
/// or name files have no effect, because the list of items covers them. Options about devices, time and messages have
/// none either.
///
/// After a change of an option with effect, --resume makes everything again. Shards that differ in one are not merged.
/// Headers that say how an image was made name them.
enum class Effect { none, pixels };

/// Names of options: "--border".
using OptionNames = std::set<std::string, std::less<>>;

/// Adds options to those of a command.
class OptionList {
public:
    explicit OptionList(CLI::App& app) : app_(app) {}

    template <class Value>
    CLI::Option* add_option(Effect effect, const std::string& names, Value& value, const std::string& help)
    {
        return noted(app_.add_option(names, value, help), effect);
    }
    template <class Value>
    CLI::Option* add_flag(Effect effect, const std::string& names, Value& value, const std::string& help)
    {
        return noted(app_.add_flag(names, value, help), effect);
    }
    /// An option whose values are the names of an enumeration. Throws InvalidProblem while parsing.
    template <HasNames Value>
    CLI::Option* add_choice(Effect effect, const std::string& name, Value& value, const std::string& help)
    {
        const auto read = [&value, name](const std::string& text) { value = choice<Value>(name, text); };
        std::vector<std::string_view> words;
        for (const Named<Value>& known : kNames<Value>) words.push_back(known.name);
        return offer(add_parsed(effect, name, read, help, name_of(value)), words);
    }
    /// An option that `read` parses. `read` throws InvalidProblem.
    CLI::Option* add_parsed(Effect effect, const std::string& name, const std::function<void(const std::string&)>& read,
                            const std::string& help, std::string_view default_text)
    {
        CLI::Option* option = app_.add_option_function<std::string>(name, read, help);
        option->default_str(std::string(default_text));
        return noted(option, effect);
    }
    void remove_option(const std::string& name) { app_.remove_option(app_.get_option(name)); }

    /// The options of Effect::none.
    [[nodiscard]] const OptionNames& without_effect() const { return without_effect_; }

private:
    CLI::Option* noted(CLI::Option* option, Effect effect)
    {
        if (effect == Effect::none) without_effect_.insert(option->get_name());
        return option;
    }

    CLI::App& app_;
    OptionNames without_effect_;
};

}  // namespace clconv
