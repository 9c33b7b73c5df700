// SPDX-License-Identifier: Apache-2.0
#include "settings/cache_option.h"

namespace clconv {

void add_cache_option(OptionList& list, bool& no_cache)
{
    list.add_flag(Effect::none, "--no-cache", no_cache,
                  "do not use files that earlier runs kept below $CLCONV_CACHE_DIR, $XDG_CACHE_HOME/clconv or "
                  "~/.cache/clconv, and keep none there")
        ->group("How it is computed (the result stays the same)");
}

CacheFolder cache_folder(bool no_cache) { return no_cache ? CacheFolder() : CacheFolder::of_user(); }

}  // namespace clconv
