// SPDX-License-Identifier: Apache-2.0
#include "batch/same_files.h"

#include "base/errors.h"
#include "base/temporary_file.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <string>
#include <tuple>
#include <utility>

namespace clconv {
namespace {

/// Device, inode, part, PSF, extensions of input and output.
using Key = std::tuple<dev_t, ino_t, int, std::size_t, std::string, std::string>;

/// `text` with the names of `made` replaced by those of `same`, in one pass, because a name may contain another one.
std::string renamed(const std::string& text, const ItemInfo& made, const ItemInfo& same)
{
    const std::array names{std::pair(made.output.string(), same.output.string()),
                           std::pair(made.input.string(), same.input.string())};
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const auto name = std::ranges::find_if(names, [&](const auto& pair) {
            return !pair.first.empty() && text.compare(at, pair.first.size(), pair.first) == 0;
        });
        result += name == names.end() ? text.substr(at, 1) : name->second;
        at += name == names.end() ? 1 : name->first.size();
    }
    return result;
}

}  // namespace

SameFiles SameFiles::taken_from(std::vector<Item>& items)
{
    constexpr int whole_file = -1;
    SameFiles same;
    std::map<Key, std::size_t> computed;
    std::vector<Item> left;
    for (Item& item : items) {
        const ItemInfo& info = item.info;
        struct stat file = {};
        if (::stat(info.input.c_str(), &file) == 0) {
            const Key key{file.st_dev,
                          file.st_ino,
                          info.part.value_or(whole_file),
                          item.psf,
                          info.input.extension().string(),
                          info.output.extension().string()};
            const auto [first, is_new] = computed.try_emplace(key, info.index);
            if (!is_new) {
                same.others_[first->second].push_back(std::move(item));
                ++same.count_;
                continue;
            }
        }
        left.push_back(std::move(item));
    }
    items = std::move(left);
    return same;
}

const std::vector<Item>& SameFiles::of(const Item& item) const
{
    static const std::vector<Item> kNone;
    const auto found = others_.find(item.info.index);
    return found == others_.end() ? kNone : found->second;
}

ItemResult result_in_words_of(const Item& same, const ItemResult& result, const Item& made)
{
    ItemResult words = result;
    words.times.clear();
    words.spans.clear();
    words.error = renamed(words.error, made.info, same.info);
    for (Warning& warning : words.warnings) warning.message = renamed(warning.message, made.info, same.info);
    return words;
}

void copy_output(const std::filesystem::path& from, const std::filesystem::path& to, Existing existing)
{
    TemporaryFile copy(to);
    std::error_code failure;
    std::filesystem::copy_file(from, copy.path(), std::filesystem::copy_options::overwrite_existing, failure);
    if (failure)
        throw InputError(to.string() + ": cannot be copied from " + from.string() +
                         ", the output of the same file: " + failure.message());
    copy.commit(existing);
}

}  // namespace clconv
