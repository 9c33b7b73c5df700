// SPDX-License-Identifier: Apache-2.0
#include "files/manifest.h"

#include "base/child_process.h"
#include "base/errors.h"
#include "base/special_file.h"
#include "base/temporary_file.h"
#include "files/digest.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

namespace clconv {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

namespace {

/// File names as in records: bytes that are not UTF-8 become replacement characters, as in the lines.
std::string readable(const fs::path& path)
{
    const std::string text = ordered_json(path.string()).dump(-1, ' ', false, ordered_json::error_handler_t::replace);
    return ordered_json::parse(text).get<std::string>();
}

std::string name_in_folder(const fs::path& output, const fs::path& folder)
{
    return readable(output.lexically_normal().lexically_relative(folder.lexically_normal()));
}

bool ends_in_a_torn_line(int descriptor)
{
    struct stat status = {};
    if (::fstat(descriptor, &status) != 0 || status.st_size == 0) return false;
    char last = '\n';
    return ::pread(descriptor, &last, 1, status.st_size - 1) == 1 && last != '\n';
}

/// Why an item must be made again; empty if it need not.
std::string why_not_done(const Item& item, const ManifestRecords& records, const ManifestContext& context)
{
    const auto [first, last] = records.equal_range(name_in_folder(item.info.output, context.output_folder));
    if (first == last) return "it is not in the manifest";
    std::error_code failure;
    const std::uintmax_t bytes = fs::file_size(item.info.output, failure);
    if (failure) return "its output is gone";
    const ItemKey key{digest_of_file(item.info.input), context.psfs.at(item.psf), context.options};
    const std::string output = digest_of_file(item.info.output);
    std::string why;
    for (auto record = first; record != last; ++record) {
        const ManifestRecord& known = record->second;
        if (known.bytes != bytes || known.digest != output)
            why = "its output has changed";
        else if (known.key.input != key.input)
            why = "its input has changed";
        else if (known.key.psf != key.psf)
            why = "its PSF has changed";
        else if (known.key.options != key.options)
            why = "the options or the version have changed";
        else
            return {};
    }
    return why;
}

}  // namespace

std::string manifest_line(const ManifestRecord& record)
{
    const ordered_json value{{"output", record.output},
                             {"input", record.input},
                             {"input_digest", record.key.input},
                             {"psf_digest", record.key.psf},
                             {"options_digest", record.key.options},
                             {"output_bytes", record.bytes},
                             {"output_digest", record.digest}};
    return value.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::optional<ManifestRecord> manifest_record(const std::string& line)
{
    const ordered_json value = ordered_json::parse(line, nullptr, false);
    try {
        if (!value.at("output_bytes").is_number_unsigned()) return std::nullopt;
        return ManifestRecord{value.at("output"),
                              value.at("input"),
                              {value.at("input_digest"), value.at("psf_digest"), value.at("options_digest")},
                              value.at("output_bytes"),
                              value.at("output_digest")};
    } catch (const ordered_json::exception&) {
        return std::nullopt;
    }
}

ManifestRecords load_manifests(const std::set<fs::path>& files)
{
    ManifestRecords records;
    for (const fs::path& file : files) {
        std::error_code failure;
        if (!fs::exists(file, failure)) continue;
        if (const std::string special = special_file(file); !special.empty())
            throw InputError(fmt::format("{}: is {}, and a manifest is a regular file", file.string(), special));
        std::ifstream stream(file, std::ios::binary);
        for (std::string line; std::getline(stream, line);)
            if (std::optional<ManifestRecord> record = manifest_record(line))
                records.emplace(record->output, std::move(*record));
        if (!stream.eof()) throw InputError(fmt::format("{}: the manifest cannot be read", file.string()));
    }
    return records;
}

Manifest::Manifest(fs::path file) : file_(std::move(file))
{
    (void)make_folder_of(file_);
    descriptor_ = ::open(file_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (descriptor_ < 0)
        throw InvalidProblem(fmt::format("--manifest {}: cannot be opened: {}", file_.string(), std::strerror(errno)));
    is_torn_ = ends_in_a_torn_line(descriptor_);
}

Manifest::~Manifest() { ::close(descriptor_); }

void Manifest::append(const ManifestRecord& record, Messages& messages)
{
    const std::string line = manifest_line(record);
    const std::lock_guard lock(mutex_);
    if (write_all(descriptor_, (std::exchange(is_torn_, false) ? "\n" : "") + line)) return;
    const int reason = errno;
    // A disk without room for the line has none for its end. The next line begins with it.
    is_torn_ = ends_in_a_torn_line(descriptor_);
    if (std::exchange(warned_, true)) return;
    messages.message(Level::warning,
                     fmt::format("--manifest {}: cannot be written: {}; --resume will make finished images again",
                                 file_.string(), std::strerror(reason)));
}

std::optional<ManifestRecord> record_of_output(const Item& item, const ItemKey& key, const fs::path& folder)
{
    try {
        return ManifestRecord{name_in_folder(item.info.output, folder), item.info.input.string(), key,
                              fs::file_size(item.info.output), digest_of_file(item.info.output)};
    } catch (const InputError&) {
        return std::nullopt;
    } catch (const fs::filesystem_error&) {
        return std::nullopt;
    }
}

void skip_what_is_done(std::vector<Item>& items, const ManifestRecords& records, const ManifestContext& context,
                       int jobs, const std::atomic<int>& stop, Messages& messages)
{
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (std::size_t i = next++; i < items.size() && stop == 0; i = next++) {
            std::string why;
            try {
                why = why_not_done(items[i], records, context);
            } catch (const InputError& error) {
                why = error.what();  // reading it will report the error
            }
            items[i].skip = why.empty();
            if (!why.empty())
                messages.message(Level::debug, fmt::format("{}: to be made: {}", items[i].info.input.string(), why));
        }
    };
    std::vector<std::jthread> threads;
    for (int i = 1; i < jobs; ++i) threads.emplace_back(work);
    work();
}

}  // namespace clconv
