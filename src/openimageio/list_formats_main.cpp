// SPDX-License-Identifier: Apache-2.0
// Writes the formats of OpenImageIO as a source file, which the build compiles: codecs/library_formats.h.
#include <OpenImageIO/imageio.h>
#include <OpenImageIO/strutil.h>
#include <fmt/os.h>

#include <algorithm>
#include <string>
#include <vector>

namespace {

std::vector<std::string> parts_of(const char* attribute, const char* separator)
{
    std::string list;
    OIIO::getattribute(attribute, list);
    return OIIO::Strutil::splits(list, separator);
}

}  // namespace

int main(int count, char** arguments)
{
    if (count != 2) return 2;
    const std::vector<std::string> read = parts_of("input_format_list", ",");
    const std::vector<std::string> written = parts_of("output_format_list", ",");
    const auto holds = [](const std::vector<std::string>& names, const std::string& name) {
        return std::ranges::find(names, name) != names.end();
    };
    fmt::ostream source = fmt::output_file(arguments[1]);
    source.print("#include \"codecs/library_formats.h\"\n\n");
    source.print("std::span<const clconv::oiio::LibraryFormat> clconv::oiio::library_formats()\n{{\n");
    source.print("    static constexpr LibraryFormat kFormats[] = {{\n");
    // "tiff:tif,tiff,tx;jpeg:jpg,jpe"
    for (const std::string& entry : parts_of("extension_list", ";")) {
        const std::size_t colon = entry.find(':');
        if (colon == std::string::npos) continue;
        const std::string name = entry.substr(0, colon);
        source.print("        {{\"{}\", \"{}\", {}, {}}},\n", name, entry.substr(colon + 1), holds(read, name),
                     holds(written, name));
    }
    source.print("    }};\n    return kFormats;\n}}\n");
}
