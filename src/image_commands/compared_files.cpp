// SPDX-License-Identifier: Apache-2.0
#include "image_commands/compared_files.h"

#include "base/errors.h"
#include "base/message.h"
#include "base/special_file.h"
#include "batch/isolated_reading.h"
#include "codecs/decoding.h"
#include "codecs/image_file.h"
#include "codecs/parts_reader.h"
#include "files/listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <string_view>

namespace clconv {
namespace {

/// Relative name -> path.
using NamedFiles = std::map<std::string, std::filesystem::path>;

NamedFiles images_below(const std::string& folder, Messages& messages)
{
    InputRequest request;
    request.inputs = {folder};
    request.recursive = true;
    request.whole = true;  // images that nobody sees would count as equal
    NamedFiles files;
    for (const InputFile& file : list_inputs(request, readable_extensions(), messages))
        files.emplace((file.folder / file.path.filename()).string(), file.path);
    return files;
}

std::vector<std::string> names_without(const NamedFiles& files, const NamedFiles& others)
{
    std::vector<std::string> names;
    for (const auto& [name, path] : files)
        if (!others.contains(name)) names.push_back(name);
    return names;
}

std::vector<Image> read_stored_parts(const std::filesystem::path& path)
{
    DecodeRules rules;
    // Channels that no pattern matches are read as they are in the file.
    rules.channels = {
        .kind = ChannelRule::Kind::listed, .patterns = {ChannelPattern("/(?!)/")}, .each_must_match = false};
    std::vector<int> numbers(static_cast<std::size_t>(count_parts(path, rules)));
    std::iota(numbers.begin(), numbers.end(), 0);
    const PartsReader reader(path, numbers, Light::stored, rules);
    std::vector<Image> parts;
    for (std::size_t i = 0; i < numbers.size(); ++i) parts.push_back(reader.read(i));
    return parts;
}

FramePlace place_of(const Image& image)
{
    const Extent own = image.split->extent;
    if (!image.metadata || image.metadata->spec.full_width == 0) return {{}, own};
    const oiio::FileHeader& header = image.metadata->spec;
    return {{header.x - header.full_x, header.y - header.full_y}, {header.full_width, header.full_height}};
}

}  // namespace

PairedFiles paired_files(const std::string& a, const std::string& b, Messages& messages)
{
    const bool is_folder_a = is_folder(a);
    const bool is_folder_b = is_folder(b);
    if (is_folder_a != is_folder_b)
        throw InvalidProblem(fmt::format("{} is a folder and {} is not; give two files or two folders",
                                         is_folder_a ? a : b, is_folder_a ? b : a));
    if (!is_folder_a) return {false, {{a, a, b}}, {}, {}};
    const NamedFiles files_a = images_below(a, messages);
    const NamedFiles files_b = images_below(b, messages);
    PairedFiles paired{true, {}, names_without(files_a, files_b), names_without(files_b, files_a)};
    for (const auto& [name, path] : files_a)
        if (const auto other = files_b.find(name); other != files_b.end())
            paired.pairs.push_back({name, path, other->second});
    return paired;
}

StoredSamples StoredImage::samples() const
{
    return {image.split->extent, image.split->names, image.split->types, image.kept->data(), place};
}

std::vector<StoredImage> stored_parts(const std::filesystem::path& path)
{
    const std::string bytes = isolated(path, [&] {
        MessageWriter writer;
        const std::vector<Image> parts = read_stored_parts(path);
        writer.put(parts.size());
        for (const Image& part : parts) {
            writer.put<ImageHeader>(part);
            writer.put(place_of(part));
            writer.put(std::string_view(reinterpret_cast<const char*>(part.kept->data()), part.kept->size()));
        }
        return writer.bytes();
    });
    MessageReader reader(bytes);
    std::vector<StoredImage> parts(reader.take<std::size_t>());
    for (StoredImage& part : parts) {
        part.image = without_samples(reader.take<ImageHeader>());
        part.place = reader.take<FramePlace>();
        const std::string samples = reader.take_text();
        const auto kept = std::make_shared<Bytes>(samples.size());
        std::memcpy(kept->data(), samples.data(), samples.size());
        part.image.kept = kept;
    }
    return parts;
}

}  // namespace clconv
