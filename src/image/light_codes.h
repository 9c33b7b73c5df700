// SPDX-License-Identifier: Apache-2.0
// Decodes codes of colours to light, and encodes light to codes, where the device does not.
//
// A curve takes about 50 ns a sample. If samples are integer codes, or become integer codes, tables take a tenth of
// that and give the same results.
#pragma once

#include "base/file_type.h"
#include "base/transfer.h"
#include "image/samples.h"

#include <memory>
#include <optional>
#include <span>

namespace clconv {

/// The largest code of integers that stand for [0, 1]; none for other types.
[[nodiscard]] std::optional<int> largest_code(FileType type);

/// Decodes each pixel's colours to light. `codes`: samples are multiples of its reciprocal.
void decode_light(std::span<float> samples, const AlphaLayout& layout, const std::shared_ptr<const Transfer>& transfer,
                  std::optional<int> codes);

/// Encodes each pixel's colours to codes. `codes`: they become multiples of its reciprocal, from 0 to 1, as
/// from_float() would round them.
void encode_light(std::span<float> samples, const AlphaLayout& layout, const std::shared_ptr<const Transfer>& transfer,
                  std::optional<int> codes);

}  // namespace clconv
