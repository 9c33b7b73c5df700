// SPDX-License-Identifier: Apache-2.0
// A timeline of the run for Perfetto (ui.perfetto.dev) and chrome://tracing: `--trace FILE.json`.
//
// Trace events in their JSON form: a process for the host with a track a thread, and one for each device with tracks
// for its passes and copies. A span that overlaps another gets another track, because viewers require that the spans of
// a track are nested.
#pragma once

#include "base/clock.h"
#include "report/events.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace clconv {

class Trace final : public Sink {
public:
    /// Time 0 is the construction of this object. `broken` is called once with errno if the file cannot be written.
    /// Throws InvalidProblem if it cannot be opened.
    Trace(const std::filesystem::path& path, std::function<void(int reason)> broken);
    ~Trace() override;

    void run_started(const RunInfo& run) override;
    void item_finished(const ItemInfo& item, const ItemResult& result) override;
    void run_finished(const RunResult& result) override;

private:
    struct Track {
        int id = 0;
        Clock::time_point end;  ///< of its last span
    };

    void write(const std::string& text);
    void add_event(const nlohmann::ordered_json& event);
    void add_span(const ItemInfo& item, int process, const std::string& track, const Span& span);
    /// A track of that name on which `span` overlaps nothing.
    int track_for(int process, const std::string& name, const Span& span);

    std::FILE* file_ = nullptr;
    std::function<void(int)> broken_;
    const Clock::time_point start_ = Clock::now();
    bool first_ = true;
    std::map<std::pair<int, std::string>, std::vector<Track>> tracks_;  ///< by process and name
    int last_id_ = 0;
};

}  // namespace clconv
