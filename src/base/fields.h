// SPDX-License-Identifier: Apache-2.0
// A list of a structure's members, for code that treats all members alike: messages between processes, tests.
//
//     struct Size { int width = 0; int height = 0; };
//     CLCONV_FIELDS(Size, width, height)
//
// The list names the members in their order. It does not compile while a member is missing: the names are those of a
// structured binding.
#pragma once

#include <tuple>
#include <type_traits>

/// Defines fields_of(value): references to all members of a Type.
#define CLCONV_FIELDS(Type, ...)                                  \
    template <class Value>                                        \
    requires std::is_same_v<std::remove_const_t<Value>, Type>     \
    [[nodiscard]] constexpr auto fields_of(Value& whole) noexcept \
    {                                                             \
        auto& [__VA_ARGS__] = whole;                              \
        return std::tie(__VA_ARGS__);                             \
    }

namespace clconv {

/// Types of members that other processes do not get: they would have no meaning there, or are not needed.
template <class Value>
inline constexpr bool kStaysInProcess = false;

template <class Value>
concept HasFields = requires(Value& value)
{
    fields_of(value);
};

}  // namespace clconv
