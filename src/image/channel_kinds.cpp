// SPDX-License-Identifier: Apache-2.0
#include "image/channel_kinds.h"

#include "base/lower_case.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <map>
#include <regex>
#include <string_view>

namespace clconv {
namespace {

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> list)
{
    return std::ranges::find(list, text) != list.end();
}

/// The words of a name, in lower case. A word ends at a character that is not a letter, before a capital after a small
/// letter ("objectId"), and before the last of several capitals in front of a small letter ("IDMask").
std::vector<std::string> words_of(std::string_view name)
{
    const auto is = [&](int (*kind)(int), std::size_t i) {
        return i < name.size() && kind(static_cast<unsigned char>(name[i])) != 0;
    };
    std::vector<std::string> words(1);
    for (std::size_t i = 0; i < name.size(); ++i) {
        const bool begins = is(std::isupper, i) && i > 0 &&
                            (is(std::islower, i - 1) || (is(std::isupper, i - 1) && is(std::islower, i + 1)));
        if ((begins || !is(std::isalpha, i)) && !words.back().empty()) words.emplace_back();
        if (is(std::isalpha, i)) words.back() += name[i];
    }
    for (std::string& word : words) word = lower_case(word);
    return words;
}

/// A part of a channel's name between dots.
struct NamePart {
    std::string name;  ///< in lower case, without surrounding characters other than letters and digits
    std::vector<std::string> words;

    explicit NamePart(std::string_view text) : name(lower_case(text)), words(words_of(text))
    {
        while (name.starts_with('_')) name.erase(0, 1);
    }
    [[nodiscard]] bool is(std::initializer_list<std::string_view> list) const { return is_one_of(name, list); }
    [[nodiscard]] bool has(std::initializer_list<std::string_view> list) const
    {
        return std::ranges::any_of(words, [&](const std::string& word) { return is_one_of(word, list); });
    }
    [[nodiscard]] bool has_both(std::string_view first, std::initializer_list<std::string_view> list) const
    {
        return has({first}) && has(list);
    }
};

bool says_cryptomatte(const NamePart& part)
{
    return std::ranges::any_of(part.words, [](const std::string& word) {
        return word.starts_with("crypto") || word.ends_with("cryptomatte");
    });
}

/// Whether it is an id in one word: "objid", "materialid".
bool says_id(const NamePart& part)
{
    static const std::regex kCounted(
        "(obj|object|mat|mtl|material|inst|instance|prim|primitive|face|elem|element|asset|node|group|shape|mesh|"
        "particle|surface|entity|sample|poly|polygon|geo|geom|geometry|render|part|piece|light|layer|u|gu)ids?");
    const bool counted =
        std::ranges::any_of(part.words, [](const std::string& word) { return std::regex_match(word, kCounted); });
    return counted || part.has({"id", "ids"}) || part.is({"indexob", "indexma"}) ||
           part.has_both("index", {"object", "material", "ob", "ma", "pass"});
}

bool says_depth(const NamePart& part)
{
    return part.is({"z", "zback", "zbuf", "zfront"}) ||
           (part.has({"depth", "zdepth", "zbuffer"}) && !part.has({"field"}));
}

bool says_normal(const NamePart& part)
{
    return part.is({"n", "ng", "ns", "nn", "nx", "ny", "nz", "nworld", "nref", "wnref", "ncamera"}) ||
           part.has({"normal", "normals", "worldnormal", "worldnormals", "shadingnormal"});
}

bool says_position(const NamePart& part)
{
    return part.is({"p", "px", "py", "pz", "pworld", "pref", "wpref", "pcamera", "st"}) ||
           part.has({"position", "positions", "pos", "worldpos", "worldposition", "pointposition", "pointworld", "uv",
                     "uvs", "uvw", "texcoord", "texcoords"});
}

bool says_motion(const NamePart& part)
{
    if (part.has({"blur"})) return false;
    return part.is({"forward", "backward"}) || part.has_both("optical", {"flow"}) ||
           part.has({"motion", "motions", "motionvector", "motionvectors", "motionvec", "velocity", "velocities",
                     "vector", "vectors", "mvec", "mvecs", "mv", "opticalflow", "disparity"});
}

bool says_kept(const NamePart& part)
{
    return says_cryptomatte(part) || says_id(part) || says_depth(part) || says_normal(part) || says_position(part) ||
           says_motion(part);
}

/// A channel's name, split into its layer, which may be empty, and its own name.
struct SplitName {
    std::string layer;
    std::string channel;
};

SplitName split_name(const std::string& name)
{
    const std::size_t dot = name.rfind('.');
    if (dot == std::string::npos) return {"", name};
    return {name.substr(0, dot), name.substr(dot + 1)};
}

/// Whether a layer has channels of all these names, given in lower case.
bool layer_has(const ChannelNames& channels, const std::string& layer, std::initializer_list<std::string_view> wanted)
{
    return std::ranges::all_of(wanted, [&](std::string_view want) {
        return std::ranges::any_of(channels.names, [&](const std::string& name) {
            const SplitName split = split_name(name);
            return split.layer == layer && lower_case(split.channel) == want;
        });
    });
}

/// The last meaningful part of a layer's name, which is not the view of a stereo pair.
std::string leaf_of(const std::string& layer)
{
    SplitName split = split_name(layer);
    if (!split.layer.empty() && is_one_of(lower_case(split.channel), {"left", "right"}))
        split = split_name(split.layer);
    return split.channel;
}

/// Cryptomatte metadata name a layer. Its channels are in layers of that name plus two digits.
bool is_cryptomatte_layer(const std::string& layer, const std::vector<std::string>& cryptomattes)
{
    return std::ranges::any_of(cryptomattes, [&](const std::string& name) {
        return layer.starts_with(name) &&
               std::all_of(layer.begin() + static_cast<std::ptrdiff_t>(name.size()), layer.end(),
                           [](unsigned char c) { return std::isdigit(c) != 0; });
    });
}

/// Whether a name alone means depth, a normal, and so on. X, Y and Z together are coordinates whose meaning the layer
/// gives, or colours. U and V together are positions or motion, but not together with Y.
bool is_kept_by_own_name(const ChannelNames& channels, const SplitName& name)
{
    const std::string own = lower_case(name.channel);
    if (own == "z" && layer_has(channels, name.layer, {"x", "y"})) return false;
    if (is_one_of(own, {"u", "v"}))
        return layer_has(channels, name.layer, {"u", "v"}) && !layer_has(channels, name.layer, {"y"});
    return says_kept(NamePart(name.channel));
}

Colour colour_named(const std::string& channel)
{
    const std::string name = lower_case(channel);
    if (is_one_of(name, {"r", "red"})) return Colour::red;
    if (is_one_of(name, {"g", "green"})) return Colour::green;
    if (is_one_of(name, {"b", "blue"})) return Colour::blue;
    if (is_one_of(name, {"a", "alpha"})) return Colour::alpha;
    return Colour::none;
}

}  // namespace

