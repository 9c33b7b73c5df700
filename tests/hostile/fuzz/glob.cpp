// SPDX-License-Identifier: Apache-2.0
// A glob pattern and a path, against a matcher that tries everything.
#include "files/glob.h"

#include "promise.h"

#include <vector>

using namespace clconv;

namespace {

/// For patterns without brackets: which prefixes of the pattern match which of the name.
template <class Sequence, class IsStar, class Matches>
bool matches_by_table(const Sequence& pattern, const Sequence& name, IsStar is_star, Matches matches)
{
    std::vector<char> row(name.size() + 1, 0);
    row[0] = 1;
    for (const auto& piece : pattern) {
        std::vector<char> next(name.size() + 1, 0);
        for (std::size_t n = 0; n <= name.size(); ++n) {
            if (is_star(piece))
                next[n] = row[n] || (n > 0 && next[n - 1]);
            else
                next[n] = n > 0 && row[n - 1] && matches(piece, name[n - 1]);
        }
        row = next;
    }
    return row.back();
}

bool name_by_table(std::string_view pattern, std::string_view name)
{
    return matches_by_table(
        pattern, name, [](char piece) { return piece == '*'; },
        [](char piece, char letter) { return piece == '?' || piece == letter; });
}

bool path_by_table(std::string_view pattern, std::string_view path)
{
    return matches_by_table(
        path_components(pattern), path_components(path), [](const std::string& piece) { return piece == "**"; },
        [](const std::string& piece, const std::string& name) { return name_by_table(piece, name); });
}

}  // namespace

/// The input is a pattern, a line end, and a path.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text = hostile::text_of(data, size);
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view pattern = text.substr(0, end);
    const std::string_view path = text.substr(std::min(end + 1, text.size()));
    const bool found = matches_path(pattern, path);
    if (pattern.find('[') == std::string_view::npos)
        hostile::promise(found == path_by_table(pattern, path), "the same as trying everything");
    if (!is_pattern(pattern))
        hostile::promise(found == (path_components(pattern) == path_components(path)),
                         "without wildcards, equal components");
    return 0;
}
