#include "cli/cache_option.h"

#include <fmt/format.h>

namespace clconv {

void add_cache_option(OptionList& list, bool& no_cache)
{
    list.add_flag(Effect::none, "--no-cache", no_cache,
                  "do not use files that earlier runs kept below $CLCONV_CACHE_DIR, $XDG_CACHE_HOME/clconv or "
                  "~/.cache/clconv, and keep none there")
        ->group("How it is computed (the result stays the same)");
}

CacheFolder cache_folder(bool no_cache) { return no_cache ? CacheFolder() : CacheFolder::of_user(); }

ProgramCache program_cache(bool no_cache, Sink& sink)
{
    const CacheFolder folder = cache_folder(no_cache).below("programs");
    if (const std::string why = folder.distrust(); !why.empty())
        sink.message(Level::warning, fmt::format("the cache {} is not used: {}; or set CLCONV_CACHE_DIR to a folder of "
                                                 "your own, or give --no-cache",
                                                 folder.path().string(), why));
    return {folder, [&sink](const std::string& text) { sink.message(Level::debug, text); }, {}, told_when_slow(sink)};
}

SlowDriver told_when_slow(Sink& sink)
{
    return [&sink](const std::string& what, std::chrono::seconds so_far) {
        const auto times = so_far / kPatience;
        if (so_far % kPatience != std::chrono::seconds(0) || (times & (times - 1)) != 0) return;
        sink.message(Level::info, fmt::format("the driver has been compiling {} for {} s", what, so_far.count()));
    };
}

}  // namespace clconv
