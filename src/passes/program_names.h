// SPDX-License-Identifier: Apache-2.0
// The names of programs in logs, traces and caches: words, joined by hyphens, that say what a program was made for.
//
// Names consist of lower-case letters, digits, dots and hyphens, so that files can have them. Programs of one device
// that differ have different names (tests/passes/program_names_test.cpp); kernels/README.md explains the words. Each
// function returns words that begin with a hyphen, or nothing.
#pragma once

#include "plan/plan.h"

#include <span>
#include <string>

namespace clconv {

/// "-2048-8.16.16": a line's length and radices; "-direct" if composite butterflies are plain sums.
[[nodiscard]] std::string line_words(std::span<const int> radices, Butterflies butterflies = Butterflies::embedded);

/// "-64x2-whole": work-items a line x lines a work-group, and the exchange. "-pad1.2" gives the pads of the exchanges
/// of both directions, "-dif-dit" means lines in place, and "-64registers" a cap on registers.
[[nodiscard]] std::string group_words(const LinePlan& pass);

/// "-bundle4x2": columns x rows that are together in the spectra.
[[nodiscard]] std::string spectrum_words(const Spectrum& spectrum);

/// The samples that a program loads or stores.
enum class SampleUse { loads, stores, both };
/// "-u8x3", "-u8x3-to-half": types and channels, and the treatment of samples; then precision_words().
[[nodiscard]] std::string sample_words(const Problem& problem, SampleUse use);

/// "-precision-half"; nothing for float.
[[nodiscard]] std::string precision_words(Precision precision);

/// "-for-640x480-63x63x1-at31.31-clamp-same": the problem that fixes the sizes of a special program. For transforms
/// also "-padded720x560-3planes": the lines of both axes, and the planes of one launch.
[[nodiscard]] std::string size_words(const Plan& plan);

}  // namespace clconv
