// SPDX-License-Identifier: Apache-2.0
#include "image_commands/commands.h"

#include "cli/version.h"
#include "image_options/image_module.h"

namespace {

constexpr clconv::ImageModule kModule{clconv::kVersion,      clconv::execute,    clconv::deconvolve,
                                      clconv::compare,       clconv::make_psf,   clconv::show_report,
                                      clconv::planned_files, clconv::tuned_files};

}  // namespace

const clconv::ImageModule* clconv_image_module() { return &kModule; }
