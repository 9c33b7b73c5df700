// SPDX-License-Identifier: Apache-2.0
// --shard, with an environment: the input's first line is the option, the others are NAME=VALUE.
#include "files/shard.h"

#include "base/errors.h"
#include "promise.h"

#include <map>

using namespace clconv;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    std::map<std::string, std::string, std::less<>> variables;
    std::string option;
    bool is_first = true;
    for (std::string_view rest = hostile::text_of(data, size); is_first || !rest.empty(); is_first = false) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        const std::size_t equals = std::min(line.find('='), line.size());
        if (is_first)
            option = line;
        else if (equals < line.size())
            variables[std::string(line.substr(0, equals))] = line.substr(equals + 1);
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    }
    try {
        const Shard shard = parse_shard(option, [&](const std::string& name) {
            const auto found = variables.find(name);
            return found == variables.end() ? std::nullopt : std::optional(found->second);
        });
        hostile::promise(shard.index < shard.count, "a shard is one of its number");
    } catch (const InvalidProblem&) {
    }
    return 0;
}
