// SPDX-License-Identifier: Apache-2.0
// Lookup tables: the light of codes of 8 bits, the codes of light, and the bright share of a pixel.
//
// The codes of light are for CPUs only: on a GPU, arithmetic is cheaper than loads from such a large table.
// docs/decisions/028-light-tables.md
#pragma once

#include "conv/problem.h"
#include "passes/blending.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace clconv {

/// codes[] of kernels/samples.cl.
[[nodiscard]] std::vector<std::uint32_t> srgb_code_table();

/// The tables as defines: SRGB_LIGHTS if u8 samples are decoded, SRGB_CODES if results are encoded as u8 (not in
/// double).
[[nodiscard]] std::string light_table_defines(const Problem& problem);

/// Tables of 256 numbers that kernels index by a code of 8 bits (BY_CODE of kernels/image.cl). If codes are decoded:
/// the light of the code. If there are highlights: the bright share of the light of a pixel whose brightest code this
/// is, and the same boosted. Empty for other types, and if codes are used as they are.
[[nodiscard]] std::vector<double> tables_by_code(const Problem& problem, const std::optional<Highlights>& highlights);

}  // namespace clconv
