// SPDX-License-Identifier: Apache-2.0
#include "image_commands/part_plans.h"

#include "base/errors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace clconv {

std::vector<PartsProblem> problems_of(const std::filesystem::path& path, std::span<const PartHeader> parts,
                                      const std::function<Problem(const Image&)>& problem_of_part)
{
    std::vector<PartsProblem> problems;
    for (const PartHeader& part : parts) {
        if (part.image.channels == 0) continue;
        const Problem problem = problem_of_part(part.image);
        const auto known = std::ranges::find(problems, problem, &PartsProblem::problem);
        if (known == problems.end())
            problems.push_back({{part.part}, problem});
        else
            known->parts.push_back(part.part);
    }
    if (problems.empty())
        throw InputError(
            fmt::format("{}: none of its channels is convolved, so there is nothing to plan; --channels "
                        "'*' takes all, and it has {}",
                        path.string(), fmt::join(parts.front().image.split->names, ", ")));
    return problems;
}

}  // namespace clconv
