// SPDX-License-Identifier: Apache-2.0
// Numbers of TIFF's tags that say how samples are stored (TIFF 6.0, appendix A), and of an ICC profile.
#pragma once

#include <cstdint>

namespace clconv::oiio {

inline constexpr std::uint16_t kBitsPerSample = 258;
inline constexpr std::uint16_t kCompression = 259;
inline constexpr std::uint16_t kPhotometric = 262;
inline constexpr std::uint16_t kStripPlaces = 273;
inline constexpr std::uint16_t kOrientation = 274;
inline constexpr std::uint16_t kSamplesPerPixel = 277;
inline constexpr std::uint16_t kStripSizes = 279;
inline constexpr std::uint16_t kColorMap = 320;
inline constexpr std::uint16_t kTilePlaces = 324;
inline constexpr std::uint16_t kTileSizes = 325;
inline constexpr std::uint16_t kExtraSamples = 338;
inline constexpr std::uint16_t kSampleFormat = 339;
inline constexpr std::uint16_t kJpegTables = 347;
inline constexpr std::uint16_t kChromaSampling = 530;
inline constexpr std::uint16_t kProfile = 34675;

}  // namespace clconv::oiio
