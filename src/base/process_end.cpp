// SPDX-License-Identifier: Apache-2.0
#include "base/process_end.h"

#include <cstdio>
#include <cstdlib>

namespace clconv {

int quick_end(int exit_code)
{
#ifndef CLCONV_RUNS_DESTRUCTORS
    std::fflush(nullptr);
    std::quick_exit(exit_code);
#endif
    return exit_code;
}

}  // namespace clconv
