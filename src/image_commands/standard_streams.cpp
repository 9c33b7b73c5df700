// SPDX-License-Identifier: Apache-2.0
#include "image_commands/standard_streams.h"

#include "base/child_process.h"
#include "base/errors.h"
#include "base/extension.h"
#include "base/stoppable.h"
#include "batch/isolated_reading.h"
#include "codecs/image_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <vector>

namespace clconv {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kAtOnce = std::size_t{1} << 20U;

bool reads_stream(const RunOptions& options) { return std::ranges::find(options.inputs, "-") != options.inputs.end(); }

bool writes_stream(const RunOptions& options) { return options.output == "-"; }

void check_options(const RunOptions& options)
{
    const bool reads = reads_stream(options);
    const bool writes = writes_stream(options);
    if (reads && (options.inputs.size() > 1 || !options.files_from.empty()))
        throw InvalidProblem(
            "INPUT -: standard input holds one image and must be the only INPUT; a file of that name is ./-");
    if ((reads || writes) && (options.resume || !options.manifest.empty() || !options.shard.empty()))
        throw InvalidProblem("--resume, --manifest and --shard are for files; leave them out with - for a stream");
    if (reads && ::isatty(STDIN_FILENO) == 1)
        throw InvalidProblem("INPUT -: standard input is a terminal; pipe an image into it, or name a file");
    if (writes && !options.dry_run && ::isatty(STDOUT_FILENO) == 1)
        throw InvalidProblem(
            "--output -: standard output is a terminal; redirect it (> FILE), pipe it, or name a file");
}

/// Copies to the end of `from`. Returns the number of bytes, or -1 with errno. Stops early if `stop` is not 0.
std::int64_t copy_bytes(int from, int to, const std::atomic<int>& stop)
{
    std::vector<char> bytes(kAtOnce);
    std::int64_t count = 0;
    for (;;) {
        const ssize_t step = read_unless_stopped(from, bytes.data(), bytes.size(), stop);
        if (step == 0) return count;
        if (step < 0 || !write_all(to, {bytes.data(), static_cast<std::size_t>(step)})) return -1;
        count += step;
    }
}

/// Returns the error, or nothing.
std::string copied_to(int to, const fs::path& file)
{
    const std::atomic<int> never = 0;
    const int from = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    const bool copied = from >= 0 && copy_bytes(from, to, never) >= 0;
    const int reason = errno;
    if (from >= 0) ::close(from);
    return copied ? "" : std::strerror(reason);
}

void replace_all(std::string& text, const std::string& what, std::string_view by)
{
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
}

}  // namespace

StandardStreams::StandardStreams(const RunOptions& options, Sink& next) : options_(options), next_(next)
{
    check_options(options);
    if (!writes_stream(options) || options.dry_run) return;
    standard_output_ = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (standard_output_ < 0)
        throw InvalidProblem(fmt::format("--output -: standard output cannot be used: {}", std::strerror(errno)));
    static_cast<void>(::dup2(STDERR_FILENO, STDOUT_FILENO));
}

StandardStreams::~StandardStreams()
{
    if (standard_output_ >= 0) ::close(standard_output_);
}

RunOptions StandardStreams::received(const std::atomic<int>& stop)
{
    RunOptions options = options_;
    if (!reads_stream(options) && !writes_stream(options)) return options;
    folder_.emplace("clconv");
    if (reads_stream(options)) {
        keep_standard_input(stop);
        options.inputs = {input_.string()};
    }
    if (writes_stream(options)) choose_output(options);
    return options;
}

void StandardStreams::keep_standard_input(const std::atomic<int>& stop)
{
    input_ = folder_->path() / "stdin";
    const int file = ::open(input_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    const std::int64_t count = file < 0 ? -1 : copy_bytes(STDIN_FILENO, file, stop);
    const int reason = errno;
    if (file >= 0) ::close(file);
    if (count < 0)
        throw InputError(fmt::format("standard input: cannot be read, or kept in {}: {}", folder_->path().string(),
                                     std::strerror(reason)));
    if (count == 0) throw NoInput("no input found: standard input is empty; pipe an image into it");
    const std::string extension = isolated(input_, [this] { return extension_by_content(input_); });
    const fs::path named = folder_->path() / ("stdin." + extension);
    fs::rename(input_, named);
    input_ = named;
}

void StandardStreams::choose_output(RunOptions& options)
{
    const std::string& format = options.format;
    const std::string extension =
        format.empty() ? extension_of(options.inputs.size() == 1 ? fs::path(options.inputs.front()) : fs::path())
                       : extension_of(name_with(format));
    if (format.empty() && !writable_extensions().contains(extension))
        throw InvalidProblem(
            fmt::format("--output -: INPUT has no format that can be written{}; name one, such as --format png",
                        extension.empty() ? "" : " (." + extension + ")"));
    output_ = folder_->path() / ("stdout." + extension);
    options.output = output_.string();
}

std::string StandardStreams::shown(std::string text) const
{
    if (!input_.empty()) replace_all(text, input_.string(), "standard input");
    if (!output_.empty()) replace_all(text, output_.string(), "standard output");
    return text;
}

ItemInfo StandardStreams::shown(ItemInfo item) const
{
    if (item.input == input_) item.input = "-";
    if (item.output == output_) item.output = "-";
    return item;
}

void StandardStreams::message(Level level, std::string_view text) { next_.message(level, shown(std::string(text))); }

void StandardStreams::run_started(const RunInfo& run)
{
    RunInfo info = run;
    for (ItemInfo& item : info.items) item = shown(item);
    next_.run_started(info);
}

void StandardStreams::item_started(const ItemInfo& item) { next_.item_started(shown(item)); }

void StandardStreams::item_progressed(const ItemInfo& item, const ItemProgress& progress)
{
    next_.item_progressed(shown(item), progress);
}

void StandardStreams::item_finished(const ItemInfo& item, const ItemResult& result)
{
    ItemResult shown_result = result;
    if (result.status == ItemStatus::done && standard_output_ >= 0) {
        const std::string why = copied_to(standard_output_, item.output);
        has_lost_output_ = !why.empty();
        if (has_lost_output_) {
            shown_result.status = ItemStatus::failed;
            shown_result.error = fmt::format("standard output: the image cannot be written: {}", why);
        }
    }
    shown_result.error = shown(shown_result.error);
    for (Warning& warning : shown_result.warnings) warning.message = shown(warning.message);
    next_.item_finished(shown(item), shown_result);
}

void StandardStreams::run_finished(const RunResult& result)
{
    RunResult shown_result = result;
    shown_result.error = shown(shown_result.error);
    next_.run_finished(shown_result);
}

}  // namespace clconv
