// SPDX-License-Identifier: Apache-2.0
#include "opencl/kernel.h"

#include "base/errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace clconv {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Where the parameters of kernel `name` begin in `text`, behind the parenthesis.
std::size_t parameters_begin(std::string_view text, std::string_view name)
{
    for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
        const std::size_t end = at + name.size();
        if (at == 0 || is_word(text[at - 1]) || end >= text.size() || text[end] != '(') continue;
        // "__kernel ... void name(", without the end of a statement in between.
        const std::size_t begin = text.substr(0, at).rfind("__kernel");
        if (begin != std::string_view::npos &&
            text.substr(begin, at - begin).find_first_of(";{}") == std::string_view::npos)
            return end + 1;
    }
    throw InternalError(fmt::format("no kernel {} in the text of the kernels", name));
}

std::string last_word(std::string_view text)
{
    std::size_t end = text.size();
    while (end > 0 && !is_word(text[end - 1])) --end;
    std::size_t begin = end;
    while (begin > 0 && is_word(text[begin - 1])) --begin;
    return std::string(text.substr(begin, end - begin));
}

}  // namespace

std::vector<std::string> parameter_names(std::string_view text, std::string_view name)
{
    const std::string_view rest = text.substr(parameters_begin(text, name));
    const std::string_view parameters = rest.substr(0, rest.find(')'));
    std::vector<std::string> names;
    for (std::size_t begin = 0; begin <= parameters.size();) {
        const std::size_t end = std::min(parameters.find(',', begin), parameters.size());
        names.push_back(last_word(parameters.substr(begin, end - begin)));
        begin = end + 1;
    }
    return names;
}

Kernel::Kernel(const BuiltProgram& built, const std::string& name)
    : name_(name), program_(built.name), parameters_(parameter_names(built.text, name))
{
    const WhileCompiling waiting(built.slow, built.name);
    kernel_ = cl::Kernel(built.program, name.c_str());
}

void Kernel::expect_all(std::uint64_t are_set) const
{
    for (std::size_t i = 0; i < parameters_.size(); ++i)
        if ((are_set >> i & 1) == 0)
            throw InternalError(fmt::format("kernel {} was given no {}", name_, parameters_[i]));
}

cl_uint Kernel::index_of(std::string_view parameter) const
{
    const auto found = std::find(parameters_.begin(), parameters_.end(), parameter);
    if (found == parameters_.end())
        throw InternalError(
            fmt::format("kernel {} has no parameter {}; it takes {}", name_, parameter, fmt::join(parameters_, ", ")));
    return static_cast<cl_uint>(found - parameters_.begin());
}

}  // namespace clconv
