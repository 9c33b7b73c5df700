// SPDX-License-Identifier: Apache-2.0
// All free choices of a plan: they change the speed and not the result.
#pragma once

#include "fft/local_line.h"
#include "fft/radix.h"
#include "plan/radix_request.h"

#include "base/extent.h"
#include "base/names.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clconv {

enum class Method {
    direct,  ///< the sum by its definition: the smallest PSFs
    tiled,   ///< overlap-save: each work-group convolves a tile by itself, in one launch: small PSFs
    fft,     ///< rows, columns with the product, rows back
};
template <>
inline constexpr auto kNames<Method> =
    std::to_array<Named<Method>>({{"direct", Method::direct}, {"tiled", Method::tiled}, {"fft", Method::fft}});

/// Where a line is kept while it is transformed.
enum class Residence {
    local,   ///< in one work-group's registers and local memory: one launch a pass
    global,  ///< in global memory: one launch a radix stage
};
template <>
inline constexpr auto kNames<Residence> = std::to_array<Named<Residence>>({{"local", Residence::local},
                                                                           {"global", Residence::global}});

/// The order of radices that are chosen automatically: the largest stage first, or last.
enum class RadixOrder { descending, ascending };
template <>
inline constexpr auto kNames<RadixOrder> = std::to_array<Named<RadixOrder>>({{"descending", RadixOrder::descending},
                                                                             {"ascending", RadixOrder::ascending}});

/// The maximum number of lines, columns, work-items or registers that can be forced, and of unused cells a block.
inline constexpr int kMaxCounted = 4096;
inline constexpr int kMaxPadding = 512;

/// Unused cells of local memory after each block of an exchange.
struct Padding {
    std::optional<int> cells;  ///< none: as the banks of local memory need
};

/// Whether one launch transforms columns, multiplies them and transforms them back, or three launches do.
enum class Passes { fused, separate };
template <>
inline constexpr auto kNames<Passes> = std::to_array<Named<Passes>>({{"fused", Passes::fused},
                                                                     {"separate", Passes::separate}});

/// The two real signals that the row pass transforms as one complex line: rows of a channel, or one row of two
/// channels.
enum class Packing { rows, channels };
template <>
inline constexpr auto kNames<Packing> = std::to_array<Named<Packing>>({{"rows", Packing::rows},
                                                                       {"channels", Packing::channels}});

/// How the spectra of two channels that share a line are multiplied by the PSF's transfer.
enum class Product {
    split,       ///< the row pass splits them into half spectra, and each is multiplied by itself
    gray,        ///< they stay joint, and one PSF for both multiplies the joint spectrum
    integrated,  ///< they stay joint, and the product splits, multiplies and joins (k, l) and (-k, -l) together
};
template <>
inline constexpr auto kNames<Product> = std::to_array<Named<Product>>({{"split", Product::split},
                                                                       {"gray", Product::gray},
                                                                       {"integrated", Product::integrated}});

/// What a work-group of the rows back stores of interleaved samples: its row pairs' samples of one channel, or whole
/// pixels.
enum class Storing { channels, pixels };
template <>
inline constexpr auto kNames<Storing> = std::to_array<Named<Storing>>({{"channels", Storing::channels},
                                                                       {"pixels", Storing::pixels}});

/// Whether programs serve every size, or are special to one. The results are the same to the last bit.
enum class Programs {
    general,  ///< sizes are arguments, and so are the radices of owned lines: a folder of any sizes needs few programs
    special,  ///< radices are defines, and on GPUs sizes too: up to a tenth faster, and compiled for each size
};
template <>
inline constexpr auto kNames<Programs> = std::to_array<Named<Programs>>({{"general", Programs::general},
                                                                         {"special", Programs::special}});

/// How work-groups share the lines of one pass of local residence.
struct ShapeRequest {
    std::optional<int> lines;              ///< a work-group: pairs of rows, or columns
    std::optional<int> items;              ///< work-items a line
    std::optional<ExchangeForm> exchange;  ///< how values are exchanged
    std::optional<int> registers;          ///< limit for a work-item, if the compiler has one (NVIDIA)
};

