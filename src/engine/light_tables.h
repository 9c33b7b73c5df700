// Tables that CPUs look up instead of computing: what codes of 8 bits are as light, light as codes, and how much of a
// pixel is bright.
//
// A GPU computes them: it has more arithmetic than it has loads.
#pragma once

#include "conv/problem.h"
#include "engine/blending.h"

#include <cstdint>
#include <string>
#include <vector>

namespace clconv {

/// codes[] of kernels/samples.cl.
[[nodiscard]] std::vector<std::uint32_t> srgb_code_table();

/// The tables as defines: SRGB_LIGHTS where u8 are decoded, SRGB_CODES where results are encoded as u8 (not in double).
[[nodiscard]] std::string light_table_defines(const Problem& problem);

/// Whether programs of CPUs take bright_tables().
[[nodiscard]] bool has_bright_tables(const Problem& problem);

/// Of every code that may be a pixel's brightest: 256 shares of its light that are bright, then 256 times the same,
/// boosted.
[[nodiscard]] std::vector<double> bright_tables(const Highlights& highlights);

}  // namespace clconv
