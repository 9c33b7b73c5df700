// SPDX-License-Identifier: Apache-2.0
#include "files/shard.h"

#include "base/errors.h"
#include "base/parse_number.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string_view>

namespace clconv {

namespace {

constexpr const char* kForms = "give I/N with 0 <= I < N, slurm, or env:NAME/N";

/// A number from 0 to 2^31 - 1, so that products of two stay within 64 bits.
std::optional<std::size_t> whole_number(std::string_view text)
{
    constexpr std::size_t maximum = std::numeric_limits<std::int32_t>::max();
    const std::optional<std::size_t> value = parse_number<std::size_t>(text);
    return value && *value <= maximum ? value : std::nullopt;
}

/// Numbers in the environment of one process, with messages that name the option.
class Variables {
public:
    Variables(const std::string& option, const Environment& environment) : option_(option), environment_(environment) {}

    [[nodiscard]] bool has(const std::string& name) const { return environment_(name).has_value(); }

    [[nodiscard]] std::size_t number(const std::string& name) const
    {
        const std::optional<std::string> text = environment_(name);
        if (!text)
            throw InvalidProblem(fmt::format("--shard {}: the environment has no {}; {}", option_, name, kForms));
        if (const std::optional<std::size_t> value = whole_number(*text)) return *value;
        throw InvalidProblem(
            fmt::format("--shard {}: {} is \"{}\", and a whole number is needed", option_, name, *text));
    }

    [[nodiscard]] std::size_t number_or(const std::string& name, std::size_t otherwise) const
    {
        return has(name) ? number(name) : otherwise;
    }

private:
    const std::string& option_;
    const Environment& environment_;
};

Shard checked(const std::string& option, Shard shard)
{
    if (shard.count > 0 && shard.index < shard.count) return shard;
    throw InvalidProblem(fmt::format("--shard {}: there is no shard {} of {}; shards are counted from 0: {}", option,
                                     shard.index, shard.count, kForms));
}

std::pair<std::string, std::string> two_parts(const std::string& option, const std::string& text)
{
    const std::size_t slash = text.rfind('/');
    if (slash == std::string::npos || slash == 0 || slash + 1 == text.size())
        throw InvalidProblem(fmt::format("--shard {}: is not a shard; {}", option, kForms));
    return {text.substr(0, slash), text.substr(slash + 1)};
}

Shard numbers_in(const std::string& option)
{
    const auto [first, second] = two_parts(option, option);
    const std::optional<std::size_t> index = whole_number(first);
    const std::optional<std::size_t> count = whole_number(second);
    if (!index || !count) throw InvalidProblem(fmt::format("--shard {}: is not a shard; {}", option, kForms));
    return {*index, *count};
}

Shard from_variables(const std::string& option, const Variables& variables)
{
    constexpr std::string_view prefix = "env:";
    const auto [name, second] = two_parts(option, option.substr(prefix.size()));
    const std::optional<std::size_t> count = whole_number(second);
    return {variables.number(name), count ? *count : variables.number(second)};
}

/// The task of a job array.
Shard array_task(const std::string& option, const Variables& variables)
{
    const std::size_t task = variables.number("SLURM_ARRAY_TASK_ID");
    const std::size_t first = variables.number_or("SLURM_ARRAY_TASK_MIN", 0);
    const std::size_t count = variables.number("SLURM_ARRAY_TASK_COUNT");
    const std::size_t step = variables.number_or("SLURM_ARRAY_TASK_STEP", 1);
    const std::size_t last = variables.number_or("SLURM_ARRAY_TASK_MAX", first + (count - 1) * step);
    // --array=1,2,7 has a count, but no step from one task to the next.
    if (step == 0 || count == 0 || task < first || (task - first) % step != 0 || last - first != (count - 1) * step)
        throw InvalidProblem(
            fmt::format("--shard {}: {} tasks from {} to {} in steps of {} are not a regular array, so task {} has no "
                        "number in it; use an array such as 0-{}, or --shard I/N",
                        option, count, first, last, step, task, count > 0 ? count - 1 : 0));
    return {(task - first) / step, count};
}

Shard from_slurm(const std::string& option, const Variables& variables)
{
    const bool in_array = variables.has("SLURM_ARRAY_TASK_ID");
    // An array's batch script also has SLURM_NTASKS. Only srun, which starts that many processes, sets the variables of
    // a step.
    const bool in_step = variables.has("SLURM_STEP_NUM_TASKS");
    if (!in_array && !variables.has("SLURM_PROCID"))
        throw InvalidProblem(
            fmt::format("--shard {}: the environment has neither SLURM_ARRAY_TASK_ID nor SLURM_PROCID; start it with "
                        "sbatch --array=0-N or srun, or use --shard I/N",
                        option));
    const Shard array = in_array ? array_task(option, variables) : Shard{};
    if (in_array && !in_step) return array;
    const Shard process =
        checked(option, {variables.number("SLURM_PROCID"),
                         in_step ? variables.number("SLURM_STEP_NUM_TASKS") : variables.number("SLURM_NTASKS")});
    return {array.index * process.count + process.index, array.count * process.count};
}

}  // namespace

std::optional<std::string> environment_value(const std::string& name)
{
    const char* value = std::getenv(name.c_str());
    return value ? std::optional<std::string>(value) : std::nullopt;
}

Shard parse_shard(const std::string& text, const Environment& environment)
{
    const Variables variables(text, environment);
    if (text == "slurm") return checked(text, from_slurm(text, variables));
    if (text.starts_with("env:")) return checked(text, from_variables(text, variables));
    return checked(text, numbers_in(text));
}

std::vector<Item> items_of_shard(const std::vector<Item>& items, const Shard& shard)
{
    std::vector<Item> chosen;
    chosen.reserve(items.size() / shard.count + 1);
    for (std::size_t i = shard.index; i < items.size(); i += shard.count) chosen.push_back(items[i]);
    return chosen;
}

}  // namespace clconv
