// SPDX-License-Identifier: Apache-2.0
// Helpers that several tests of plans use.
#pragma once

#include "base/errors.h"

#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace clconv::test {

/// The message of the exception that `action` throws.
template <class Action>
std::string complaint(Action action)
{
    try {
        action();
    } catch (const InvalidProblem& error) {
        return error.what();
    }
    return "nothing was thrown";
}

[[nodiscard]] inline int product(const std::vector<int>& radices)
{
    return std::accumulate(radices.begin(), radices.end(), 1, std::multiplies<>());
}

}  // namespace clconv::test
