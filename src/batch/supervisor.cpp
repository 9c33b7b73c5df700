// SPDX-License-Identifier: Apache-2.0
#include "batch/supervisor.h"

#include "base/coverage.h"
#include "base/temporary_file.h"
#include "batch/item_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace clconv {

namespace {

/// The interval between checks, short enough to find a decoder that takes too much memory before it has taken all.
constexpr std::chrono::milliseconds kInterval{20};

/// The maximum time that one interval counts, because the time of a sleeping machine, or a stopped process, must not
/// count.
constexpr Seconds kMaxInterval{1};

/// The time for a process after all results: it keeps programs and closes devices.
constexpr std::chrono::seconds kMaxEndTime{60};

/// Crashes of clconv itself, with one image each, before the run is given up.
constexpr int kMaxInternal = 3;

std::string advice(CodecKind codec)
{
    return codec == CodecKind::decoder ? kBadFileAdvice : "choose another --format or --compression";
}

std::string codec_failure(const Item& item, CodecKind codec, const std::string& how)
{
    const std::string file = (codec == CodecKind::decoder ? item.info.input : item.info.output).string();
    return fmt::format("{}: its {} {}; {}", file, codec == CodecKind::decoder ? "decoder" : "encoder", how,
                       advice(codec));
}

}  // namespace

Supervisor::Supervisor(SupervisedRun run, const SupervisorOptions& options, AttemptWork work)
    : info_(std::move(run.info)),
      items_(run.items),
      options_(options),
      work_(std::move(work)),
      board_(run.board),
      sink_(run.sink)
{
}

SupervisedEnd Supervisor::run()
{
    Attempt attempt{items_, false};
    do {
        make(attempt);
        attempt = next_attempt();
    } while (!is_over() && !attempt.items.empty());
    // No process got as far as reporting its devices.
    if (!unreported_.empty()) started({}, {});
    return result_;
}

void Supervisor::wait()
{
    if (!child_) return;
    const Clock::time_point start = Clock::now();
    std::string bytes;
    while (child_->read(bytes, static_cast<int>(kInterval.count()))) {
        receive(bytes, *this);
        if (Clock::now() - start > kMaxEndTime) child_->kill();
    }
    static_cast<void>(child_->wait());
}

bool Supervisor::is_over() const
{
    return board_.stop() != 0 || !result_.fatal.error.empty() || (options_.fail_fast && result_.failed > 0);
}

Attempt Supervisor::next_attempt() const
{
    Attempt attempt{left(suspects_), true};
    if (attempt.items.empty()) attempt = {left(items_), false};
    // An output that is there may be complete: the process that died had no time to report it.
    for (Item& item : attempt.items) item.existing = Existing::overwrite;
    return attempt;
}

std::vector<Item> Supervisor::left(const std::vector<Item>& items) const
{
    std::vector<Item> found;
    for (const Item& item : items)
        if (is_left(item)) found.push_back(item);
    return found;
}

void Supervisor::make(const Attempt& attempt)
{
    wait();
    board_.clear();
    is_open_ = took_too_much_ = false;
    started_items_.clear();
    watched_.clear();
    overdue_.clear();
    end_.reset();
    child_ = std::make_unique<ChildProcess>([this, &attempt](int pipe) {
        EventSender sender([pipe](const std::string& frame) { write_all(pipe, frame); });
        const AttemptEnd end = work_(attempt, board_, sender);
        sender.end(end.end);
        end.afterwards();
        keep_counts();
        return 0;
    });
    follow();
    if (!end_) return judge(attempt, child_->wait());
    if (end_->exit_code != 0) result_.fatal = *end_;
    // Otherwise the same attempt would be repeated forever.
    if (!is_over() && !left(attempt.items).empty()) end_run("a process of clconv ended before its work did");
}

void Supervisor::follow()
{
    std::string bytes;
    checked_ = Clock::now();
    bool goes_on = true;
    while (goes_on && !end_) {
        goes_on = child_->read(bytes, static_cast<int>(kInterval.count()));
        receive(bytes, *this);
        if (Clock::now() - checked_ >= kInterval) check();
    }
}

void Supervisor::check()
{
    const Clock::time_point now = Clock::now();
    Entries entries = board_.entries();
    std::erase_if(entries, [](const CodecBoard::Entry& entry) { return entry.paused; });
    watch(entries, std::min<Seconds>(now - std::exchange(checked_, now), kMaxInterval));
    if (!overdue_.empty() || took_too_much_) return child_->kill();
    if (options_.memory == kNoLimit || entries.empty()) return;
    took_too_much_ = child_->own_memory() > options_.memory + board_.allowed();
    if (took_too_much_) child_->kill();
}

void Supervisor::watch(const Entries& entries, Seconds passed)
{
    if (options_.timeout <= Seconds{0} || !overdue_.empty()) return;
    std::map<std::size_t, Watched> now;
    for (const CodecBoard::Entry& entry : entries) {
        Watched& watched = now[entry.slot];
        watched.serial = entry.serial;
        const auto before = watched_.find(entry.slot);
        if (before == watched_.end() || before->second.serial != entry.serial) continue;
        watched.time = before->second.time + passed;
        if (watched.time > options_.timeout) overdue_.push_back(entry);
    }
    watched_ = std::move(now);
}

