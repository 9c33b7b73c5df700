// SPDX-License-Identifier: Apache-2.0
// Which errors fail one item of a batch, and their messages.
#pragma once

#include "files/item.h"

#include <exception>
#include <string>

namespace clconv {

/// The advice for a file that a library cannot decode.
inline constexpr const char* kBadFileAdvice =
    "the file is damaged, or uses what a library does not support: convert it with another program first";

/// The message of an error that fails one item. It names the item's input or output. Rethrows an error that ends the
/// run: BuildError and InternalError.
[[nodiscard]] std::string message_for_item(const std::exception_ptr& error, const Item& item);

/// Whether the error says that the output exists.
[[nodiscard]] bool is_output_exists(const std::exception_ptr& error);

}  // namespace clconv
