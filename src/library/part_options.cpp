// SPDX-License-Identifier: Apache-2.0
#include "library/part_options.h"

#include "base/c_locale.h"
#include "base/edit_distance.h"
#include "base/errors.h"
#include "library/errors.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <string>

namespace clconv {
namespace {

constexpr const char* kGroup = "Options";  // CLI11 hides the names of options without a group

/// The options of a device among those of a problem.
bool is_of_device(const std::string& name)
{
    return name == "--device" || name == "--device-memory" || name == "--no-cache";
}

/// Those that say how a file is read.
bool is_of_files(const std::string& name)
{
    return name == "--psf-part" || name == "--psf-linear" || name == "--psf-orientation";
}

bool is_of_psf(const std::string& name)
{
    CLI::App app;
    OptionList list(app);
    ProblemOptions unused;
    add_psf_options(list, unused, kGroup);
    return app.get_option_no_throw(name) != nullptr;
}

std::vector<std::string> names_in(CLI::App& app)
{
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options()) names.push_back(option->get_name());
    return names;
}

template <class Condition>
void keep_if(OptionList& list, CLI::App& app, const Condition& condition)
{
    for (const std::string& name : names_in(app))
        if (!condition(name)) list.remove_option(name);
}

bool is_flag(const CLI::Option& option) { return option.get_type_size() == 0; }

/// Throws InvalidProblem if there is no such option.
const CLI::Option& option_named(CLI::App& app, const std::string& name)
{
    if (const CLI::Option* option = app.get_option_no_throw("--" + name)) return *option;
    std::vector<std::string> names;
    for (const std::string& known : names_in(app)) names.push_back(known.substr(2));
    throw InvalidProblem(fmt::format("{}: no such option here{}; there are {}", name, did_you_mean(name, names),
                                     fmt::join(names, ", ")));
}

}  // namespace

PartOptions::PartOptions(v0::Part part)
{
    app_.set_help_flag();
    switch (part) {
        case v0::Part::device:
            add_problem_options(list_, problem_);
            keep_if(list_, app_, is_of_device);
            break;
        case v0::Part::psf:
            add_psf_options(list_, problem_, kGroup);
            keep_if(list_, app_, [](const std::string& name) { return !is_of_files(name); });
            break;
        case v0::Part::convolve:
            add_operation();
            add_mix();
            break;
        case v0::Part::deconvolve: add_deconvolution(); break;
        case v0::Part::bloom: add_bloom(); break;
    }
}

void PartOptions::add_operation()
{
    add_problem_options(list_, problem_);
    keep_if(list_, app_,
            [](const std::string& name) { return !is_of_device(name) && !is_of_files(name) && !is_of_psf(name); });
    add_nonfinite_option(list_, nonfinite_, kGroup);
}

void PartOptions::add_mix()
{
    add_blend_options(list_, blend_);
    list_.remove_option("--mask");
}

void PartOptions::add_linear_or_stored()
{
    problem_.linear = true;
    list_.remove_option("--linear");
    list_
        .add_flag(
            Effect::pixels, "--linear,!--stored", problem_.linear,
            "work in linear light, which is the default: u8 and u16 are sRGB codes; stored: on samples as they are")
        ->group(kGroup);
}

void PartOptions::add_deconvolution()
{
    add_operation();
    for (const char* name : {"--border", "--mode", "--method", "--nonfinite"}) list_.remove_option(name);
    add_deconvolve_options(list_, deconvolution_);
    add_nonfinite_option_without_gaps(list_, nonfinite_, kGroup);
    add_mix();
    add_linear_or_stored();
}

void PartOptions::add_bloom()
{
    problem_.border = "mirror";
    add_operation();
    for (const char* name : {"--mode", "--nonfinite"}) list_.remove_option(name);
    add_bloom_options(list_, bloom_);
    add_nonfinite_option_without_gaps(list_, nonfinite_, kGroup);
    add_linear_or_stored();
}

void PartOptions::read(const v0::Options& options)
{
    std::vector<std::string> words;
    for (const auto& [name, value] : options.values()) {
        const CLI::Option& option = option_named(app_, name);
        const std::string start = "--" + name + "=";
        // Of several values the last one counts, except for lists.
        if (option.get_expected_max() <= 1)
            std::erase_if(words, [&](const std::string& word) { return word.starts_with(start); });
        words.push_back(start + value);
    }
    std::ranges::reverse(words);  // CLI11 wants the last word first
    const CLocale with_decimal_points;
    try {
        app_.parse(words);
    } catch (const CLI::ParseError& error) {
        throw InvalidProblem(error.what());
    }
}

std::vector<v0::OptionInfo> PartOptions::list() const
{
    std::vector<v0::OptionInfo> infos;
    for (const CLI::Option* option : app_.get_options())
        infos.push_back({option->get_name().substr(2), is_flag(*option) ? "" : option->get_type_name(),
                         option->get_default_str(), option->get_description()});
    return infos;
}

}  // namespace clconv

namespace clconv::v0 {

OptionValue::OptionValue(const char* text) : text_(text) {}
OptionValue::OptionValue(const std::string& text) : text_(text) {}
OptionValue::OptionValue(double number) : text_(fmt::format("{}", number)) {}
OptionValue::OptionValue(int number) : text_(fmt::format("{}", number)) {}
OptionValue::OptionValue(bool is_set) : text_(is_set ? "true" : "false") {}

Options::Options(std::initializer_list<std::pair<const char*, OptionValue>> options)
{
    for (const auto& [name, value] : options) set(name, value);
}

Options& Options::set(std::string_view name, const OptionValue& value)
{
    std::string spelled(name);
    std::ranges::replace(spelled, '_', '-');
    values_.emplace_back(std::move(spelled), value.text());
    return *this;
}

std::vector<OptionInfo> options(Part part)
{
    return translated([&] { return PartOptions(part).list(); });
}

}  // namespace clconv::v0
