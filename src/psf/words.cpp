// SPDX-License-Identifier: Apache-2.0
#include "psf/words.h"

#include "base/edit_distance.h"
#include "base/errors.h"
#include "base/parse_number.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

namespace clconv {
namespace {

constexpr std::size_t kMaxWordsLength = 4096;
constexpr std::size_t kMaxTerms = 64;
constexpr double kMaxWeight = 1e6;

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

/// `text`, split at each position outside of quotes for which `splits(position)` is true.
template <class Splits>
std::vector<std::string_view> split(std::string_view text, const Splits& splits)
{
    std::vector<std::string_view> parts;
    bool quoted = false;
    std::size_t start = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '"') quoted = !quoted;
        if (quoted || !splits(at)) continue;
        parts.push_back(trimmed(text.substr(start, at - start)));
        start = at + 1;
    }
    parts.push_back(trimmed(text.substr(start)));
    return parts;
}

/// Splits at each plus that a kind follows. So the plus of 1e+3 does not split.
std::vector<std::string_view> split_terms(std::string_view text)
{
    return split(text, [&](std::size_t at) {
        if (text[at] != '+') return false;
        const std::string_view rest = trimmed(text.substr(at + 1));
        return rest.empty() || !(std::isdigit(static_cast<unsigned char>(rest.front())) != 0 || rest.front() == '.');
    });
}

[[noreturn]] void fail(std::string_view term, const std::string& why)
{
    throw InvalidProblem(fmt::format("{}: {}", term, why));
}

double number_in(std::string_view text, std::string_view term, std::string_view what)
{
    const std::optional<double> value = parse_number<double>(text.starts_with('+') ? text.substr(1) : text);
    if (!value || !std::isfinite(*value)) fail(term, fmt::format("{} '{}' is not a number", what, text));
    return *value + 0.0;  // no negative zero, which would be another spelling
}

std::string names_of(const PsfKind& kind)
{
    std::vector<std::string> names;
    for (const KindArgument& argument : kind.arguments) names.push_back(described(argument));
    for (const KindArgument& argument : common_arguments()) names.push_back(described(argument));
    return fmt::format("{}", fmt::join(names, ", "));
}

const PsfKind& kind_of(std::string_view name, std::string_view term)
{
    if (const PsfKind* kind = psf_kind_named(name)) return *kind;
    std::vector<std::string> names;
    for (const PsfKind& kind : psf_kinds()) names.emplace_back(kind.name);
    fail(term, fmt::format("'{}' is not a kind of PSF{}, and there is no such file; kinds are {}", name,
                           did_you_mean(name, names), fmt::join(names, ", ")));
}

const KindArgument& argument_of(const PsfKind& kind, std::string_view name, std::string_view term)
{
    if (const KindArgument* argument = kind.argument(name)) return *argument;
    std::vector<std::string> names;
    for (const KindArgument& argument : kind.arguments) names.emplace_back(argument.name);
    for (const KindArgument& argument : common_arguments()) names.emplace_back(argument.name);
    fail(term, fmt::format("{} has no argument '{}'{}; it takes {}", kind.name, name, did_you_mean(name, names),
                           names_of(kind)));
}

std::string unquoted(std::string_view text)
{
    std::string result(text);
    std::erase(result, '"');
    return result;
}

void set_number(PsfTerm& result, const KindArgument& argument, double value, std::string_view term)
{
    const bool whole = argument.type == ArgumentType::whole;
    if (value < argument.minimum || value > argument.maximum || (whole && value != std::floor(value)))
        fail(term, fmt::format("{}={:g} is out of range; {} to {}{} is allowed", argument.name, value,
                               fmt::format("{:g}", argument.minimum), fmt::format("{:g}", argument.maximum),
                               whole ? ", whole," : ""));
    if (argument.name == "size")
        result.size = static_cast<int>(value);
    else if (argument.name == "share")
        result.share = value;
    else
        result.arguments.set(argument.name, value);
}

/// One VALUE or NAME=VALUE. `taken`: the names so far.
void set_argument(PsfTerm& result, std::string_view word, bool is_first, std::set<std::string>& taken,
                  std::string_view term)
{
    const std::size_t equals = word.find('=');
    const bool named = equals != std::string_view::npos && word.find('"') > equals;
    if (!named && !is_first)
        fail(term, fmt::format("'{}' lacks its name; only the first argument may, as in {}:{}={}", word,
                               result.kind->name, result.kind->arguments.back().name, word));
    const KindArgument& argument =
        named ? argument_of(*result.kind, trimmed(word.substr(0, equals)), term) : result.kind->arguments.front();
    const std::string_view value = named ? trimmed(word.substr(equals + 1)) : word;
    if (!taken.emplace(argument.name).second) fail(term, fmt::format("{} is given twice", argument.name));
    std::string spelled;
    if (argument.type == ArgumentType::text) {
        spelled = unquoted(value);
        if (spelled.empty()) fail(term, fmt::format("{} is empty; give a file", argument.name));
        result.arguments.set(argument.name, spelled);
    } else {
        const double number = number_in(value, term, argument.name);
        set_number(result, argument, number, term);
        spelled = fmt::format("{}", number);
    }
    result.typed += result.typed.empty() ? "" : ",";
    result.typed += named ? fmt::format("{}={}", argument.name, spelled) : spelled;
}

