#include "batch/sample_notes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace clconv {

bool SampleNotes::is_new(const std::string& what)
{
    const std::lock_guard lock(mutex_);
    return told_.insert(what).second;
}

void SampleNotes::tell_type(const Item& item, FileType from, FileType to)
{
    if (from == to || asks_type_ || !is_new(fmt::format("type {} {}", name_of(from), name_of(to)))) return;
    const bool fits = holds(to, from);
    sink_.message(fits ? Level::info : Level::warning,
                  fmt::format("{}: its samples are {}, and those of {} {}{}; this is told once for each change of type",
                              item.info.input.string(), name_of(from), item.info.output.string(), name_of(to),
                              fits ? "" : ", which does not hold all of their values: see --format and --depth"));
}

void SampleNotes::tell_copied(const Item& item, const std::vector<std::string>& channels)
{
    const std::string list = fmt::format("{}", fmt::join(channels, ", "));
    if (channels.empty() || !is_new("copied " + list)) return;
    sink_.message(Level::info,
                  fmt::format("{}: copied, not convolved: {}; --channels chooses, and this is told once for "
                              "each such list",
                              item.info.input.string(), list));
}

std::string SampleNotes::overflow_warning(const Item& item, std::size_t samples)
{
    return fmt::format(
        "{}: {} sample{} beyond the largest half (65504) and infinite in {}; use --depth float, or "
        "--normalize sum-all to keep results as large as the image",
        item.info.input.string(), samples, samples == 1 ? " is" : "s are", item.info.output.string());
}

void SampleNotes::add(const Item& item, ItemResult& result)
{
    if (result.overflowed > 0) result.warnings.push_back(overflow_warning(item, result.overflowed));
    tell_copied(item, result.copied_channels);
    if (result.image && result.output_type) tell_type(item, result.image->type, *result.output_type);
}

}  // namespace clconv
