// SPDX-License-Identifier: Apache-2.0
#include "passes/line_tables.h"

#include "fft/lane_line.h"
#include "opencl/buffers.h"
#include "opencl/handles.h"
#include "passes/scalars.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace clconv {

cl::Buffer line_table(Device& device, const LineTable& table, const std::function<cl::Buffer()>& make)
{
    if (is_guarded(device)) return make();  // each plan's buffers have bands of their own
    const std::string key = fmt::format("{} {} {} {}", table.kind, fmt::join(table.radices, "*"),
                                        name_of(table.butterflies), name_of(table.precision));
    return device.handles().tables.of(key, make);
}

cl::Buffer lane_forward_table(Device& device, std::span<const int> radices, Butterflies butterflies,
                              Precision precision)
{
    return line_table(device, {"lanes forward", radices, butterflies, precision},
                      [&] { return upload_scalars(device, lane_forward_twiddles(radices, butterflies), precision); });
}

cl::Buffer lane_back_table(Device& device, std::span<const int> radices, Butterflies butterflies, Precision precision)
{
    return line_table(device, {"lanes back", radices, butterflies, precision},
                      [&] { return upload_scalars(device, lane_back_twiddles(radices, butterflies), precision); });
}

}  // namespace clconv
