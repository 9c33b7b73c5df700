// SPDX-License-Identifier: Apache-2.0
// --no-cache, and the folder of files that one run keeps for the next.
#pragma once

#include "base/cache_folder.h"

#include "settings/option_list.h"

namespace clconv {

/// `no_cache` receives the flag.
void add_cache_option(OptionList& list, bool& no_cache);

/// The user's cache folder, or none.
[[nodiscard]] CacheFolder cache_folder(bool no_cache);

}  // namespace clconv
