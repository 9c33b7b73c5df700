// SPDX-License-Identifier: Apache-2.0
#include "opencl/kept_programs.h"

#include <fmt/format.h>

namespace clconv {

ProgramCache program_cache(const CacheFolder& caches, Messages& messages)
{
    const CacheFolder folder = caches.below("programs");
    if (const std::string unused = folder.distrust_in_words(); !unused.empty())
        messages.message(Level::warning, unused + ", or give --no-cache");
    return {folder,
            [&messages](const std::string& text) { messages.message(Level::debug, text); },
            {},
            slow_driver_messages(messages),
            warning_to(messages)};
}

std::function<void(const std::string&)> warning_to(Messages& messages)
{
    return [&messages](const std::string& text) { messages.message(Level::warning, text); };
}

SlowDriver slow_driver_messages(Messages& messages)
{
    return [&messages](const std::string& what, std::chrono::seconds so_far) {
        const auto times = so_far / kPatience;
        if (so_far % kPatience != std::chrono::seconds(0) || (times & (times - 1)) != 0) return;
        messages.message(Level::info, fmt::format("the driver has been compiling {} for {} s", what, so_far.count()));
    };
}

}  // namespace clconv
