// SPDX-License-Identifier: Apache-2.0
#include "fft/local_line.h"

#include "base/ceil_div.h"
#include "fft/bank_conflicts.h"
#include "fft/factorize.h"
#include "fft/radix.h"
#include "fft/stage_index.h"
#include "fft/twiddles.h"

#include <fmt/format.h>

#include <algorithm>

namespace clconv {
namespace {

/// What a stage of a line has to do.
struct StageWork {
    int parts;   ///< which work-items share out: butterflies, or pairs of them
    int values;  ///< of a part
};

std::vector<StageWork> work_of_stages(const LocalLineRequest& request, int length)
{
    std::vector<StageWork> stages;
    for (const int radix : request.radices) stages.push_back({length / radix, radix});
    if (request.paired_last) {
        const int radix = request.radices.back();
        stages.back() = {pair_count(length, radix), 2 * radix};
    }
    return stages;
}

LineLoad load_of(const std::vector<StageWork>& stages, int items)
{
    LineLoad load{items, 0, 0};
    for (const StageWork& stage : stages) {
        const int values = ceil_div(stage.parts, items) * stage.values;
        load.values = std::max(load.values, values);
        load.work += values * items;
    }
    return load;
}

/// In some stage, the number of butterflies is a multiple of the work-items. None of them idles there, and in most
/// plans they also come out even in the other stages. docs/decisions/002-work-items-a-line.md
bool comes_out_even(const std::vector<StageWork>& stages, int items)
{
    return std::any_of(stages.begin(), stages.end(), [&](const StageWork& stage) { return stage.parts % items == 0; });
}

/// Chooses the work-items of a line. More of them hide each other's waiting, which is worth a little idleness.
std::optional<LineLoad> choose_load(const LocalLineRequest& request)
{
    constexpr double idleness = 1.1;
    const std::vector<LineLoad> candidates = line_loads(request);
    if (candidates.empty()) return std::nullopt;
    const int minimum =
        std::min_element(candidates.begin(), candidates.end(), [](const LineLoad& a, const LineLoad& b) {
            return a.work < b.work;
        })->work;
    return *std::find_if(candidates.begin(), candidates.end(),
                         [&](const LineLoad& load) { return load.work <= idleness * minimum; });
}

/// Pads of all exchanges of one order, and the cells they need.
struct Padded {
    std::vector<int> pads;
    int cells = 0;
};

Padded pad_exchanges(const std::vector<int>& radices, int length, const LocalLine& line,
                     const LocalLineRequest& request)
{
    Padded padded{{}, length};
    int stride = 1;
    for (std::size_t s = 0; s + 1 < radices.size(); ++s) {
        const int block = stride * radices[s];
        const Exchange exchange{
            length, radices[s], stride, radices[s + 1], line.items, request.lines, static_cast<int>(cell_bytes(line))};
        const int pad = request.pad.value_or(request.banks ? best_pad(exchange) : 0);
        padded.pads.push_back(pad);
        padded.cells = std::max(padded.cells, length / block * (block + pad));
        stride = block;
    }
    return padded;
}

/// The same for lines in place. All exchanges share one layout, so a work-item reuses its own cells.
void pad_in_place(LocalLine& line, const LocalLineRequest& request, int length)
{
    double minimum = -1;
    int step = length;
    std::vector<Exchange> stages;
    for (const int radix : request.radices) {
        step /= radix;
        stages.push_back({length, radix, step, 0, line.items, request.lines, static_cast<int>(cell_bytes(line))});
    }
    const int largest = request.pad.value_or(request.banks ? kMaxPad : 0);
    for (std::size_t s = 0; s < stages.size(); ++s)
        for (int pad = request.pad.value_or(0); pad <= largest; ++pad) {
            const PaddedBlocks blocks{stages[s].stride, pad};
            double cycles = 0;
            for (const Exchange& stage : stages) cycles += in_place_cycles(stage, blocks);
            if (minimum >= 0 && cycles >= minimum - 1e-9) continue;
            minimum = cycles;
            line.pad_block = blocks.block;
            line.pads.assign(stages.size() - 1, pad);
            line.cells = padded(length, blocks);
        }
    line.back_pads = line.pads;
}

bool lay_out(LocalLine& line, const LocalLineRequest& request, int length)
{
    const int buffers = line.exchange == ExchangeForm::ping_pong ? 2 : 1;
    if (line.order == LineOrder::in_place) {
        pad_in_place(line, request, length);
    } else {
        std::vector<int> reversed(request.radices.rbegin(), request.radices.rend());
        const Padded there = pad_exchanges(request.radices, length, line, request);
        const Padded back = pad_exchanges(reversed, length, line, request);
        line.pads = there.pads;
        line.back_pads = back.pads;
        line.cells = buffers * std::max(there.cells, back.cells);
    }
    const auto fits = [&] { return line.cells * cell_bytes(line) * request.lines <= request.local_memory; };
    if (fits() || request.pad) return fits();
    std::fill(line.pads.begin(), line.pads.end(), 0);
    std::fill(line.back_pads.begin(), line.back_pads.end(), 0);
    line.cells = buffers * length;
    return fits();
}

}  // namespace

std::vector<int> strides_of(const std::vector<int>& radices)
{
    std::vector<int> strides;
    int stride = 1;
    for (const int radix : radices) {
        strides.push_back(stride);
        stride *= radix;
    }
    return strides;
}

std::vector<LineLoad> line_loads(const LocalLineRequest& request)
{
    const int length = line_length(request.radices);
    const int maximum = std::min(request.max_group / request.lines, length);
    const std::vector<StageWork> stages = work_of_stages(request, length);
    const auto loads = [&](bool any) {
        std::vector<LineLoad> found;
        for (int items = maximum; items >= 1; --items) {
            if (request.items ? *request.items != items : !any && !comes_out_even(stages, items)) continue;
            const LineLoad load = load_of(stages, items);
            if (load.values <= request.max_values) found.push_back(load);
        }
        return found;
    };
    const std::vector<LineLoad> even = loads(false);
    return even.empty() ? loads(true) : even;
}

std::optional<LocalLine> local_line(const LocalLineRequest& request)
{
    if (request.radices.empty() || request.radices.size() > kMaxLocalStages) return std::nullopt;
    const int length = line_length(request.radices);
    const auto generic = [](int radix) { return supported_radix(radix)->butterfly == Butterfly::generic; };
    if (request.order == LineOrder::in_place && (request.paired_last || request.exchange == ExchangeForm::ping_pong ||
                                                 std::any_of(request.radices.begin(), request.radices.end(), generic)))
        return std::nullopt;
    const auto load = choose_load(request);
    if (!load) return std::nullopt;
    LocalLine line;
    line.items = load->items;
    line.scalar_bytes = request.scalar_bytes;
    line.values = load->values;
    line.order = request.order;
    const std::vector<ExchangeForm> forms =
        request.exchange ? std::vector{*request.exchange} : std::vector{ExchangeForm::whole, ExchangeForm::split};
    for (const ExchangeForm form : forms) {
        line.exchange = form;
        if (lay_out(line, request, length)) return line;
    }
    return std::nullopt;
}

std::string line_defines(const std::vector<int>& radices, const LocalLine& line, bool paired_last)
{
    const std::vector<int> reversed(radices.rbegin(), radices.rend());
    const auto strides = strides_of(radices);
    const auto back_strides = strides_of(reversed);
    const auto tables = twiddle_offsets(radices);
    const auto back_tables = twiddle_offsets(reversed);
    const std::size_t stages = radices.size();

    std::string text;
    const auto define = [&](const std::string& name, int value) {
        text += fmt::format("#define {} {}\n", name, value);
    };
    define("N", line_length(radices));
    define("STAGES", static_cast<int>(stages));
    define("LAST_STAGE", static_cast<int>(stages) - 1);
    define("PAIRED_LAST", paired_last);
    define("TX", line.items);
    define("VALUES", line.values);
    define("SPLIT", line.exchange == ExchangeForm::split);
    define("LINE_CELLS", line.cells);
    define("IN_PLACE", line.order == LineOrder::in_place);
    define("PAD_BLOCK", line.pad_block);
    define("PAD", line.order == LineOrder::in_place && stages > 1 ? line.pads.front() : 0);
    define("SECOND_BUFFER", line.exchange == ExchangeForm::ping_pong ? line.cells / 2 : 0);
    for (std::size_t s = 0; s < stages; ++s) {
        const std::size_t r = stages - 1 - s;  // the stage's place in reversed order
        define(fmt::format("R{}", s), radices[s]);
        define(fmt::format("S{}", s), strides[s]);
        define(fmt::format("B{}", s), back_strides[r]);
        define(fmt::format("W{}", s), tables[s]);
        define(fmt::format("V{}", s), back_tables[r]);
        if (s > 0) define(fmt::format("PAD{}", s), line.pads[s - 1]);
        if (r > 0) define(fmt::format("BACK_PAD{}", s), line.back_pads[r - 1]);
    }
    return text;
}

}  // namespace clconv
