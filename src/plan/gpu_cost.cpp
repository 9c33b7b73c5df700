// SPDX-License-Identifier: Apache-2.0
// The constants are a fit to 2600 passes of 1185 plans for thirteen problems on an H200. The model explains 90 %
// of the times; the rest is the compiler's choice of registers, which is left to the tuner.
// docs/decisions/006-gpu-cost-model.md
#include "plan/gpu_cost.h"

#include "base/ceil_div.h"
#include "fft/radix.h"

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
    double registers = 0;  ///< ten values more than twenty in a work-item
    double local = 0;      ///< 48 KiB of local memory in use
    double lines = 0;      ///< more than one line a work-group
    double launch_ns = 0;  ///< the whole pass
};

// The exchange of rows is a guess: its cost is hidden with three stages. It keeps plans from a fourth stage that is not
// needed.
constexpr Constants kRows{.byte = .24,
                          .exchange = .1,
                          .split = .11,
                          .idle = .61,
                          .partial = .2,
                          .alone = .39,
                          .registers = .21,
                          .local = .83,
                          .lines = .34,
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

/// Warps that a multiprocessor of an H200 holds at once: 64, 65536 registers, 227 KiB of local memory, 32 groups.
double warps_at_once(const GpuPass& pass, int length)
{
    const int warps = ceil_div(pass.items * pass.lines, 32);
    const int registers = std::clamp(2 * pass.values + 28, 40, 255);
    const double bytes = static_cast<double>(length) * pass.lines * cell_bytes(pass) + 1024;
    const int groups = std::min({64 / warps, 65536 / (registers * warps * 32), static_cast<int>(227e3 / bytes), 32});
    return std::max(1, groups) * warps;
}

/// The cost of pieces of global memory that are too small for whole transactions. Halves count as floats, because wider
/// bundles with equally long pieces are slower: docs/decisions/009-half-tile-width.md
double pieces_ps(const GpuPass& pass)
{
    const int stored_bytes = std::max(pass.stored_bytes, 8);
    if (pass.columns) {
        const int bytes = stored_bytes * pass.lines * pass.rows_together;
        if (bytes <= 16) return 1.23;
        return bytes <= 32 && pass.rows_together == 4 && pass.bundle_columns > 2 ? .85 : 0;
    }
    // Every second, third or fourth float of a row: 3840x2160 on an NVIDIA H100
    // (docs/decisions/010-interleaved-floats.md).
    const double apart = pass.sample_step > 1 ? 2.2 * pass.sample_step : 0;
    return apart + (stored_bytes * pass.bundle_columns * pass.rows_together <= 32 ? .28 : 0);
}

}  // namespace

int gpu_sample_step(SampleType type, int channels) { return bytes_of(type) < 4 ? 1 : channels; }

double gpu_line_ns(const GpuPass& pass)
{
    const Constants& c = constants(pass);
    const int length = length_of(pass);
    const auto exchanges = static_cast<double>(pass.radices.size()) - 1;
    const double bytes =
        pass.line_bytes / length + (pass.columns ? 0 : pass.stored_bytes);  // rows move a complex value for each sample
    double ps = c.byte * bytes + exchanges * (c.exchange + (pass.split ? c.split : 0));
    for (const int radix : pass.radices) ps += radix_ps(pass, radix);
    return 1e-3 * ps * pass.lines_in_all * length;
}

double gpu_launch_ns(bool columns) { return (columns ? kColumns : kRows).launch_ns; }

double gpu_bytes_ns(bool columns, double bytes) { return 1e-3 * (columns ? kColumns : kRows).byte * bytes; }

double gpu_pass_ns(const GpuPass& pass)
{
    const Constants& c = constants(pass);
    const int length = length_of(pass);
    const auto stages = static_cast<double>(pass.radices.size());
    const int group = pass.items * pass.lines;
    const int filled = rounded_up(group, 32);
    const double partial = static_cast<double>(filled) / group - 1;
    const double idle = static_cast<double>(pass.work) / length - stages;
    const double ps = c.idle * idle + c.partial * stages * partial + c.alone / warps_at_once(pass, length) +
                      c.registers * std::max(0, pass.values - 20) / 10 + pieces_ps(pass) +
                      c.local * length * pass.lines * cell_bytes(pass) / 49152 + (pass.lines > 1 ? c.lines : 0);
    return gpu_line_ns(pass) + 1e-3 * ps * pass.lines_in_all * length + c.launch_ns;
}

}  // namespace clconv
