// How a work-group transforms a line: who does which butterflies, and how the values change hands in local memory.
//
// kernels/line.cl runs it: values stay in registers, and between two stages they pass through local memory, laid out
// in blocks of (stride * radix) cells with `pad` unused cells after each block, so that banks do not collide.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace clconv {

/// More stages than this are not built into one kernel (kernels/line.cl).
inline constexpr int kMaxLocalStages = 13;

struct LocalLine {
    int items = 1;               ///< work-items a line
    int values = 1;              ///< complex values a work-item holds, at most
    bool split = false;          ///< exchange real and imaginary parts one after the other, in half the memory
    std::vector<int> pads;       ///< in cells, of the exchange before stage 1, 2, ... in forward order
    std::vector<int> back_pads;  ///< of the exchange before stage n-2, ..., 1, 0 in reversed order
    int cells = 0;               ///< local memory of one line
    friend bool operator==(const LocalLine&, const LocalLine&) = default;
};

/// Bytes of one cell: a whole complex value, or one of its parts.
[[nodiscard]] constexpr std::uint64_t cell_bytes(const LocalLine& line) { return line.split ? 4 : 8; }

struct LocalLineRequest {
    std::vector<int> radices;
    bool paired_last = false;  ///< row passes: butterflies of the last stage in mirrored pairs
    int lines = 1;             ///< in one work-group, side by side
    std::uint64_t local_memory = 32768;
    int max_group = 256;             ///< work-items of a work-group
    int max_values = 64;             ///< complex values a work-item may hold
    std::optional<int> items = {};   ///< work-items a line, if they are given
    std::optional<bool> split = {};  ///< the exchange, if it is given
    bool banks = true;               ///< local memory has banks worth padding for (a GPU's)
};

/// The shape with the most work-items a line among those that idle at most a tenth more than the least idle one, and
/// whole complex cells if they fit; none if no shape fits local memory and group size.
[[nodiscard]] std::optional<LocalLine> local_line(const LocalLineRequest& request);

/// The strides of the stages: the products of the radices before each.
[[nodiscard]] std::vector<int> strides_of(const std::vector<int>& radices);

/// The defines of kernels/line.cl for these stages, one "#define NAME VALUE" a line.
[[nodiscard]] std::string line_defines(const std::vector<int>& radices, const LocalLine& line, bool paired_last);

}  // namespace clconv
