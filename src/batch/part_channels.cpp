// SPDX-License-Identifier: Apache-2.0
#include "batch/part_channels.h"

#include "base/errors.h"
#include "codecs/parts_reader.h"

#include <algorithm>

namespace clconv {
namespace {

/// Why the patterns do not fit the file; empty if they do.
std::string fault_of(const Item& item, const Image& image, const ImageWork& work)
{
    try {
        const PartsReader checked(item.info.input, existing_parts(work.parts, image.subimages), work.light,
                                  work.decode);
    } catch (const InputError& error) {
        return error.what();
    }
    return {};
}

}  // namespace

DecodeRules decode_rules_of(const Item& item, const ImageWork& work)
{
    DecodeRules rules = work.decode;
    rules.part = item.info.part.value_or(work.parts.of(1).front());
    rules.channels.each_must_match = !item.info.part;
    return rules;
}

std::vector<int> existing_parts(const PartChoice& choice, int count)
{
    std::vector<int> parts = choice.of(count);
    std::erase_if(parts, [count](int part) { return part >= count; });
    return parts;
}

void PartChannels::check(const Item& item, const Image& image, const ImageWork& work)
{
    if (!item.info.part || has_all_channels(image, work.decode.channels)) return;
    const std::lock_guard lock(mutex_);
    const auto [found, is_new] = found_.try_emplace(item.info.input);
    if (is_new) found->second = fault_of(item, image, work);
    if (!found->second.empty()) throw InputError(found->second);
}

}  // namespace clconv
