// SPDX-License-Identifier: Apache-2.0
// The types of samples in image files. There are more than devices support.
//
// Devices use the first four directly, and doubles if they compute in double. Samples of the other types reach devices
// as floats: signed integers of 8 and 16 bits stand for [-1, 1] (the largest code is 1), integers of 32 bits and
// doubles for their own values.
#pragma once

#include "base/sample_type.h"

namespace clconv {

enum class FileType { u8, u16, half, float32, i8, i16, i32, u32, float64 };
/// The names in logs and reports.
template <>
inline constexpr auto kNames<FileType> = std::to_array<Named<FileType>>({{"u8", FileType::u8},
                                                                         {"u16", FileType::u16},
                                                                         {"half", FileType::half},
                                                                         {"float", FileType::float32},
                                                                         {"int8", FileType::i8},
                                                                         {"int16", FileType::i16},
                                                                         {"int32", FileType::i32},
                                                                         {"uint32", FileType::u32},
                                                                         {"double", FileType::float64}});

/// The type that devices use for samples of a file's type. For doubles this holds only if they compute in double.
[[nodiscard]] constexpr SampleType sample_type_of(FileType type)
{
    switch (type) {
        case FileType::u8: return SampleType::u8;
        case FileType::u16: return SampleType::u16;
        case FileType::half: return SampleType::half;
        case FileType::float32:
        case FileType::i8:
        case FileType::i16:
        case FileType::i32:
        case FileType::u32: return SampleType::float32;
        case FileType::float64: return SampleType::float64;
    }
    return SampleType::float32;
}

[[nodiscard]] constexpr FileType file_type_of(SampleType type)
{
    switch (type) {
        case SampleType::u8: return FileType::u8;
        case SampleType::u16: return FileType::u16;
        case SampleType::half: return FileType::half;
        case SampleType::float32: return FileType::float32;
        case SampleType::float64: return FileType::float64;
    }
    return FileType::float32;
}

/// Whether devices use samples of this type directly.
[[nodiscard]] constexpr bool is_device_type(FileType type) { return file_type_of(sample_type_of(type)) == type; }

/// Whether samples are whole numbers, whatever they stand for.
[[nodiscard]] constexpr bool is_integer(FileType type)
{
    return type != FileType::half && type != FileType::float32 && type != FileType::float64;
}

/// Bytes of one sample.
[[nodiscard]] constexpr std::size_t bytes_of(FileType type)
{
    switch (type) {
        case FileType::u8:
        case FileType::i8: return 1;
        case FileType::u16:
        case FileType::i16:
        case FileType::half: return 2;
        case FileType::float32:
        case FileType::i32:
        case FileType::u32: return 4;
        case FileType::float64: return 8;
    }
    return 0;
}

/// Whether `to` can hold the values of type `from`, except for rounding far below the precision of `from`.
[[nodiscard]] constexpr bool holds(FileType to, FileType from)
{
    if (to == from) return true;
    switch (from) {
        case FileType::u8: return to == FileType::u16 || to == FileType::half || to == FileType::float32;
        case FileType::u16:
        case FileType::half: return to == FileType::float32;
        case FileType::float32:
        case FileType::i8:
        case FileType::i16:
        case FileType::i32:
        case FileType::u32:
        case FileType::float64: return false;
    }
    return false;
}

}  // namespace clconv
