// SPDX-License-Identifier: Apache-2.0
#include "batch/sample_notes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace clconv {

bool SampleNotes::is_new(const std::string& what)
{
    const std::lock_guard lock(mutex_);
    return reported_.insert(what).second;
}

void SampleNotes::note_type(const Item& item, ItemResult& result)
{
    const FileType from = requested_.depth ? file_type_of(*requested_.depth) : result.image->type;
    const FileType to = *result.output_type;
    if (from == to) return;
    const std::string difference = fmt::format("{}: {} {}, and those of {} {}", item.info.input.string(),
                                               requested_.depth ? "--depth requests samples of" : "its samples are",
                                               name_of(from), item.info.output.string(), name_of(to));
    if (holds(to, from)) {
        if (is_new(fmt::format("type {} {}", name_of(from), name_of(to))))
            sink_.message(Level::info, difference + "; this is logged once for each change of type");
        return;
    }
    const std::string_view remedy =
        from == FileType::float64 ? "--precision double, and --format tif or fits" : "--format and --depth";
    result.warnings.emplace_back(WarningKind::type,
                                 fmt::format("{}, which does not hold all of their values: see {}", difference, remedy),
                                 std::string(name_of(from)), std::string(name_of(to)));
}

void SampleNotes::note_copied(const Item& item, const std::vector<std::string>& channels)
{
    const std::string list = fmt::format("{}", fmt::join(channels, ", "));
    if (channels.empty() || !is_new("copied " + list)) return;
    sink_.message(
        Level::info,
        fmt::format("{}: copied, not convolved: {}; --channels chooses, and this is logged once for each such list",
                    item.info.input.string(), list));
}

void SampleNotes::note_light(const Item& item, ItemResult& result)
{
    const std::string input = item.info.input.string();
    const std::string output = item.info.output.string();
    const bool codes = *result.output_type == FileType::u8 || *result.output_type == FileType::u16;
    const bool was_codes = result.image->type == FileType::u8 || result.image->type == FileType::u16;
    const bool is_dark = stays_stored_ && !result.plan.empty() && result.image->says_linear && !was_codes && codes;
    if (is_dark)
        result.warnings.emplace_back(
            WarningKind::colour,
            fmt::format("{} holds linear values; {} will look dark without --linear", input, output), "linear",
            "codes");
    if (result.transfer.empty()) return;
    if (is_new(fmt::format("light {} {}", result.transfer, result.output_transfer)))
        sink_.message(
            Level::info,
            fmt::format("{}: its transfer function is {}, that of {} {}; this is logged once for each pair of them",
                        input, result.transfer, output, result.output_transfer));
    if (codes && was_codes && result.transfer.starts_with("ICC") && result.output_transfer != result.transfer)
        result.warnings.emplace_back(
            WarningKind::colour,
            fmt::format("{}: its profile ({}) is not kept in {}, whose samples are encoded by sRGB's curve; its "
                        "colours will look like sRGB",
                        input, result.transfer, output),
            result.transfer, result.output_transfer);
}

std::string SampleNotes::overflow_warning(const Item& item, std::size_t samples, FileType type)
{
    if (type != FileType::half)
        return fmt::format(
            "{}: {} sample{} outside the range of {} by more than a code, and clamped in {}; --depth float keeps "
            "them, --normalize sum (the default) keeps a blur as large as the image, and --bias lifts results below 0",
            item.info.input.string(), samples, samples == 1 ? " is" : "s are", name_of(type),
            item.info.output.string());
    return fmt::format(
        "{}: {} sample{} beyond the largest half (65504) and infinite in {}; use --depth float, or "
        "--normalize sum-all to keep results as large as the image",
        item.info.input.string(), samples, samples == 1 ? " is" : "s are", item.info.output.string());
}

void SampleNotes::note_changes(const Item& item, ItemResult& result, StoredForms forms) const
{
    const std::vector<Warning> reported = result.warnings;
    const auto is_reported = [&](WarningKind kind) {
        return std::ranges::find(reported, kind, &Warning::kind) != reported.end();
    };
    std::erase_if(forms.before.tags, [&](const std::string& tag) {
        return std::ranges::any_of(reported, [&](const Warning& warning) {
            return warning.kind == WarningKind::tags && warning.message.find(tag) != std::string::npos;
        });
    });
    const std::string part = forms.part == item.info.part.value_or(0) ? "" : fmt::format(" (part {})", forms.part);
    const std::filesystem::path input = item.info.input.string() + part;
    FormRequest requested = requested_;
    requested.light |= !result.transfer.empty();
    for (Warning& change : form_changes(input, forms.before, item.info.output, forms.after, requested)) {
        const bool is_of_type = part.empty() && change.kind == WarningKind::bits && is_reported(WarningKind::type);
        const bool is_new_tag = change.kind == WarningKind::tags && part.empty();
        if (is_new_tag || (!is_reported(change.kind) && !is_of_type)) result.warnings.push_back(std::move(change));
    }
}

void SampleNotes::add(const Item& item, ItemResult& result, const std::vector<StoredForms>& forms)
{
    if (result.output_type) result.output_type = true_type(forms.front().after, *result.output_type);
    if (result.overflowed > 0)
        result.warnings.emplace_back(
            WarningKind::clamped,
            overflow_warning(item, result.overflowed, result.output_type.value_or(FileType::half)));
    note_copied(item, result.copied_channels);
    if (!result.image || !result.output_type) return;
    note_type(item, result);
    note_light(item, result);
    for (const StoredForms& part : forms) note_changes(item, result, part);
}

}  // namespace clconv
