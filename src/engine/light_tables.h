// Tables that are looked up instead of computing: what codes of 8 bits are as light, light as codes, and how much of a
// pixel is bright.
//
// Light as codes is for CPUs only: a GPU has more arithmetic than it has loads for so large a table.
#pragma once

#include "conv/problem.h"
#include "engine/blending.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace clconv {

/// codes[] of kernels/samples.cl.
[[nodiscard]] std::vector<std::uint32_t> srgb_code_table();

/// The tables as defines: SRGB_LIGHTS where u8 are decoded, SRGB_CODES where results are encoded as u8 (not in double).
[[nodiscard]] std::string light_table_defines(const Problem& problem);

/// What kernels look up by a code of 8 bits (BY_CODE of kernels/image.cl), 256 numbers each: its light, if codes are
/// decoded; of a pixel whose brightest code it is the share of light that is bright, and the same boosted, if there are
/// highlights. Empty for other types, and where codes are taken as they are.
[[nodiscard]] std::vector<double> tables_by_code(const Problem& problem, const std::optional<Highlights>& highlights);

}  // namespace clconv
