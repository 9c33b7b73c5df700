// SPDX-License-Identifier: Apache-2.0
// The constants are a fit to 2600 passes of 1185 plans for thirteen problems on an H200. The model explains 90 %
// of the times; the rest is the compiler's choice of registers, which is left to the tuner. Refitted to passes of an
// H100 (bench/fit-passes), they pick no better. docs/decisions/006-gpu-cost-model.md,
// 053-constants-of-the-model-stay.md
#include "plan/gpu_cost.h"

#include "base/ceil_div.h"
#include "fft/radix.h"

#include <fmt/format.h>

#include <algorithm>

namespace clconv {
namespace {

/// Picoseconds a value, unless noted. The stages' are in the table of radices (fft/radix.cpp).
struct Constants {
    double byte = 0;
    double exchange = 0;   ///< one exchange ...
    double split = 0;      ///< ... and what is added if parts go one by one
    double idle = 0;       ///< one stage, if every work-item idles
    double partial = 0;    ///< one stage, if a warp is not full
    double alone = 0;      ///< over the warps that a multiprocessor holds
    double lone = 0;       ///< one work-group at once: where it waits at a barrier, nothing else runs
    double registers = 0;  ///< ten values more than twenty in a work-item
    double local = 0;      ///< 48 KiB of local memory in use
    double lines = 0;      ///< more than one line a work-group
    double pieces_16 = 0;  ///< pieces of global memory of at most 16 bytes ...
    double pieces_32 = 0;  ///< ... and of 32: too small for whole transactions
    double apart = 0;      ///< every n-th sample of a row is stored: n times this
    double launch_ns = 0;  ///< the whole pass
};

// Lone work-groups and samples apart: passes of an H200 (docs/decisions/071-lone-work-groups.md).
// The exchange of rows is a guess: its cost is hidden with three stages. It keeps plans from a fourth stage that is not
// needed.
constexpr Constants kRows{.byte = .24,
                          .exchange = .1,
                          .split = .11,
                          .idle = .61,
                          .partial = .2,
                          .alone = .39,
                          .lone = 1.8,
                          .registers = .21,
                          .local = .83,
                          .lines = .34,
                          .pieces_32 = .28,
                          .apart = 1.2,
                          .launch_ns = 5500};
constexpr Constants kColumns{.byte = .15,
                             .exchange = .87,
                             .split = .25,
                             .idle = 1.69,
                             .partial = .46,
                             .alone = 4.96,
                             .registers = .26,
                             .local = 1.93,
                             .lines = .33,
                             .pieces_16 = 1.23,
                             .pieces_32 = .85,
                             .launch_ns = 8000};

const Constants& constants(const GpuPass& pass) { return pass.columns ? kColumns : kRows; }

int length_of(const GpuPass& pass)
{
    int length = 1;
    for (const int radix : pass.radices) length *= radix;
    return length;
}

/// One stage of this radix.
double radix_ps(const GpuPass& pass, int radix)
{
    const Radix known = supported_radix(radix).value();
    return pass.columns ? known.column_ps : known.row_ps;
}

/// Bytes of a cell of local memory: a complex value, or one of its parts.
int cell_bytes(const GpuPass& pass) { return pass.scalar_bytes * (pass.split ? 1 : 2); }

int warps_of_group(const GpuPass& pass) { return ceil_div(pass.items * pass.lines, 32); }

/// Work-groups that a multiprocessor of an H200 holds at once: 64 warps, four parts with 16384 registers each, 227 KiB
/// of local memory, 32 groups. A work-item has registers for its values and some more, in steps of eight.
int groups_at_once(const GpuPass& pass, int length)
{
    constexpr int parts = 4, lanes = 32;
    const int warps = warps_of_group(pass);
    const int registers = std::clamp(rounded_up(2 * pass.values + 24, 8), 40, 255);
    const int warps_a_part = 16384 / (lanes * registers);
    const double bytes = static_cast<double>(length) * pass.lines * cell_bytes(pass) + 1024;
    return std::max(1, std::min({parts * std::min(16, warps_a_part) / warps, static_cast<int>(227e3 / bytes), 32}));
}

/// Which of the constants of small pieces of global memory counts, if any. Halves count as floats, because wider
/// bundles with equally long pieces are slower: docs/decisions/009-half-tile-width.md
enum class PieceSize { large, of_32, of_16 };

PieceSize pieces_of(const GpuPass& pass)
{
    const int stored_bytes = std::max(pass.stored_bytes, 8);
    if (!pass.columns)
        return stored_bytes * pass.bundle_columns * pass.rows_together <= 32 ? PieceSize::of_32 : PieceSize::large;
    const int bytes = stored_bytes * pass.lines * pass.rows_together;
    if (bytes <= 16) return PieceSize::of_16;
    return bytes <= 32 && pass.rows_together == 4 && pass.bundle_columns > 2 ? PieceSize::of_32 : PieceSize::large;
}

// The model. Each term is a name, a constant, and how often a value has it; take() adds them up, or lists them.

template <typename Take>
void take_line_terms(const GpuPass& pass, const Take& take)
{
    const Constants& c = constants(pass);
    const auto exchanges = static_cast<double>(pass.radices.size()) - 1;
    const double bytes = pass.line_bytes / length_of(pass) +
                         (pass.columns ? 0 : pass.stored_bytes);  // rows move a complex value for each sample
    take("byte", c.byte, bytes);
    take("exchange", c.exchange, exchanges);
    take("split", c.split, pass.split ? exchanges : 0);
}

template <typename Take>
void take_shape_terms(const GpuPass& pass, const Take& take)
{
    const Constants& c = constants(pass);
    const int length = length_of(pass);
    const auto stages = static_cast<double>(pass.radices.size());
    const int group = pass.items * pass.lines;
    const double partial = static_cast<double>(rounded_up(group, 32)) / group - 1;
    const PieceSize pieces = pieces_of(pass);
    take("idle", c.idle, static_cast<double>(pass.work) / length - stages);
    take("partial", c.partial, stages * partial);
    const int groups = groups_at_once(pass, length);
    take("alone", c.alone, 1.0 / (groups * warps_of_group(pass)));
    take("lone", c.lone, groups == 1);
    take("registers", c.registers, std::max(0, pass.values - 20) / 10.0);
    take("pieces_16", c.pieces_16, pieces == PieceSize::of_16);
    take("pieces_32", c.pieces_32, pieces == PieceSize::of_32);
    take("apart", c.apart, pass.sample_step > 1 ? pass.sample_step : 0);
    take("local", c.local, static_cast<double>(length) * pass.lines * cell_bytes(pass) / 49152);
    take("lines", c.lines, pass.lines > 1);
}

/// Nanoseconds for a picosecond a value.
double ns_a_ps(const GpuPass& pass) { return 1e-3 * pass.lines_in_all * length_of(pass); }

}  // namespace

int gpu_sample_step(SampleType type, int channels) { return bytes_of(type) < 4 ? 1 : channels; }

double gpu_line_ns(const GpuPass& pass)
{
    double ps = 0;
    take_line_terms(pass, [&](const char*, double constant, double factor) { ps += constant * factor; });
    for (const int radix : pass.radices) ps += radix_ps(pass, radix);
    return ps * ns_a_ps(pass);
}

std::vector<GpuCostTerm> gpu_pass_terms(const GpuPass& pass)
{
    std::vector<GpuCostTerm> terms;
    const double ns = ns_a_ps(pass);
    const auto take = [&](const char* name, double constant, double factor) {
        terms.push_back({name, constant, factor * ns});
    };
    take_line_terms(pass, take);
    for (const int radix : pass.radices) terms.push_back({fmt::format("radix {}", radix), radix_ps(pass, radix), ns});
    take_shape_terms(pass, take);
    terms.push_back({"launch_ns", constants(pass).launch_ns, 1});
    return terms;
}

double gpu_launch_ns(bool columns) { return (columns ? kColumns : kRows).launch_ns; }

double gpu_bytes_ns(bool columns, double bytes) { return 1e-3 * (columns ? kColumns : kRows).byte * bytes; }

double gpu_pass_ns(const GpuPass& pass)
{
    double ps = 0;
    take_shape_terms(pass, [&](const char*, double constant, double factor) { ps += constant * factor; });
    return gpu_line_ns(pass) + ps * ns_a_ps(pass) + constants(pass).launch_ns;
}

}  // namespace clconv
