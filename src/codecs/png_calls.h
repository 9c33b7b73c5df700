// SPDX-License-Identifier: Apache-2.0
// Calls of libpng that may fail. Private to src/codecs and src/encoders.
#pragma once

#include <png.h>

#include <csetjmp>

namespace clconv::png {

/// Calls functions of libpng. False if libpng found an error: it then jumps to here, so that `act`, and what libpng
/// calls back, must own nothing at that time.
template <class Act>
bool completes(png_structp png, const Act& act)
{
    if (setjmp(png_jmpbuf(png)) != 0) return false;
    act();
    return true;
}

}  // namespace clconv::png
