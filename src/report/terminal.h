// SPDX-License-Identifier: Apache-2.0
// Facts about standard error that the log and the progress bar need.
#pragma once

namespace clconv {

struct Terminal {
    bool interactive = false;  ///< a terminal that can move its cursor, not a file or a pipe
    bool color = false;        ///< interactive, and the user has not set NO_COLOR
};

/// The terminal behind standard error. TERM=dumb counts as not interactive; NO_COLOR as on no-color.org.
[[nodiscard]] Terminal standard_error();

/// Columns of the terminal behind standard error now; 80 if they are not known.
[[nodiscard]] int terminal_columns();

}  // namespace clconv
