// SPDX-License-Identifier: Apache-2.0
// Messages to the user as values, and the interface for their receivers. Nothing here prints.
#pragma once

#include "base/names.h"

#include <string_view>

namespace clconv {

enum class Level { trace, debug, info, warning, error };
template <>
inline constexpr auto kNames<Level> = std::to_array<Named<Level>>({{"trace", Level::trace},
                                                                   {"debug", Level::debug},
                                                                   {"info", Level::info},
                                                                   {"warning", Level::warning},
                                                                   {"error", Level::error}});

/// Receives messages. Implementations do not throw.
class Messages {
public:
    Messages() = default;
    Messages(const Messages&) = delete;
    Messages& operator=(const Messages&) = delete;
    virtual ~Messages() = default;

    virtual void message(Level level, std::string_view text) = 0;
};

}  // namespace clconv
