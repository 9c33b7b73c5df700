// SPDX-License-Identifier: Apache-2.0
// Files of a cache folder, each with something that has a key, under a name that follows from the key.
#pragma once

#include "base/cache_folder.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace clconv {

/// What `parse` finds in the files whose names begin with `prefix`. A file under the name of another key was put there
/// by hand. Its own key decides, so it would be found twice, and is left out.
template <class Parse, class FileName>
[[nodiscard]] auto kept_in(const CacheFolder& folder, std::string_view prefix, const Parse& parse,
                           const FileName& file_name)
{
    std::vector<typename decltype(parse(std::string()))::value_type> all;
    for (const std::string& name : folder.names()) {
        if (!name.starts_with(prefix)) continue;
        const auto text = folder.read(name);
        if (!text) continue;
        auto kept = parse(*text);
        if (kept && file_name(kept->key) == name) all.push_back(*std::move(kept));
    }
    return all;
}

}  // namespace clconv
