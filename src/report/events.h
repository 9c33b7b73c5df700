// SPDX-License-Identifier: Apache-2.0
// The events of a run as values, and the interface for their receivers.
//
// Code below the commands never prints, except for the progress bar. It reports events to a Sink. The log, the progress
// bar, the JSON report and the event stream are sinks. Fanout passes every event on to several sinks, one call at a
// time.
#pragma once

#include "base/clock.h"
#include "base/extent.h"
#include "base/fields.h"
#include "base/file_type.h"
#include "base/messages.h"
#include "base/timings.h"
#include "base/warning.h"
#include "files/item.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace clconv {

enum class ItemStatus {
    not_started,  ///< the run ended before it
    done,
    failed,
    skipped,  ///< its output exists, and --skip-existing was given
};
template <>
inline constexpr auto kNames<ItemStatus> = std::to_array<Named<ItemStatus>>({{"not_started", ItemStatus::not_started},
                                                                             {"done", ItemStatus::done},
                                                                             {"failed", ItemStatus::failed},
                                                                             {"skipped", ItemStatus::skipped}});

/// Facts about an input, known from reading it.
struct ImageFacts {
    Extent extent;
    int channels = 0;
    FileType type = FileType::float32;  ///< of the file
    bool says_linear = false;           ///< the file says that its samples are light
};
CLCONV_FIELDS(ImageFacts, extent, channels, type, says_linear)

CLCONV_FIELDS(StageTime, stage, time)
CLCONV_FIELDS(Span, track, name, start, end, program)

/// The result of an item.
struct ItemResult {
    ItemStatus status = ItemStatus::not_started;
    std::string error;                         ///< for failed items: the whole message
    std::vector<Warning> warnings;             ///< unrequested effects that the user should know; each names the file
    std::vector<std::string> copied_channels;  ///< their names; they are not convolved
    std::optional<ImageFacts> image;           ///< of the input, if it could be read
    std::uint64_t pixels = 0;                  ///< of all parts of the output together; for done items
    std::size_t parts = 0;                     ///< convolved parts of the input; 0 if it could not be read
    std::size_t overflowed = 0;  ///< samples beyond the output's type: infinite, or clamped by more than a code
    std::optional<FileType> output_type;  ///< of the file that was written
    std::string transfer;                 ///< the input's transfer function under --linear, in words; else empty
    std::string output_transfer;          ///< that of the file that was written, likewise
    std::string plan;                     ///< describe(plan); empty if none was made
    std::string plan_origin;              ///< where its decisions come from: the heuristic, or which record
    std::string plan_check;               ///< of its first result: passed, passed before, undecided or off
    std::vector<double> residuals;        ///< of a deconvolution's iterations, for several parts of the first
    std::optional<std::size_t> device;    ///< index in RunInfo::devices of the device that made it
    std::filesystem::path copy_of;        ///< the output that was copied, for links to a file of another item
    std::vector<StageTime> times;
    std::vector<Span> spans;  ///< what was done, and when
    Seconds finished{0};      ///< when it was reported, after RunInfo::start
};
CLCONV_FIELDS(ItemResult, status, error, warnings, copied_channels, image, pixels, parts, overflowed, output_type,
              transfer, output_transfer, plan, plan_origin, plan_check, residuals, device, copy_of, times, spans,
              finished)

/// How far an image is that takes long.
struct ItemProgress {
    int done = 0;     ///< iterations so far
    int maximum = 0;  ///< of them; fewer may be enough
};
CLCONV_FIELDS(ItemProgress, done, maximum)

/// A device of a run, as reports name it.
struct RunDevice {
    std::string index;
    std::string platform;
    std::string name;
    std::string driver;
};
CLCONV_FIELDS(RunDevice, index, platform, name, driver)

/// The part of a batch that a run makes, so that reports of all parts can be merged.
struct RunShard {
    std::size_t index = 0;
    std::size_t count = 1;
    std::size_t items = 0;  ///< of all shards together
    std::string list;       ///< digest of all items' names and of the PSFs: equal for shards of one batch
};

/// Facts that are known before the first item starts.
struct RunInfo {
    std::string version;    ///< of clconv
    std::string libraries;  ///< that read and write images
    std::vector<std::string> command;
    std::vector<std::pair<std::string, std::string>> options;  ///< name -> value, given or default
    std::vector<RunDevice> devices;  ///< in the order of --device; a device that is named twice counts twice
    int jobs = 1;                    ///< reading threads, and as many writing threads
    Clock::time_point start = Clock::now();
    Seconds opening{0};  ///< time to open the devices, while inputs were already being read
    RunShard shard;
    std::vector<ItemInfo> items;  ///< of this shard, in the order of their indices
    std::size_t skipped = 0;      ///< of them, whose outputs exist and stay
};

/// The end of a run.
struct RunResult {
    Seconds wall{0};
    int exit_code = 0;
    int signal = 0;     ///< the signal that stopped the run; 0: none
    std::string error;  ///< that ended the run; empty if it finished
};

/// Receives every event. Calls come from several threads, but never two at a time, which Fanout ensures. Sinks do not
/// throw.
class Sink : public Messages {
public:
    void message(Level /*level*/, std::string_view /*text*/) override {}
    virtual void run_started(const RunInfo& /*run*/) {}
    virtual void item_started(const ItemInfo& /*item*/) {}
    virtual void item_progressed(const ItemInfo& /*item*/, const ItemProgress& /*progress*/) {}
    virtual void item_finished(const ItemInfo& /*item*/, const ItemResult& /*result*/) {}
    virtual void run_finished(const RunResult& /*result*/) {}
};

/// Passes every event on to one sink, which can be replaced by another while others hold this one.
class Relay final : public Sink {
public:
    explicit Relay(Sink& to) : to_(&to) {}
    /// Must not be called while events arrive. `to` must outlive this object.
    void pass_to(Sink& to) { to_ = &to; }

    void message(Level level, std::string_view text) override { to_->message(level, text); }
    void run_started(const RunInfo& run) override { to_->run_started(run); }
    void item_started(const ItemInfo& item) override { to_->item_started(item); }
    void item_progressed(const ItemInfo& item, const ItemProgress& progress) override
    {
        to_->item_progressed(item, progress);
    }
    void item_finished(const ItemInfo& item, const ItemResult& result) override { to_->item_finished(item, result); }
    void run_finished(const RunResult& result) override { to_->run_finished(result); }

private:
    Sink* to_;
};

/// Passes every event on to its sinks, in the order in which they were added.
class Fanout final : public Sink {
public:
    void add(std::shared_ptr<Sink> sink);

    void message(Level level, std::string_view text) override;
    void run_started(const RunInfo& run) override;
    void item_started(const ItemInfo& item) override;
    void item_progressed(const ItemInfo& item, const ItemProgress& progress) override;
    void item_finished(const ItemInfo& item, const ItemResult& result) override;
    void run_finished(const RunResult& result) override;

private:
    std::mutex mutex_;
    std::vector<std::shared_ptr<Sink>> sinks_;
};

}  // namespace clconv
