// SPDX-License-Identifier: Apache-2.0
// The module of image files, libclconv_image.so: all that needs the libraries of image formats. A program loads it when
// a command first touches image files. It loads OpenImageIO in turn, when a file needs that
// (image_commands/codec_library.cpp).
//
// It contains what the program does not (CMakeLists.txt), and calls the program's own functions for the rest: those of
// namespace clconv, which the program exports. So there is one copy of everything, and both must be of one build.
#pragma once

#include "cli/commands.h"
#include "image_options/compare_options.h"
#include "image_options/psf_options.h"
#include "image_options/report_options.h"
#include "image_options/run_options.h"
#include "settings/deconvolve_options.h"

#include <string_view>
#include <vector>

namespace clconv {

/// What the module has for the program.
struct ImageModule {
    std::string_view version;  ///< of clconv, as the module was built
    // Commands. They return exit codes, and throw.
    int (*run)(const RunOptions&);
    int (*deconvolve)(const DeconvolveOptions&, RunOptions);
    int (*compare)(const CompareOptions&);
    int (*psf)(const PsfOptions&);
    int (*report)(const ReportOptions&);
    // For the commands of src/cli: PlannedFiles, TunedProblems.
    std::vector<PartsProblem> (*planned)(const PlanOptions&, const ConvolveSettings&, Sink&);
    std::vector<Problem> (*tuned)(const TunedFiles&, const TuneOptions&, Sink&);
};

/// Loads the module, once. Throws InternalError if it is missing, broken or of another version.
[[nodiscard]] const ImageModule& image_module();

}  // namespace clconv

/// The only function that the module exports.
extern "C" const clconv::ImageModule* clconv_image_module();
