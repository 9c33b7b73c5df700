// SPDX-License-Identifier: Apache-2.0
#include "batch/attempt_run.h"

#include "base/clock.h"
#include "batch/pipeline.h"
#include "batch/recorded_steps.h"
#include "batch/started_run.h"
#include "files/output_checks.h"
#include "opencl/device_choice.h"
#include "opencl/kept_programs.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>

namespace clconv {

namespace {

using Workers = std::vector<std::shared_ptr<ImageWorker>>;

/// Nothing can interrupt a driver that compiles. So a stop signal then ends this process at once, as a second signal
/// does, and what is not finished stays undone. The returned function is called from a thread of its own.
SlowDriver ended_by_a_signal(Sink& sink, CodecBoard& board)
{
    return [&board, &sink, report = slow_driver_messages(sink)](const std::string& what, std::chrono::seconds so_far) {
        report(what, so_far);
        if (board.stop() == 0) return;
        sink.message(Level::info, fmt::format("stopped while the driver compiles {}", what));
        std::_Exit(0);
    };
}

/// The run that this process makes, and where it reports.
struct RunContext {
    const PreparedRun& run;
    CodecBoard& board;
    Sink& sink;
};

/// Opens the devices and the manifest, makes the folders of outputs, and reports the start of the run.
Opened open_run(const RunContext& context, StartedRun& started, std::optional<Manifest>& manifest)
{
    const auto& [run, board, sink] = context;
    const Clock::time_point start = Clock::now();
    std::vector<DeviceInfo> devices;
    if (!run.copies) devices = chosen_devices(run.devices, sink);
    for (const DeviceInfo& device : devices) check_supported(run.work.convolve.precision, device.traits);
    ProgramCache cache = program_cache(run.caches, sink);
    cache.slow = ended_by_a_signal(sink, board);
    Opened opened = started.open(devices, cache);
    make_folders(run.items);
    if (const std::size_t removed = remove_abandoned(run.items); removed > 0)
        sink.message(Level::info, fmt::format("removed {} unfinished file{} of runs that were killed", removed,
                                              removed == 1 ? "" : "s"));
    if (run.manifest) manifest.emplace(run.manifest->file);
    RunInfo info;  // the receiver knows the rest
    for (const DeviceInfo& device : devices)
        info.devices.push_back({device.index, device.platform, device.name, device.driver});
    if (!run.copies) info.opening = Clock::now() - start;
    sink.run_started(info);
    return opened;
}

/// The batches of the attempt's items: all together, or one input after another.
std::vector<std::vector<Item>> batches(const Attempt& attempt)
{
    if (!attempt.one_at_a_time) return {attempt.items};
    std::vector<std::vector<Item>> batches;
    for (const Item& item : attempt.items) {
        if (batches.empty() || batches.back().front().info.input != item.info.input) batches.emplace_back();
        batches.back().push_back(item);
    }
    return batches;
}

void work(const RunContext& context, const Attempt& attempt, Workers& workers)
{
    const auto& [run, board, sink] = context;
    StartedRun started(run, board);
    Steps steps = started.steps(sink);
    std::optional<Manifest> manifest;
    if (run.manifest)
        steps = recorded_steps(steps, run.manifest->context,
                               [&](const ManifestRecord& record) { manifest->append(record, context.sink); });
    std::optional<Opened> opened;
    steps.open = [&] {
        if (!opened) opened = open_run(context, started, manifest);
        workers = opened->workers;
        return *opened;
    };
    if (attempt.one_at_a_time) static_cast<void>(steps.open());
    const PipelineOptions pipeline{attempt.one_at_a_time ? 1 : run.jobs, run.fail_fast, started.memory_ahead(), &board};
    for (const std::vector<Item>& items : batches(attempt)) {
        const Tally tally = run_pipeline(items, steps, pipeline, board.stop(), sink);
        if (board.stop() != 0 || (run.fail_fast && tally.failed > 0)) return;
    }
}

}  // namespace

AttemptEnd attempt_run(const PreparedRun& run, const Attempt& attempt, CodecBoard& board, Sink& sink,
                       const ExitCodeOf& exit_code_of)
{
    AttemptEnd end;
    auto workers = std::make_shared<Workers>();  // they refer to the run
    try {
        work({run, board, sink}, attempt, *workers);
    } catch (const std::exception& error) {
        end.end = {exit_code_of(error), error.what()};
    }
    // Not after a stop signal.
    end.afterwards = [workers, &board] {
        if (board.stop() == 0)
            for (const std::shared_ptr<ImageWorker>& worker : *workers) worker->keep_programs(kKeepingBudget);
        workers->clear();
    };
    return end;
}

}  // namespace clconv
