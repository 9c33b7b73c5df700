// SPDX-License-Identifier: Apache-2.0
// Functions for std::visit, one for each alternative of a variant.
#pragma once

namespace clconv {

/// Overloaded{[](const A&) { ... }, [](const B&) { ... }} is called like an overloaded function.
template <class... Functions>
struct Overloaded : Functions... {
    using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

}  // namespace clconv
