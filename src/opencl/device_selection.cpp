// SPDX-License-Identifier: Apache-2.0
#include "opencl/device_selection.h"

#include "base/byte_count.h"
#include "base/errors.h"
#include "base/lower_case.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <string>

namespace clconv {
namespace {

int rank(const DeviceInfo& info)
{
    if (info.type == "gpu") return 0;
    if (info.type == "accelerator") return 1;
    if (info.type == "cpu") return 2;
    return 3;
}

bool fits(const DeviceInfo& info, std::string_view selector)
{
    const std::string wanted = lower_case(selector);
    return wanted == "all" || info.index == selector || info.type == wanted || contains_text(info.name, wanted) ||
           contains_text(info.platform, wanted);
}

std::string listed(const std::vector<DeviceInfo>& devices)
{
    std::string text;
    for (const DeviceInfo& info : devices) text += fmt::format("\n  {} {} {}", info.index, info.type, info.name);
    return text;
}

}  // namespace

std::string no_device_message()
{
    std::string text =
        "no OpenCL device was found; install a driver for your GPU, or one that computes on the CPU: apt install "
        "pocl-opencl-icd";
    rlimit space{};
    if (::getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY)
        text += fmt::format(". Or a driver needs more address space than the {} that this process may have (ulimit -v)",
                            in_words(space.rlim_cur));
    return text;
}

bool contains_text(std::string_view text, std::string_view word)
{
    return lower_case(text).find(lower_case(word)) != std::string::npos;
}

std::vector<DeviceInfo> select_among(const std::vector<DeviceInfo>& all, std::string_view selector)
{
    if (all.empty()) throw DeviceError(no_device_message());
    if (selector.empty())
        return {*std::min_element(all.begin(), all.end(),
                                  [](const DeviceInfo& a, const DeviceInfo& b) { return rank(a) < rank(b); })};
    std::vector<DeviceInfo> chosen;
    for (const DeviceInfo& info : all)
        if (fits(info, selector)) chosen.push_back(info);
    if (chosen.empty())
        throw DeviceError(fmt::format("no OpenCL device fits --device {}; there are{}", selector, listed(all)));
    return chosen;
}

}  // namespace clconv
