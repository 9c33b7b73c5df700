// SPDX-License-Identifier: Apache-2.0
#include "report/event_stream.h"

#include "base/errors.h"
#include "report/json_values.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstring>

namespace clconv {

using nlohmann::ordered_json;

EventStream::EventStream(const std::filesystem::path& path, std::function<void(int)> broken)
    : broken_(std::move(broken))
{
    file_ = path == "-" ? stdout : std::fopen(path.c_str(), "wb");
    if (!file_)
        throw InvalidProblem(fmt::format("--events {}: cannot be opened: {}", path.string(), std::strerror(errno)));
}

EventStream::~EventStream()
{
    if (file_ && file_ != stdout) std::fclose(file_);
}

void EventStream::write(const ordered_json& event)
{
    if (!broken_) return;
    const std::string line = json_text(event, -1) + "\n";
    if (std::fwrite(line.data(), 1, line.size(), file_) == line.size() && std::fflush(file_) == 0) return;
    const int reason = errno;
    std::exchange(broken_, nullptr)(reason);
}

void EventStream::message(Level level, std::string_view text)
{
    if (level >= Level::info) write({{"event", "message"}, {"level", name_of(level)}, {"text", text}});
}

void EventStream::run_started(const RunInfo& run)
{
    devices_ = run.devices;
    tally_.total = run.items.size();
    ordered_json event{{"event", "run_started"}};
    event.update(run_json(run));
    event["items"] = run.items.size();
    write(event);
}

void EventStream::item_started(const ItemInfo& item)
{
    write({{"event", "item_started"},
           {"index", item.index},
           {"input", item.input.string()},
           {"output", item.output.string()},
           {"psf", item.psf}});
}

void EventStream::item_progressed(const ItemInfo& item, const ItemProgress& progress)
{
    write({{"event", "item_progressed"},
           {"index", item.index},
           {"iterations", progress.done},
           {"max_iterations", progress.maximum}});
}

void EventStream::item_finished(const ItemInfo& item, const ItemResult& result)
{
    add(tally_, result);
    ordered_json event{{"event", "item_finished"}};
    event.update(item_json(item, result, devices_));
    write(event);
}

void EventStream::run_finished(const RunResult& result)
{
    write({{"event", "run_finished"},
           {"exit_code", result.exit_code},
           {"signal", result.signal != 0 ? ordered_json(result.signal) : ordered_json(nullptr)},
           {"error", result.error.empty() ? ordered_json(nullptr) : ordered_json(result.error)},
           {"wall_seconds", result.wall.count()},
           {"counts", counts_json(tally_)},
           {"stages", stages_json(tally_.stages)}});
}

}  // namespace clconv
