// SPDX-License-Identifier: Apache-2.0
// Samples of the library's callers: checked, and copied between their layout and the engine's.
#pragma once

#include "base/block_pool.h"
#include "base/file_type.h"
#include "clconv/clconv.hpp"

#include <cstddef>
#include <string_view>

namespace clconv {

/// The same type by its inner name.
[[nodiscard]] FileType file_type_of(v0::SampleType type);

/// `name`: of the view, for messages. They throw InvalidProblem for numbers that make no sense; the second one also for
/// a view without samples.
void check_shape(const v0::ConstView& view, std::string_view name);
void check_view(const v0::ConstView& view, std::string_view name);

[[nodiscard]] std::size_t sample_count(const v0::ConstView& view);

/// Whether the samples are interleaved, without gaps, and at an address that kernels of a CPU can use.
[[nodiscard]] bool is_usable_in_place(const v0::ConstView& view);

/// Whether the samples of two views lie in the same memory, or may do so.
[[nodiscard]] bool may_overlap(const v0::ConstView& a, const v0::ConstView& b);

/// The samples, interleaved and without gaps, in their own type.
[[nodiscard]] Bytes gathered(const v0::ConstView& view, const Allocate& allocate);
/// The inverse.
void scatter(const std::byte* samples, const v0::View& view);

/// Interleaved samples of a type as floats or doubles, in the engine's units.
[[nodiscard]] Bytes as_floats(const std::byte* samples, std::size_t count, FileType type);
[[nodiscard]] Bytes as_doubles(const std::byte* samples, std::size_t count, FileType type);

}  // namespace clconv
