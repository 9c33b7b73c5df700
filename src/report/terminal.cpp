// SPDX-License-Identifier: Apache-2.0
#include "report/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace clconv {

namespace {

std::string_view environment(const char* name)
{
    const char* value = std::getenv(name);
    return value ? value : "";
}

}  // namespace

Terminal standard_error()
{
    Terminal terminal;
    terminal.interactive = isatty(STDERR_FILENO) == 1 && environment("TERM") != "dumb";
    terminal.color = terminal.interactive && environment("NO_COLOR").empty();
    return terminal;
}

int terminal_columns()
{
    winsize size{};
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    return 80;
}

}  // namespace clconv