/// Variants of the kernels for lines that work-groups share (kernels/rows.cl, columns.cl). Each is a define of their
/// programs. `Held` is std::optional where a variant may be forced, and Chosen where it is decided. A plan has the
/// first value of each, unless another one is forced, or a search for a GPU finds it faster.
template <template <class> class Held>
struct Variants {
    Held<Passes> passes{};    ///< of the columns
    Held<Packing> packing{};  ///< with channels, the spectrum's columns 2 k and 2 k + 1 are those of two channels, and
                              ///< its planes are pairs of channels
    Held<Product> product{};  ///< gray, integrated: the spectrum's columns 0 .. N - 1 are those of both channels' joint
                              ///< spectrum; only with packing=channels
    Held<Storing> storing{};  ///< of the rows back; pixels: a work-group has the lines of all channels
    friend bool operator==(const Variants&, const Variants&) = default;
};
template <class Value>
using Chosen = Value;

/// The forced choices. The planner makes all others.
struct Decisions : Variants<std::optional> {
    std::optional<Method> method;
    std::optional<Residence> residence;
    RadixRequest radix_x;
    RadixRequest radix_y;
    std::vector<int> radix_back;  ///< of the rows back, if not those of radix_x; their product is the rows' length
    ShapeRequest rows;
    ShapeRequest columns;
    ShapeRequest rows_back;             ///< without lines, which are those of the rows
    std::optional<int> lanes;           ///< 1: work-items share lines; 8, 16: each owns whole ones
    std::optional<int> column_parts;    ///< lines of which each has a part of a column's results
    std::optional<int> bundle_columns;  ///< of the intermediate
    std::optional<Extent> tile;         ///< of the tiled method
    std::optional<int> tile_items;      ///< work-items that share a tile
    std::optional<RadixOrder> radix_order;
    std::optional<Padding> padding;
    std::optional<Butterflies> butterflies;
    std::optional<LineOrder> order;  ///< of the columns' spectra; rows are split by frequency, so theirs stay sorted
    std::optional<Programs> programs;
};

/// True if anything except the method and the programs is decided, so that certain shapes are wanted.
[[nodiscard]] bool shapes_are_decided(const Decisions& decisions);

/// The largest radix that is chosen automatically: direct sums of 32 terms take compilers minutes.
[[nodiscard]] int largest_automatic(const Decisions& decisions);

/// Sets the decision of a "KEY=VALUE". Throws InvalidProblem with the keys, or with the values of the key and their
/// range.
void decide(Decisions& decisions, std::string_view key_value);

/// The same for each of a user's words, and of other options. Throws InvalidProblem, too, if a decision has another
/// value already, which would be lost without a word.
void decide_once(Decisions& decisions, const std::vector<std::string>& key_values);

/// The arguments of decide() for these decisions, in the order of the keys. Equal decisions give equal lists.
[[nodiscard]] std::vector<std::string> decided(const Decisions& decisions);

/// One decision in words.
struct ExplainedDecision {
    std::string_view key;
    std::string values;        ///< "direct|fft"
    std::string_view meaning;  ///< a short sentence
    std::string value;         ///< what is decided; empty if nothing is
};
/// All decisions that decide() knows, in the order of the keys.
[[nodiscard]] std::vector<ExplainedDecision> explained(const Decisions& decisions);

/// The keys that decide() knows, each with its values: "method=direct|fft".
[[nodiscard]] std::vector<std::string> decision_keys();
/// The same without their values: "method".
[[nodiscard]] std::vector<std::string_view> decision_names();
/// The named values of the decision `name`: "direct", "fft". No numbers; none if there is no such decision.
[[nodiscard]] std::vector<std::string> listed_values(std::string_view name);

}  // namespace clconv
