// SPDX-License-Identifier: Apache-2.0
// A template of --name, filled with a file's stem and a PSF's name: the input's lines.
#include "files/name_template.h"

#include "base/errors.h"
#include "promise.h"

using namespace clconv;

namespace {

std::string next_line(std::string_view& rest)
{
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    return std::string(line);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    std::string_view rest = hostile::text_of(data, size);
    const std::string text = next_line(rest);
    NameTemplate::Values values;
    values.stem = next_line(rest);
    values.ext = next_line(rest);
    values.psf = next_line(rest);
    values.index = size;
    values.part = static_cast<int>(size / 2);
    try {
        const NameTemplate name(text);
        const std::string filled = name.filled(values).string();
        // Independent of how the template is taken apart: every field replaced from the left.
        std::string expected;
        for (std::string_view left = text; !left.empty();) {
            const auto take = [&](std::string_view field, const std::string& value) {
                if (!left.starts_with(field)) return false;
                expected += value;
                left.remove_prefix(field.size());
                return true;
            };
            if (take("{stem}", values.stem) || take("{ext}", values.ext) || take("{psf}", values.psf) ||
                take("{index}", std::to_string(size)) || take("{part}", std::to_string(values.part)))
                continue;
            expected += left.front();
            left.remove_prefix(1);
        }
        hostile::promise(filled == expected, "fields are replaced, and nothing else");
        hostile::promise(text.find_first_of("{}") == std::string::npos || name.has("stem") || name.has("ext") ||
                             name.has("psf") || name.has("index") || name.has("part"),
                         "braces stand around fields");
    } catch (const InvalidProblem&) {
    }
    return 0;
}
