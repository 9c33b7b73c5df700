// SPDX-License-Identifier: Apache-2.0
// clconv-compile: builds programs for the clconv that starts it (src/opencl/compilers.h). Needs no image library.
#include "opencl/compiler_service.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <string_view>

int main(int argc, char** argv)
{
    if (argc != 4 || std::string_view(argv[1]).starts_with('-')) {
        fmt::print(stderr, "usage: clconv-compile P:D PLATFORM DEVICE; clconv starts it to compile for a device\n");
        return 2;
    }
    try {
        clconv::serve_compilers({argv[1], argv[2], argv[3]}, STDIN_FILENO);
        return 0;
    } catch (const std::exception& error) {
        fmt::print(stderr, "clconv-compile: {}\n", error.what());
        return 2;
    }
}
