// SPDX-License-Identifier: Apache-2.0
// The names of passes in times, logs, traces and reports, beside the stages of base/timings.h.
#pragma once

namespace clconv::pass {

inline constexpr const char* kRows = "rows";
inline constexpr const char* kColumns = "columns";
inline constexpr const char* kRowsBack = "rows back";
inline constexpr const char* kPsfRows = "psf rows";
inline constexpr const char* kPsfColumns = "psf columns";
inline constexpr const char* kTransfers = "transfers";
inline constexpr const char* kFold = "fold";
inline constexpr const char* kTiled = "tiled";
inline constexpr const char* kPsfTile = "psf tile";
inline constexpr const char* kDirect = "direct";
inline constexpr const char* kShrink = "shrink";
inline constexpr const char* kSpread = "spread";
inline constexpr const char* kLoad = "load";
inline constexpr const char* kStart = "start";
inline constexpr const char* kRatio = "ratio";
inline constexpr const char* kUpdate = "update";
inline constexpr const char* kRatioRows = "ratio rows";
inline constexpr const char* kUpdateRows = "update rows";
inline constexpr const char* kStore = "store";

}  // namespace clconv::pass
