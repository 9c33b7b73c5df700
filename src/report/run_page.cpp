// SPDX-License-Identifier: Apache-2.0
#include "report/run_page.h"

#include "base/errors.h"
#include "pages/pages.h"
#include "report/json_values.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>
#include <utility>

namespace clconv {

using nlohmann::ordered_json;

namespace {

bool is_list_of_objects(const ordered_json& report, const char* field)
{
    const auto list = report.find(field);
    if (list == report.end() || !list->is_array()) return false;
    for (const ordered_json& entry : *list)
        if (!entry.is_object()) return false;
    return true;
}

/// Leaves out what says nothing: null, empty texts, lists and objects.
void remove_empty(ordered_json& entry)
{
    for (auto field = entry.begin(); field != entry.end();) {
        const bool is_empty = field->is_string() ? field->get_ref<const std::string&>().empty()
                                                 : !field->is_number() && !field->is_boolean() && field->empty();
        field = is_empty ? entry.erase(field) : std::next(field);
    }
}

/// Many images have the same plan: `plan` of an item becomes its number in `plans` of the report.
void collect_plans(ordered_json& report)
{
    std::map<std::string, std::size_t> numbers;
    ordered_json plans = ordered_json::array();
    for (ordered_json& item : report["items"]) {
        const auto plan = item.find("plan");
        if (plan == item.end() || !plan->is_string()) continue;
        const auto [known, is_new] = numbers.try_emplace(plan->get<std::string>(), numbers.size());
        if (is_new) plans.push_back(known->first);
        *plan = known->second;
    }
    report["plans"] = std::move(plans);
}

void condense_run(ordered_json& report)
{
    collect_plans(report);
    for (ordered_json& item : report["items"]) {
        if (item.contains("warning_details")) item.erase("warnings");  // the same messages
        remove_empty(item);
    }
}

ordered_json pictures_json(const std::vector<PagePicture>& pictures)
{
    ordered_json list = ordered_json::array();
    for (const PagePicture& picture : pictures)
        list.push_back({{"uri", picture.uri}, {"width", picture.width}, {"height", picture.height}});
    return list;
}

ordered_json gallery_json(const PageGallery& gallery)
{
    ordered_json list = ordered_json::array();
    for (const PagePictures& images : gallery.pictures)
        list.push_back({{"entry", images.entry},
                        {"whole", pictures_json(images.overviews)},
                        {"details", pictures_json(images.details)},
                        {"x", images.detail_x},
                        {"y", images.detail_y},
                        {"from", images.shown_from},
                        {"to", images.shown_to}});
    return {{"pictures", std::move(list)}, {"missing", gallery.missing}};
}

/// Reports may come from elsewhere: a count that is none is 0.
std::size_t count_of(const ordered_json& report, const char* name)
{
    const auto counts = report.find("counts");
    if (counts == report.end() || !counts->is_object()) return 0;
    const auto value = counts->find(name);
    return value != counts->end() && value->is_number_unsigned() ? value->get<std::size_t>() : 0;
}

std::string headline_of_run(const ordered_json& report)
{
    const bool ended_early = report.value("error", ordered_json()).is_string();
    if (ended_early && count_of(report, "total") == 0) return "The run ended before its first image";
    std::string text = fmt::format("{} of {} images done", count_of(report, "done"), count_of(report, "total"));
    for (const auto& [name, words] :
         {std::pair{"failed", "failed"}, std::pair{"skipped", "skipped"}, std::pair{"not_started", "not started"}})
        if (const std::size_t count = count_of(report, name); count > 0) text += fmt::format(", {} {}", count, words);
    return text + (ended_early ? "; the run ended early" : "");
}

std::string headline_of_comparison(const ordered_json& report)
{
    std::size_t within = 0;
    for (const ordered_json& pair : report["pairs"]) within += pair.value("within", ordered_json(false)) == true;
    const auto tolerances = report.find("tolerances");
    const bool has_none = tolerances != report.end() && tolerances->is_object() && tolerances->empty();
    return fmt::format("{} of {} pairs {}", within, report["pairs"].size(),
                       has_none ? "compared, without tolerances" : "within tolerances");
}

/// "run", "bloom", ...: the command's second word, or that of the first shard.
std::string command_name(const ordered_json& report)
{
    const auto shards = report.find("shards");
    const bool is_merged =
        shards != report.end() && shards->is_array() && !shards->empty() && shards->front().is_object();
    const ordered_json& run = is_merged ? shards->front() : report;
    const auto command = run.find("command");
    if (command == run.end() || !command->is_array() || command->size() < 2 || !(*command)[1].is_string()) return "run";
    return (*command)[1].get<std::string>();
}

}  // namespace

ordered_json parsed_report(const std::string& name, const std::string& text)
{
    ordered_json report = parsed_json(name, text);
    if (report.is_discarded())
        throw InputError(fmt::format(
            "{}: is not JSON; give a file that clconv run --report, merge-reports or compare --json wrote", name));
    const bool is_known = report.is_object() && ((is_list_of_objects(report, "items") && report.contains("counts")) ||
                                                 is_list_of_objects(report, "pairs"));
    if (!is_known)
        throw InputError(fmt::format(
            "{}: is not a report: give a file that clconv run --report, merge-reports or compare --json wrote", name));
    return report;
}

ReportKind kind_of_report(const ordered_json& report)
{
    return report.contains("pairs") ? ReportKind::comparison : ReportKind::run;
}

std::string report_page(ordered_json report, const PageGallery& gallery)
{
    const bool is_run = kind_of_report(report) == ReportKind::run;
    const std::string headline = is_run ? headline_of_run(report) : headline_of_comparison(report);
    const std::string command = "clconv " + (is_run ? command_name(report) : "compare");
    if (is_run) condense_run(report);
    const std::string content = fmt::format(
        "<main>\n<header><p class=\"quiet\">{}</p>\n<h1>{}</h1></header>\n"
        "<noscript><p>This page shows the rest with a script, which is part of the page.</p></noscript>\n</main>\n",
        escaped(command), escaped(headline));
    const std::string data =
        embedded_json("report", json_text(report, -1)) + embedded_json("gallery", json_text(gallery_json(gallery), -1));
    std::vector<std::string_view> scripts{"dom.js", "charts.js", "gallery.js", "items.js"};
    scripts.emplace_back(is_run ? "run.js" : "comparison.js");
    return page_text({command + ": " + headline, content + data, {"report.css"}, std::move(scripts)});
}

}  // namespace clconv
