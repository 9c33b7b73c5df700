// SPDX-License-Identifier: Apache-2.0
#include "cli/standard_output.h"

#include "base/errors.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace clconv {

void print(std::string_view text)
{
    if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return;
    throw InputError(fmt::format("standard output: cannot be written: {}", std::strerror(errno)));
}

}  // namespace clconv
