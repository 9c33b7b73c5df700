// SPDX-License-Identifier: Apache-2.0
#include "report/trace.h"

#include "base/errors.h"
#include "report/json_values.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace clconv {

using nlohmann::ordered_json;

namespace {

constexpr int kHost = 1;
constexpr int kDevice = 2;  ///< the first; the others follow

double microseconds(Clock::duration time) { return std::chrono::duration<double, std::micro>(time).count(); }

/// Copies and passes of a device overlap, each on queues of its own.
std::string device_track(const std::string& name)
{
    return name == stage::kUpload || name == stage::kDownload ? name : "passes";
}

}  // namespace

Trace::Trace(const std::filesystem::path& path, std::function<void(int)> broken) : broken_(std::move(broken))
{
    file_ = path == "-" ? stdout : std::fopen(path.c_str(), "wb");
    if (!file_)
        throw InvalidProblem(fmt::format("--trace {}: cannot be opened: {}", path.string(), std::strerror(errno)));
    write("{\"displayTimeUnit\": \"ms\", \"traceEvents\": [");
}

Trace::~Trace()
{
    if (file_ != stdout) std::fclose(file_);
}

void Trace::write(const std::string& text)
{
    if (!broken_) return;
    if (std::fwrite(text.data(), 1, text.size(), file_) == text.size()) return;
    std::exchange(broken_, nullptr)(errno);
}

void Trace::add_event(const ordered_json& event)
{
    write((std::exchange(first_, false) ? "\n" : ",\n") + json_text(event, -1));
}

int Trace::track_for(int process, const std::string& name, const Span& span)
{
    std::vector<Track>& tracks = tracks_[{process, name}];
    auto track = std::ranges::find_if(tracks, [&](const Track& each) { return each.end <= span.start; });
    if (track == tracks.end()) {
        tracks.push_back({++last_id_, {}});
        track = std::prev(tracks.end());
        const std::string label = tracks.size() == 1 ? name : fmt::format("{} ({})", name, tracks.size());
        add_event(
            {{"name", "thread_name"}, {"ph", "M"}, {"pid", process}, {"tid", track->id}, {"args", {{"name", label}}}});
    }
    track->end = span.end;
    return track->id;
}

void Trace::add_span(const ItemInfo& item, int process, const std::string& track, const Span& span)
{
    const int id = track_for(process, track, span);
    ordered_json about = {
        {"item", item.index}, {"input", item.input.string()}, {"output", item.output.string()}, {"psf", item.psf}};
    if (!span.program.empty()) about["program"] = span.program;
    add_event({{"name", span.name},
               {"cat", process == kHost ? "host" : "device"},
               {"ph", "X"},
               {"pid", process},
               {"tid", id},
               {"ts", microseconds(span.start - start_)},
               {"dur", microseconds(span.end - span.start)},
               {"args", about}});
}

void Trace::run_started(const RunInfo& run)
{
    const Clock::time_point open = Clock::now();
    const auto opening = std::chrono::duration_cast<Clock::duration>(run.opening);
    const auto name_process = [&](int process, const std::string& name) {
        add_event({{"name", "process_name"}, {"ph", "M"}, {"pid", process}, {"tid", 0}, {"args", {{"name", name}}}});
    };
    name_process(kHost, "clconv " + run.version);
    for (int i = 0; const RunDevice& device : run.devices)
        name_process(kDevice + i++, fmt::format("{} {}", device.index, device.name));
    for (const Span& span :
         {Span{"main", "prepare", start_, open - opening}, Span{"main", "open", open - opening, open}})
        add_event({{"name", span.name},
                   {"cat", "host"},
                   {"ph", "X"},
                   {"pid", kHost},
                   {"tid", track_for(kHost, span.track, span)},
                   {"ts", microseconds(span.start - start_)},
                   {"dur", microseconds(span.end - span.start)},
                   {"args", {{"items", run.items.size()}}}});
}

void Trace::item_finished(const ItemInfo& item, const ItemResult& result)
{
    for (const Span& span : result.spans)
        if (span.track == "device")
            add_span(item, kDevice + static_cast<int>(result.device.value_or(0)), device_track(span.name), span);
        else
            add_span(item, kHost, span.track, span);
}

void Trace::run_finished(const RunResult& /*result*/)
{
    write("\n]}\n");
    if (broken_ && std::fflush(file_) != 0) std::exchange(broken_, nullptr)(errno);
}

}  // namespace clconv