PsfTerm parse_term(std::string_view term)
{
    const std::vector<std::string_view> factors = split(term, [&](std::size_t at) { return term[at] == '*'; });
    if (factors.size() > 2) fail(term, "has several weights; KIND:ARGUMENTS*WEIGHT takes one");
    const std::string_view body = factors[0];
    const std::size_t colon = body.find(':');
    const PsfKind& kind = kind_of(trimmed(body.substr(0, colon)), term);
    PsfTerm result{&kind, KindArguments(kind.arguments), 1, {}, {}, {}};
    if (factors.size() == 2) {
        result.weight = number_in(factors[1], term, "the weight");
        if (!(std::abs(result.weight) <= kMaxWeight) || result.weight == 0)
            fail(term, fmt::format("the weight {:g} is out of range; up to {:g} of either sign is allowed, but not 0",
                                   result.weight, kMaxWeight));
    }
    if (colon == std::string_view::npos) return result;
    const std::string_view list = trimmed(body.substr(colon + 1));
    if (list.empty()) return result;
    std::set<std::string> taken;
    bool is_first = true;
    for (const std::string_view word : split(list, [&](std::size_t at) { return list[at] == ','; })) {
        if (word.empty()) fail(term, "has an empty argument between its commas");
        set_argument(result, word, is_first, taken, term);
        is_first = false;
    }
    return result;
}

/// 16 hexadecimal digits that identify a text: FNV-1a.
std::string digits_of(std::string_view text)
{
    std::uint64_t hash = 14695981039346656037U;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
    return fmt::format("{:016x}", hash);
}

}  // namespace

std::string PsfWords::canonical() const
{
    std::string text;
    for (const PsfTerm& term : terms) {
        text += text.empty() ? "" : "+";
        text += term.kind->name;
        for (const KindArgument& argument : term.kind->arguments) {
            const bool known =
                term.arguments.is_given(argument.name) || argument.default_value || !argument.default_text.empty();
            if (!known) continue;
            text += argument.type == ArgumentType::text
                        ? fmt::format(",{}=\"{}\"", argument.name, term.arguments.text(argument.name))
                        : fmt::format(",{}={}", argument.name, term.arguments.number(argument.name));
        }
        if (term.size) text += fmt::format(",size={}", *term.size);
        if (term.share) text += fmt::format(",share={}", *term.share);
        text += fmt::format("*{}", term.weight);
    }
    return text;
}

std::string PsfWords::name() const
{
    constexpr std::size_t longest = 100;
    std::string plain;
    for (const PsfTerm& term : terms) {
        plain += plain.empty() ? "" : "_";
        plain += term.kind->name;
        plain += term.typed.empty() ? "" : "-" + term.typed;
        if (term.weight != 1) plain += fmt::format("x{}", term.weight);
    }
    std::string name;
    bool exact = plain.size() <= longest;
    for (const char c : plain.substr(0, longest)) {
        if (c == ',') name += '-';
        if (c == '=' || c == ',') continue;
        const bool safe = is_letter(c) || std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' ||
                          c == '+' || c == '_';
        exact = exact && safe;
        name += safe ? c : '_';
    }
    return exact ? name : name + "-" + digits_of(canonical());
}

std::vector<std::string> PsfWords::files() const
{
    std::vector<std::string> files;
    for (const PsfTerm& term : terms)
        for (const KindArgument& argument : term.kind->arguments) {
            if (argument.type != ArgumentType::text || !term.arguments.is_given(argument.name)) continue;
            const std::string value = term.arguments.text(argument.name);
            if (argument.name == "spectrum" && (value == "cie" || value == "mono")) continue;
            files.push_back(value);
        }
    return files;
}

bool is_psf_in_words(std::string_view text)
{
    const std::string_view first = trimmed(text).substr(0, trimmed(text).find_first_of(":*+ "));
    if (psf_kind_named(first) != nullptr) return true;
    if (first.empty() || !is_letter(first.front())) return false;
    const auto in_name = [](char c) {
        return is_letter(c) || std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
    };
    if (!std::ranges::all_of(first, in_name)) return false;
    return first.size() == text.size() ? std::ranges::all_of(first, is_letter) : text[first.size()] == ':';
}

PsfWords parse_psf_words(std::string_view text)
{
    if (text.size() > kMaxWordsLength)
        throw InvalidProblem(fmt::format("{}...: {} characters are too many for a PSF in words; at most {}",
                                         text.substr(0, 40), text.size(), kMaxWordsLength));
    if (std::ranges::count(text, '"') % 2 != 0) fail(text, "has a quotation mark without its partner");
    const std::vector<std::string_view> terms = split_terms(text);
    if (terms.size() > kMaxTerms) fail(text, fmt::format("has {} terms; at most {}", terms.size(), kMaxTerms));
    PsfWords words;
    for (const std::string_view term : terms) {
        if (term.empty()) fail(text, "has an empty term beside a plus");
        words.terms.push_back(parse_term(term));
    }
    return words;
}

}  // namespace clconv
