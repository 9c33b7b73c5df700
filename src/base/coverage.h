// SPDX-License-Identifier: Apache-2.0
// The counts of builds for coverage (bench/measure-coverage).
#pragma once

#if defined(CLCONV_COVERAGE)
extern "C" void __gcov_dump();  // of libgcov, whose header is not for C++
#endif

namespace clconv {

/// Before a process ends by _exit(), which keeps no counts: writes those of the program, or of the library, that calls
/// this.
inline void keep_counts()
{
#if defined(CLCONV_COVERAGE)
    __gcov_dump();
#endif
}

}  // namespace clconv
