// SPDX-License-Identifier: Apache-2.0
// The subcommands that read or write image files, and what such files mean to those of src/cli.
#pragma once

#include "cli/commands.h"

namespace clconv {

[[nodiscard]] ImageFiles with_image_files();

}  // namespace clconv
