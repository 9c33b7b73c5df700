// SPDX-License-Identifier: Apache-2.0
#include "codecs/parts_reader.h"

#include "base/errors.h"
#include "codecs/file_formats.h"
#include "codecs/file_parts.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace clconv {
namespace {

/// Calls a function, and adds the number of the part to the message of an error about the file.
template <class Function>
auto naming_part(const std::filesystem::path& path, int part, const Function& function)
{
    try {
        return function();
    } catch (const InputError& error) {
        const std::string_view text = error.what();
        const std::string file = path.string();
        if (!text.starts_with(file + ": ")) throw;
        throw InputError(file + ": part " + std::to_string(part) + std::string(text.substr(file.size())));
    }
}

}  // namespace

struct PartsReader::State {
    std::filesystem::path path;
    std::vector<int> numbers;
    Light light;
    DecodeRules rules;
    oiio::OpenFile file = {};
    bool is_tiff = false;
    int in_file = 1;
    std::vector<oiio::PartPlace> places = {};  ///< of `numbers`
    std::vector<Image> headers = {};

    /// Opens or goes to a part.
    [[nodiscard]] oiio::Decoder& input_at(std::size_t which, oiio::OpenFile& own)
    {
        const oiio::PartPlace& place = places[which];
        if (is_tiff) {
            own = oiio::open_file(path, light, rules, &place);
            return *own.input;
        }
        if (!file.input->seek(place.subimage, 0))
            throw InputError(path.string() + ": cannot be decoded: " +
                             oiio::reason(file.input->take_error(), "the file ends too early or is damaged"));
        return *file.input;
    }

    [[nodiscard]] Image header(std::size_t which)
    {
        oiio::OpenFile own;
        const oiio::Decoder& input = input_at(which, own);
        return is_tiff ? std::move(own.header) : oiio::header_of(path, input, light, rules);
    }

    void read_headers()
    {
        // Going to a frame of an animation decodes all frames before it, and all have the same kind.
        const bool is_animation = format_named(file.input->format()).decodes_onward;
        for (std::size_t i = 0; i < numbers.size(); ++i)
            headers.push_back(is_animation && i > 0 ? without_samples(headers.front())
                                                    : naming_part(path, numbers[i], [&] { return header(i); }));
    }

    /// Each pattern of --channels must match a channel of some part, but not of every part.
    void check_channels() const
    {
        std::vector<std::string> names;
        for (const Image& header : headers) {
            const oiio::FileHeader& spec = header.metadata->spec;
            for (int c = 0; c < spec.nchannels; ++c)
                if (std::string name = spec.channel_name(c); std::ranges::find(names, name) == names.end())
                    names.push_back(std::move(name));
        }
        check_patterns(path, rules.channels, names);
    }

    void find_places()
    {
        const oiio::FileParts parts = oiio::file_parts(path, *file.input);
        in_file = parts.count();
        for (const int number : numbers) places.push_back(oiio::place_of(path, parts, number));
    }
};

PartsReader::PartsReader(std::filesystem::path path, std::vector<int> parts, Light light, const DecodeRules& rules)
    : state_(new State{std::move(path), std::move(parts), light, rules})
{
    State& s = *state_;
    s.rules.part = 0;
    s.rules.channels.each_must_match = false;
    const oiio::PartPlace first;
    s.file = oiio::open_file(s.path, light, s.rules, &first);
    s.is_tiff = s.file.input->format() == "tiff";
    s.find_places();
    s.read_headers();
    if (rules.channels.each_must_match) s.check_channels();
}

PartsReader::~PartsReader() = default;

const std::vector<Image>& PartsReader::headers() const { return state_->headers; }

int PartsReader::parts_in_file() const { return state_->in_file; }

bool PartsReader::reads_in_any_order() const { return state_->is_tiff; }

Image PartsReader::read(std::size_t which, const AllocateSamples& allocate) const
{
    State& s = *state_;
    return naming_part(s.path, s.numbers[which], [&] {
        oiio::OpenFile own;
        oiio::Decoder& input = s.input_at(which, own);
        Image image = s.is_tiff ? std::move(own.header) : oiio::header_of(s.path, input, s.light, s.rules);
        oiio::read_part_samples(s.path, input, image, allocate, s.rules);
        return image;
    });
}

bool has_all_channels(const Image& image, const ChannelRule& rule)
{
    const oiio::FileHeader& spec = image.metadata->spec;
    return std::ranges::all_of(rule.patterns, [&](const ChannelPattern& pattern) {
        for (int c = 0; c < spec.nchannels; ++c)
            if (pattern.matches(spec.channel_name(c))) return true;
        return false;
    });
}

}  // namespace clconv
