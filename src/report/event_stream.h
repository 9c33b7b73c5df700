// SPDX-License-Identifier: Apache-2.0
// Events as NDJSON, one object a line, as they happen: `--events FILE|-`.
#pragma once

#include "report/events.h"
#include "report/tally.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace clconv {

class EventStream final : public Sink {
public:
    /// Writes to `path`, or to standard output if it is "-". `broken` is called once when a line cannot be written
    /// (the reader of a pipe has gone, the disk is full), with errno; nothing is written after that.
    /// Throws InvalidProblem if the file cannot be opened.
    EventStream(const std::filesystem::path& path, std::function<void(int reason)> broken);
    ~EventStream() override;

    void message(Level level, std::string_view text) override;
    void run_started(const RunInfo& run) override;
    void item_started(const ItemInfo& item) override;
    void item_progressed(const ItemInfo& item, const ItemProgress& progress) override;
    void item_finished(const ItemInfo& item, const ItemResult& result) override;
    void run_finished(const RunResult& result) override;

private:
    void write(const nlohmann::ordered_json& event);

    std::FILE* file_ = nullptr;
    std::function<void(int)> broken_;
    std::vector<RunDevice> devices_;
    Tally tally_;
};

}  // namespace clconv
