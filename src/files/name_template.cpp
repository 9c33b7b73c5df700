// SPDX-License-Identifier: Apache-2.0
#include "files/name_template.h"

#include "base/errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace clconv {

namespace fs = std::filesystem;

namespace {

constexpr std::array<std::string_view, 5> kFields = {"stem", "ext", "psf", "index", "part"};
constexpr std::string_view kWanted = "use the fields {stem}, {ext}, {psf}, {index} and {part}";

void check_stays_below(std::string_view text)
{
    const fs::path path(text);
    const bool climbs = std::ranges::find(path, fs::path("..")) != path.end();
    if (text.empty() || text.back() == '/' || path.is_absolute() || climbs)
        throw InvalidProblem(fmt::format(
            "--name {}: does not name a file below the output folder; {}, and no leading slash or ..", text, kWanted));
}

}  // namespace

NameTemplate::NameTemplate(std::string_view text)
{
    check_stays_below(text);
    for (std::string_view rest = text; !rest.empty();) {
        const std::size_t brace = std::min(rest.find_first_of("{}"), rest.size());
        if (brace > 0) pieces_.push_back({false, std::string(rest.substr(0, brace))});
        rest.remove_prefix(brace);
        if (rest.empty()) break;
        const std::size_t end = rest.find('}');
        if (rest[0] == '}' || end == std::string_view::npos)
            throw InvalidProblem(fmt::format("--name {}: a brace without its partner; {}", text, kWanted));
        const std::string_view field = rest.substr(1, end - 1);
        if (std::ranges::find(kFields, field) == kFields.end())
            throw InvalidProblem(fmt::format("--name {}: unknown field {{{}}}; {}", text, field, kWanted));
        pieces_.push_back({true, std::string(field)});
        rest.remove_prefix(end + 1);
    }
}

bool NameTemplate::has(std::string_view field) const
{
    return std::ranges::any_of(pieces_, [&](const Piece& piece) { return piece.is_field && piece.text == field; });
}

fs::path NameTemplate::filled(const Values& values) const
{
    std::string name;
    for (const Piece& piece : pieces_) {
        if (!piece.is_field) name += piece.text;
        if (piece.is_field && piece.text == "stem") name += values.stem;
        if (piece.is_field && piece.text == "ext") name += values.ext;
        if (piece.is_field && piece.text == "psf") name += values.psf;
        if (piece.is_field && piece.text == "index") name += std::to_string(values.index);
        if (piece.is_field && piece.text == "part") name += std::to_string(values.part);
    }
    return name;
}

}  // namespace clconv
