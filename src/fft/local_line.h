// SPDX-License-Identifier: Apache-2.0
// How a work-group transforms a line: which work-item computes which butterflies, and how values are exchanged through
// local memory.
//
// kernels/line.cl runs it. Values stay in registers. Between two stages they pass through local memory, in blocks of
// (stride * radix) cells with `pad` unused cells after each block, so that banks do not collide.
#pragma once

#include "base/names.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace clconv {

/// The maximum number of stages in one kernel (kernels/line.cl).
inline constexpr int kMaxLocalStages = 13;

/// How values are exchanged between two stages.
enum class ExchangeForm {
    whole,      ///< complex values through one buffer: a barrier before they are read, and one after
    split,      ///< real, then imaginary parts: half the memory, twice the barriers
    ping_pong,  ///< through two alternating buffers: twice the memory, half the barriers
};
template <>
inline constexpr auto kNames<ExchangeForm> = std::to_array<Named<ExchangeForm>>(
    {{"whole", ExchangeForm::whole}, {"split", ExchangeForm::split}, {"ping-pong", ExchangeForm::ping_pong}});

/// Where values are between two stages.
enum class LineOrder {
    autosort,  ///< Stockham's: the spectrum has natural order
    in_place,  ///< outputs where the inputs were: decimation in frequency forward, in time back; between them the
               ///< spectrum lies digit-reversed
};
template <>
inline constexpr auto kNames<LineOrder> = std::to_array<Named<LineOrder>>({{"autosort", LineOrder::autosort},
                                                                           {"dif-dit", LineOrder::in_place}});

struct LocalLine {
    int items = 1;   ///< work-items a line
    int values = 1;  ///< complex values a work-item holds, at most
    ExchangeForm exchange = ExchangeForm::whole;
    LineOrder order = LineOrder::autosort;
    int pad_block = 1;           ///< in place: all exchanges have their pad after this many cells
    std::vector<int> pads;       ///< in cells, of the exchange before stage 1, 2, ... in forward order
    std::vector<int> back_pads;  ///< of the exchange before stage n-2, ..., 1, 0 in reversed order
    int cells = 0;               ///< local memory of one line: of both its buffers in ping-pong
    int scalar_bytes = 4;        ///< of a real or imaginary part
    friend bool operator==(const LocalLine&, const LocalLine&) = default;
};

/// Bytes of one cell: a whole complex value, or one of its parts.
[[nodiscard]] constexpr std::uint64_t cell_bytes(const LocalLine& line)
{
    return static_cast<std::uint64_t>(line.scalar_bytes) * (line.exchange == ExchangeForm::split ? 1 : 2);
}

struct LocalLineRequest {
    std::vector<int> radices;
    bool paired_last = false;  ///< row passes: butterflies of the last stage in mirrored pairs
    int lines = 1;             ///< in one work-group, side by side
    std::uint64_t local_memory = 32768;
    int max_group = 256;                        ///< work-items of a work-group
    int max_values = 64;                        ///< complex values a work-item may hold
    std::optional<int> items = {};              ///< work-items a line, if they are given
    std::optional<ExchangeForm> exchange = {};  ///< if it is given
    int scalar_bytes = 4;                       ///< of a real or imaginary part: 4 or 8
    bool banks = true;                          ///< local memory has banks worth padding for (a GPU's)
    LineOrder order = LineOrder::autosort;
    std::optional<int> pad = {};  ///< of every exchange, in cells, if it is given
};

/// The load of a line with a certain number of work-items.
struct LineLoad {
    int items = 1;
    int values = 0;  ///< complex values a work-item holds, at most
    int work = 0;    ///< values that all work-items could hold, over all stages, including those of idle work-items
};

/// The loads that fit group and registers and come out even in some stage. If none comes out even, all that fit.
[[nodiscard]] std::vector<LineLoad> line_loads(const LocalLineRequest& request);

/// Among the shapes that idle at most a tenth more than the one that idles least, the shape with the most work-items a
/// line. It
/// has whole complex cells if they fit, else split ones. None if no shape fits local memory and group size, and none in
/// place for paired or generic butterflies or in ping-pong. Pads that do not fit are left out, unless one is given.
[[nodiscard]] std::optional<LocalLine> local_line(const LocalLineRequest& request);

/// The strides of the stages: the products of the radices before each.
[[nodiscard]] std::vector<int> strides_of(const std::vector<int>& radices);

/// The defines of kernels/line.cl for these stages, one "#define NAME VALUE" a line.
[[nodiscard]] std::string line_defines(const std::vector<int>& radices, const LocalLine& line, bool paired_last);

}  // namespace clconv
