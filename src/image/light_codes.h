// Making light of the codes of colours, and codes of light: what the device does not do. Private to src/image.
//
// A curve takes some 50 ns a sample. Where samples are codes of integers, or are to become some, tables take a tenth of
// that and give the same.
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

/// Makes light of each pixel's colours. `codes`: samples are multiples of its reciprocal.
void decode_light(std::span<float> samples, const AlphaLayout& layout, const std::shared_ptr<const Transfer>& transfer,
                  std::optional<int> codes);

/// Makes codes of each pixel's colours. `codes`: they become the multiples of its reciprocal, from 0 to 1, that
/// from_float() would take for them.
void encode_light(std::span<float> samples, const AlphaLayout& layout, const std::shared_ptr<const Transfer>& transfer,
                  std::optional<int> codes);

}  // namespace clconv
