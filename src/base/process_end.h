// SPDX-License-Identifier: Apache-2.0
// The quick end of a process.
#pragma once

namespace clconv {

/// Writes buffered output and ends the process, without the destructors of global objects: those of OpenImageIO's 260
/// libraries take a twentieth of a run of one small image, and free what the system frees anyway. Functions of
/// std::at_quick_exit() are called. Not for processes that have opened a device: drivers remove their files at the end.
///
/// Builds with CLCONV_RUNS_DESTRUCTORS return `exit_code` instead: sanitizers and coverage report at an ordinary end.
int quick_end(int exit_code);

}  // namespace clconv