bool is_copied_by_default(const ChannelNames& channels, std::size_t number)
{
    SplitName name = split_name(channels.names[number]);
    if (is_cryptomatte_layer(name.layer, channels.cryptomattes)) return true;
    if (is_kept_by_own_name(channels, name)) return true;
    if (name.layer.empty()) name.layer = channels.part;
    if (name.layer.empty()) return false;
    return says_cryptomatte(NamePart(name.layer)) || says_kept(NamePart(leaf_of(name.layer)));
}

std::vector<LayerChannel> layers_of(std::span<const std::string> names)
{
    std::map<std::string, std::vector<Colour>> layers;
    for (const std::string& name : names) {
        const SplitName split = split_name(name);
        layers[split.layer].push_back(colour_named(split.channel));
    }
    std::map<std::string, int> triples;
    for (const auto& [layer, found] : layers) {
        const auto has_one = [&colours = found](Colour colour) { return std::ranges::count(colours, colour) == 1; };
        if (has_one(Colour::red) && has_one(Colour::green) && has_one(Colour::blue))
            triples.emplace(layer, static_cast<int>(triples.size()));
    }
    std::vector<LayerChannel> result;
    for (const std::string& name : names) {
        const SplitName split = split_name(name);
        const auto triple = triples.find(split.layer);
        LayerChannel& channel = result.emplace_back();
        if (triple == triples.end()) continue;
        channel.colour = colour_named(split.channel);
        if (is_of_triple(channel.colour)) channel.triple = triple->second;
    }
    return result;
}

}  // namespace clconv
