#include "cli/cache_option.h"

namespace clconv {

void add_cache_option(CLI::App& app, bool& no_cache)
{
    app.add_flag("--no-cache", no_cache,
                 "use nothing that earlier runs kept below $CLCONV_CACHE_DIR, $XDG_CACHE_HOME/clconv or "
                 "~/.cache/clconv, and keep nothing there")
        ->group("How it is computed (the result stays the same)");
}

CacheFolder cache_folder(bool no_cache) { return no_cache ? CacheFolder() : CacheFolder::of_user(); }

ProgramCache program_cache(bool no_cache, Sink& sink)
{
    return {cache_folder(no_cache).below("programs"),
            [&sink](const std::string& text) { sink.message(Level::debug, text); }};
}

}  // namespace clconv
