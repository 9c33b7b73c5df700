// SPDX-License-Identifier: Apache-2.0
// The files that a run writes in addition to its images: the report, its page, the events, the trace, the manifest, the
// log.
#pragma once

#include "image_options/run_options.h"

#include <string>
#include <vector>

namespace clconv {

/// Throws InvalidProblem if one of them would replace an INPUT, a PSF or the list of --files-from, has the name of an
/// image (a mistake that could cost a photograph), or is in a folder that cannot be written, if two of them are the
/// same file, or if the manifest is a FIFO.
void check_side_files(const RunOptions& options);

/// The same for one file that `option` names; `sources` are the files that it must not replace.
void check_side_file(const std::string& option, const std::string& file, const std::vector<std::string>& sources);

}  // namespace clconv
