#include "fft/local_line.h"

#include "fft/bank_conflicts.h"
#include "fft/stage_index.h"
#include "fft/twiddles.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace clconv {
namespace {

int product(const std::vector<int>& radices)
{
    return std::accumulate(radices.begin(), radices.end(), 1, std::multiplies<>());
}

int ceil_div(int a, int b) { return (a + b - 1) / b; }

/// Butterflies of one stage that each of `items` work-items has registers for.
int share(int length, int radix, int items, bool paired)
{
    if (paired) return 2 * ceil_div(pair_count(length, radix), items);
    return ceil_div(length / radix, items);
}

struct Load {
    int values = 0;  ///< registers a work-item needs
    int work = 0;    ///< values all work-items could hold, over all stages: what idle ones waste included
};

Load load_of(const LocalLineRequest& request, int length, int items)
{
    Load load;
    for (std::size_t s = 0; s < request.radices.size(); ++s) {
        const bool paired = request.paired_last && s + 1 == request.radices.size();
        const int values = share(length, request.radices[s], items, paired) * request.radices[s];
        load.values = std::max(load.values, values);
        load.work += values * items;
    }
    return load;
}

/// Some stage has as many butterflies as work-items, or a whole multiple: none of these idles there, and in the other
/// stages work-items come out even more often than not.
bool comes_out_even(const LocalLineRequest& request, int length, int items)
{
    for (std::size_t s = 0; s < request.radices.size(); ++s) {
        const bool paired = request.paired_last && s + 1 == request.radices.size();
        const int radix = request.radices[s];
        if ((paired ? pair_count(length, radix) : length / radix) % items == 0) return true;
    }
    return false;
}

/// Work-items a line. More of them hide each other's waiting, which is worth a little idleness.
std::optional<int> choose_items(const LocalLineRequest& request, int length)
{
    constexpr double idleness = 1.1;
    const int most = std::min(request.max_group / request.lines, length);
    std::vector<int> possible, even;
    for (int items = most; items >= 1; --items) {
        if (request.items && *request.items != items) continue;
        if (load_of(request, length, items).values > request.max_values) continue;
        possible.push_back(items);
        if (comes_out_even(request, length, items)) even.push_back(items);
    }
    const std::vector<int>& candidates = even.empty() ? possible : even;
    if (candidates.empty()) return std::nullopt;
    const auto work = [&](int items) { return load_of(request, length, items).work; };
    int least = work(candidates.front());
    for (const int items : candidates) least = std::min(least, work(items));
    return *std::find_if(candidates.begin(), candidates.end(),
                         [&](int items) { return work(items) <= idleness * least; });
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
        const int pad = request.banks ? best_pad(exchange) : 0;
        padded.pads.push_back(pad);
        padded.cells = std::max(padded.cells, length / block * (block + pad));
        stride = block;
    }
    return padded;
}

bool lay_out(LocalLine& line, const LocalLineRequest& request, int length)
{
    std::vector<int> reversed(request.radices.rbegin(), request.radices.rend());
    const Padded there = pad_exchanges(request.radices, length, line, request);
    const Padded back = pad_exchanges(reversed, length, line, request);
    line.pads = there.pads;
    line.back_pads = back.pads;
    line.cells = std::max(there.cells, back.cells);
    const auto fits = [&] { return line.cells * cell_bytes(line) * request.lines <= request.local_memory; };
    if (fits()) return true;
    std::fill(line.pads.begin(), line.pads.end(), 0);
    std::fill(line.back_pads.begin(), line.back_pads.end(), 0);
    line.cells = length;
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

std::optional<LocalLine> local_line(const LocalLineRequest& request)
{
    if (request.radices.empty() || request.radices.size() > kMaxLocalStages) return std::nullopt;
    const int length = product(request.radices);
    const auto items = choose_items(request, length);
    if (!items) return std::nullopt;
    LocalLine line;
    line.items = *items;
    line.values = load_of(request, length, *items).values;
    for (const bool split : {false, true}) {
        if (request.split && *request.split != split) continue;
        line.split = split;
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
    define("N", product(radices));
    define("STAGES", static_cast<int>(stages));
    define("LAST_SLOT", static_cast<int>(stages) - 1);
    define("PAIRED_LAST", paired_last);
    define("TX", line.items);
    define("ITEMS", line.values);
    define("SPLIT", line.split);
    define("LINE_CELLS", line.cells);
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