void Supervisor::judge(const Attempt& attempt, int status)
{
    Entries entries = board_.entries();
    remove_temporaries(entries);
    std::erase_if(entries,
                  [this](const CodecBoard::Entry& entry) { return entry.paused || !is_left(item_at(entry.item)); });
    const std::string how =
        took_too_much_ ? fmt::format("takes more memory than the run may have ({} in all)", in_words(options_.memory))
                       : end_in_words(status);
    suspects_ = left(suspects_);
    if (board_.stop() != 0 && status == 0) return;  // it did not wait for a driver's compiler
    if (board_.stop() != 0)
        return sink_.message(Level::warning, fmt::format("the process that was to finish what is in flight {}", how));
    if (!overdue_.empty()) return judge_overdue();
    if (attempt.one_at_a_time)
        judge_alone(attempt, how, entries);
    else
        judge_crowd(how, entries);
}

void Supervisor::judge_overdue()
{
    for (const CodecBoard::Entry& entry : overdue_) {
        const Item& item = item_at(entry.item);
        const std::string how = fmt::format("is not done after {} s (--timeout)", options_.timeout.count());
        for (const Item& each : entry.codec == CodecKind::decoder ? items_of({item.info.input.string()}) : left({item}))
            fail(each, codec_failure(each, entry.codec, how));
    }
}

void Supervisor::judge_crowd(const std::string& how, const Entries& entries)
{
    std::set<std::string> inputs;
    for (const CodecBoard::Entry& entry : entries) inputs.insert(item_at(entry.item).info.input.string());
    if (inputs.empty())
        for (const std::size_t index : started_items_)
            if (is_left(item_at(index))) inputs.insert(item_at(index).info.input.string());
    suspects_ = items_of(inputs);
    if (suspects_.empty()) return end_run(fmt::format("clconv itself {} while no image was in work", how));
    std::string names;
    for (const std::string& input : inputs) names += (names.empty() ? "" : ", ") + input;
    sink_.message(Level::warning,
                  fmt::format("the process that made the images {}; those that it read or wrote then are tried one by "
                              "one: {}",
                              how, names));
}

void Supervisor::judge_alone(const Attempt& attempt, const std::string& how, const Entries& entries)
{
    if (!is_open_) return end_run(fmt::format("clconv itself {} while it opened its devices", how));
    const std::vector<Item> rest = left(attempt.items);
    // An earlier image may have damaged the process's memory. Try this one again, as the first.
    if (rest.empty() || rest.front().info.input != attempt.items.front().info.input) return;
    std::vector<Item> group;
    for (const Item& item : rest)
        if (item.info.input == rest.front().info.input) group.push_back(item);
    blame(group, how, entries);
}

void Supervisor::blame(const std::vector<Item>& group, const std::string& how, const Entries& entries)
{
    bool is_codec = false;
    for (const CodecBoard::Entry& entry : entries)
        for (const Item& item : group)
            if (entry.codec == CodecKind::decoder || entry.item == item.info.index) {
                if (is_left(item)) fail(item, codec_failure(item, entry.codec, how));
                is_codec = true;
            }
    if (is_codec) return;
    result_.is_internal = true;
    for (const Item& item : group)
        fail(item, fmt::format("{}: clconv itself {} while it made this image alone; please report this as a defect",
                               item.info.input.string(), how));
    if (++internal_ >= kMaxInternal)
        end_run(fmt::format("clconv itself {}, with {} images one after the other", how, internal_));
}

void Supervisor::remove_temporaries(const Entries& entries)
{
    std::set<std::filesystem::path> folders;
    for (const CodecBoard::Entry& entry : entries) folders.insert(item_at(entry.item).info.output.parent_path());
    for (const std::filesystem::path& folder : folders) remove_temporaries_of(child_->id(), folder);
}

void Supervisor::fail(const Item& item, const std::string& error)
{
    ItemResult result;
    result.status = ItemStatus::failed;
    result.error = error;
    item_finished(item.info.index, std::move(result));
}

void Supervisor::end_run(const std::string& error)
{
    result_.is_internal = true;
    result_.fatal.error = error + "; please report this as a defect";
}

const Item& Supervisor::item_at(std::size_t index) const
{
    // The indices of a shard have gaps.
    return *std::ranges::lower_bound(items_, index, {}, [](const Item& item) { return item.info.index; });
}

std::vector<Item> Supervisor::items_of(const std::set<std::string>& inputs) const
{
    std::vector<Item> found;
    for (const Item& item : items_)
        if (is_left(item) && inputs.contains(item.info.input.string())) found.push_back(item);
    return found;
}

void Supervisor::message(Level level, const std::string& text) { sink_.message(level, text); }

void Supervisor::started(const std::vector<RunDevice>& devices, Seconds opening)
{
    is_open_ = true;
    if (std::exchange(has_started_, true)) return;
    info_.devices = devices;
    info_.opening = opening;
    sink_.run_started(info_);
    for (const auto& [item, result] : std::exchange(unreported_, {})) sink_.item_finished(item->info, result);
}

void Supervisor::item_started(std::size_t index)
{
    started_items_.insert(index);
    sink_.item_started(item_at(index).info);
}

void Supervisor::item_progressed(std::size_t index, const ItemProgress& progress)
{
    if (is_left(item_at(index))) sink_.item_progressed(item_at(index).info, progress);
}

void Supervisor::item_finished(std::size_t index, ItemResult result)
{
    const Item& item = item_at(index);
    if (!ended_items_.insert(index).second) return;
    if (result.status == ItemStatus::failed) ++result_.failed;
    result.finished = Clock::now() - info_.start;
    if (has_started_)
        sink_.item_finished(item.info, result);
    else
        unreported_.emplace_back(&item, std::move(result));
}

void Supervisor::ended(const WorkEnd& end) { end_ = end; }

}  // namespace clconv
