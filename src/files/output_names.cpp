// SPDX-License-Identifier: Apache-2.0
#include "files/output_names.h"

#include "base/errors.h"
#include "base/extension.h"
#include "files/name_template.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <optional>

namespace clconv {

namespace fs = std::filesystem;

namespace {

/// The extension of `--format`, with its dot; empty without the option.
std::string forced_extension(const std::string& format, const FileFormats& formats)
{
    if (format.empty()) return {};
    const fs::path name = name_with(format);
    if (!formats.writable.contains(extension_of(name)))
        throw InvalidProblem(
            fmt::format("--format {}: no image format that can be written has this extension; use one of {}", format,
                        fmt::join(formats.writable, ", ")));
    return name.extension().string();
}

void check_extension(const Item& item, const std::string& forced, const NameTemplate& name, const FileFormats& formats)
{
    const std::string extension = extension_of(item.info.output);
    if (formats.writable.contains(extension)) return;
    if (extension.empty() && item.info.output.filename().string().starts_with('.') && !name.has("stem"))
        throw InvalidProblem(
            fmt::format("{}: would have an extension and no name; begin --name with {{stem}} or a word",
                        item.info.output.string()));
    if (forced.empty() && name.has("ext")) return;  // the input's own
    throw InvalidProblem(
        fmt::format("{}: no image format that can be written has the extension \"{}\"; end --name with {{ext}} or with "
                    "an extension such as .exr",
                    item.info.output.string(), extension));
}

/// Checks a filled template: the name of an input or a PSF may lead elsewhere, even if the template does not.
void check_filled(const fs::path& filled, const fs::path& input, const std::string& psf)
{
    const bool climbs = std::ranges::find(filled, fs::path("..")) != filled.end();
    if (!filled.is_absolute() && filled.has_filename() && filled.filename() != "." && !climbs) return;
    throw InvalidProblem(
        fmt::format("{}: with the PSF called {} its output would be named \"{}\", which is not a file below the "
                    "output folder; choose another --name, or rename the input or the PSF",
                    input.string(), psf, filled.string()));
}

/// The only item, whose output is `file`.
std::vector<Item> item_into_file(const std::vector<InputFile>& inputs, const std::vector<std::string>& psf_names,
                                 const fs::path& file)
{
    if (inputs.size() != 1 || psf_names.size() != 1)
        throw InvalidProblem(
            fmt::format("--output {}: is a file's name; {} input{} with {} PSF{} need a folder: give a folder, or end "
                        "it with /",
                        file.string(), inputs.size(), inputs.size() == 1 ? "" : "s", psf_names.size(),
                        psf_names.size() == 1 ? "" : "s"));
    return {{{0, inputs.front().path, file.lexically_normal(), psf_names.front(), {}}, 0, false}};
}

struct Naming {
    NameTemplate name;
    std::string forced_extension;
};

Naming parsed_naming(const NamingOptions& options, const FileFormats& formats, std::size_t psfs)
{
    const char* default_value = psfs > 1 ? "{stem}_{psf}{ext}" : "{stem}{ext}";
    Naming naming{NameTemplate(options.name.empty() ? default_value : options.name),
                  forced_extension(options.format, formats)};
    if (!naming.forced_extension.empty() && !naming.name.has("ext"))
        throw InvalidProblem(
            fmt::format("--format {} has no effect on --name {}: put {{ext}} into the name or leave out --format",
                        options.format, options.name));
    return naming;
}

/// The stem of a name: "m31" of "m31.fit" and of "m31.fit.fz", which is the same packed by fpack.
std::string stem_of(const fs::path& input)
{
    const fs::path stem = input.stem();
    const std::string inner = extension_of(stem);
    const bool is_packed = extension_of(input) == "fz" && (inner == "fits" || inner == "fit" || inner == "fts");
    return (is_packed ? stem.stem() : stem).string();
}

}  // namespace

void check_naming(const NamingOptions& options, const FileFormats& formats)
{
    (void)parsed_naming(options, formats, 1);
}

std::set<std::string> extensions_without_output(const NamingOptions& options, const FileFormats& formats)
{
    const auto [name, forced] = parsed_naming(options, formats, 1);
    std::set<std::string> extensions;
    if (!options.file.empty()) return extensions;
    if (forced.empty() && name.has("ext"))
        std::ranges::set_difference(formats.readable, formats.writable, std::inserter(extensions, extensions.end()));
    return extensions;
}

std::vector<Item> planned_items(const std::vector<InputFile>& inputs, const std::vector<std::string>& psf_names,
                                const NamingOptions& options, const FileFormats& formats)
{
    const Naming naming = parsed_naming(options, formats, psf_names.size());
    if (!options.file.empty()) return item_into_file(inputs, psf_names, options.file);
    const std::string& forced = naming.forced_extension;
    std::vector<Item> items;
    items.reserve(inputs.size() * psf_names.size());
    // Adds an item for each PSF, of an input or of one part of it.
    const auto add = [&](const InputFile& input, std::optional<int> part) {
        const std::string stem = forced.empty() ? input.path.stem().string() : stem_of(input.path);
        const std::string ext = forced.empty() ? input.path.extension().string() : forced;
        for (std::size_t psf = 0; psf < psf_names.size(); ++psf) {
            const fs::path name = naming.name.filled({stem, ext, psf_names[psf], items.size(), part.value_or(0)});
            check_filled(name, input.path, psf_names[psf]);
            const fs::path output = (options.folder / input.folder / name).lexically_normal();
            items.push_back({{items.size(), input.path, output, psf_names[psf], part}, psf, false});
            check_extension(items.back(), forced, naming.name, formats);
        }
    };
    for (const InputFile& input : inputs) {
        if (!naming.name.has("part"))
            add(input, std::nullopt);
        else
            for (const int part : options.parts(input.path)) add(input, part);
    }
    return items;
}

}  // namespace clconv
