// SPDX-License-Identifier: Apache-2.0
#include "batch/isolated_reading.h"

#include "base/byte_count.h"
#include "base/clock.h"
#include "base/coverage.h"
#include "base/errors.h"
#include "base/message.h"
#include "base/sample_value.h"
#include "batch/item_errors.h"
#include "batch/memory_limits.h"
#include "codecs/image_file.h"
#include "codecs/parts_reader.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace clconv {

CLCONV_FIELDS(Psf, name, extent, channels, origin, weights, is_bottom_up, is_matched)
CLCONV_FIELDS(PsfFile, psf, warnings)

namespace {

enum class Outcome : char { result, input_error, invalid_problem };

std::string answer(Outcome outcome, const std::string& text)
{
    MessageWriter writer;
    writer.put(outcome);
    writer.put(text);
    return writer.bytes();
}

std::string answer_of(const std::function<std::string()>& function)
{
    try {
        return answer(Outcome::result, function());
    } catch (const InvalidProblem& error) {
        return answer(Outcome::invalid_problem, error.what());
    } catch (const std::exception& error) {
        return answer(Outcome::input_error, error.what());
    }
}

std::string text_of_answer(const std::string& bytes)
{
    MessageReader reader(bytes);
    const auto outcome = reader.take<Outcome>();
    std::string text = reader.take_text();
    if (outcome == Outcome::invalid_problem) throw InvalidProblem(text);
    if (outcome == Outcome::input_error) throw InputError(text);
    return text;
}

void put_part(MessageWriter& writer, const Image& header)
{
    writer.put(is_read_by_rows(header));
    writer.put<ImageHeader>(header);
}

}  // namespace

IsolatedCall::IsolatedCall(std::filesystem::path file, const std::function<std::string()>& function)
    : file_(std::move(file)), child_([&](int pipe) {
          const bool is_written = write_all(pipe, answer_of(function));
          keep_counts();
          return is_written ? EXIT_SUCCESS : EXIT_FAILURE;
      })
{
}

std::string IsolatedCall::result(Seconds max_time)
{
    constexpr int interval = 20;  // ms
    const std::uint64_t max_memory = available_memory() / 2;
    const auto fail = [&](const std::string& how) {
        throw InputError(fmt::format("{}: its decoder {}; {}", file_.string(), how, kBadFileAdvice));
    };
    const Clock::time_point start = Clock::now();
    std::string bytes;
    while (child_.read(bytes, interval)) {
        if (Clock::now() - start > max_time) fail(fmt::format("is not done after {} s", max_time.count()));
        if (child_.own_memory() > max_memory) fail(fmt::format("takes more than {} of memory", in_words(max_memory)));
    }
    if (bytes.empty()) fail(end_in_words(child_.wait()));
    return text_of_answer(bytes);
}

std::string isolated(const std::filesystem::path& file, const std::function<std::string()>& function, Seconds max_time)
{
    if (needs_library(file)) load_library();
    return IsolatedCall(file, function).result(max_time);
}

PsfFile isolated_psf(const std::filesystem::path& path, const PsfReading& reading)
{
    if (is_text_psf(path)) return read_psf_file(path, reading);
    const std::string bytes = isolated(path, [&] {
        MessageWriter writer;
        writer.put(read_psf_file(path, reading));
        return writer.bytes();
    });
    return MessageReader(bytes).take<PsfFile>();
}

Mask isolated_mask(const std::filesystem::path& path)
{
    const std::string bytes = isolated(path, [&] {
        if (const int parts = count_parts(path); parts > 1)
            throw InputError(fmt::format("{}: holds {} images, and a mask is one; write it to a file of its own",
                                         path.string(), parts));
        const Image image = read_image(path);
        const auto channels = static_cast<std::size_t>(image.channels);
        const std::size_t colours = channels - (image.alpha_channel >= 0 && channels > 1 ? 1 : 0);
        std::vector<float> values(image.extent.pixels());
        for (std::size_t pixel = 0; pixel < values.size(); ++pixel) {
            double sum = 0;
            for (std::size_t c = 0; c < channels; ++c)
                if (channels == 1 || static_cast<int>(c) != image.alpha_channel)
                    sum += sample_value(image.samples.data(), image.type, pixel * channels + c);
            values[pixel] = static_cast<float>(sum / static_cast<double>(colours));
            if (!std::isfinite(values[pixel])) {
                const auto width = static_cast<std::size_t>(image.extent.width);
                throw InputError(
                    fmt::format("{}: is {} at x {}, y {}, and a number is needed for each pixel; 0 leaves "
                                "a pixel out",
                                path.string(), values[pixel], pixel % width, pixel / width));
            }
        }
        std::string samples(values.size() * sizeof(float), '\0');
        std::memcpy(samples.data(), values.data(), samples.size());
        MessageWriter writer;
        writer.put(image.extent);
        writer.put(samples);
        return writer.bytes();
    });
    MessageReader reader(bytes);
    Mask mask;
    mask.extent = reader.take<Extent>();
    const std::string samples = reader.take_text();
    mask.values.resize(samples.size() / sizeof(float));
    std::memcpy(mask.values.data(), samples.data(), samples.size());
    return mask;
}

Image isolated_header(const std::filesystem::path& path, Light light, const DecodeRules& rules)
{
    const std::string bytes = isolated(path, [&] {
        MessageWriter writer;
        writer.put<ImageHeader>(read_header(path, light, rules));
        return writer.bytes();
    });
    return without_samples(MessageReader(bytes).take<ImageHeader>());
}

std::vector<PartHeader> isolated_headers(const std::filesystem::path& path, Light light, const DecodeRules& rules,
                                         const PartChoice& parts)
{
    const std::string bytes = isolated(path, [&] {
        const std::vector<int> numbers = parts.of(count_parts(path, rules));
        MessageWriter writer;
        writer.put(numbers);
        if (numbers.size() == 1) {
            DecodeRules only = rules;
            only.part = numbers.front();
            put_part(writer, read_header(path, light, only));
        } else {
            const PartsReader file(path, numbers, light, rules);
            for (const Image& header : file.headers()) put_part(writer, header);
        }
        return writer.bytes();
    });
    MessageReader reader(bytes);
    std::vector<PartHeader> headers;
    for (const int part : reader.take<std::vector<int>>()) {
        const bool by_rows = reader.take<bool>();
        headers.push_back({part, without_samples(reader.take<ImageHeader>()), by_rows});
    }
    return headers;
}

int isolated_count_of_parts(const std::filesystem::path& path, const DecodeRules& rules)
{
    if (const std::optional<int> count = count_parts_plainly(path)) return *count;
    const std::string bytes = isolated(path, [&] {
        MessageWriter writer;
        writer.put(count_parts(path, rules));
        return writer.bytes();
    });
    return MessageReader(bytes).take<int>();
}

}  // namespace clconv
