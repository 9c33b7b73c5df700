// SPDX-License-Identifier: Apache-2.0
// A kernel whose arguments are set by the names of its parameters.
//
// Kernels take up to some twenty arguments, most of them buffers, which only their order would distinguish. The names
// are read from the kernel's own text, because drivers forget them and binaries do not have them.
#pragma once

#include "opencl/api.h"
#include "opencl/launch_series.h"
#include "opencl/program.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace clconv {

/// One argument of a launch; `value` must live until the launch is enqueued.
template <class T>
struct Argument {
    std::string_view name;
    const T& value;
};
template <class T>
[[nodiscard]] Argument<T> named(std::string_view name, const T& value)
{
    return {name, value};
}

/// The names of the parameters of kernel `name` in `text`, in their order. Throws InternalError if there is no such
/// kernel.
[[nodiscard]] std::vector<std::string> parameter_names(std::string_view text, std::string_view name);

class Kernel {
public:
    Kernel() = default;
    /// Kernel `name` of `built`. Throws DeviceError.
    Kernel(const BuiltProgram& built, const std::string& name);

    /// Sets all arguments. Throws InternalError naming a parameter that is unknown or missing.
    template <class... T>
    void set(const Argument<T>&... arguments)
    {
        std::uint64_t are_set = 0;
        const auto set_one = [&](std::string_view parameter, const auto& value) {
            const cl_uint index = index_of(parameter);
            kernel_.setArg(index, value);
            are_set |= std::uint64_t{1} << index;
        };
        (set_one(arguments.name, arguments.value), ...);
        expect_all(are_set);
    }

    [[nodiscard]] const cl::Kernel& handle() const { return kernel_; }
    /// The name of its program.
    [[nodiscard]] const std::string& program() const { return program_; }
    /// Its own name in that program.
    [[nodiscard]] const std::string& name() const { return name_; }

    /// Its launches as `pass` with so many work-items.
    [[nodiscard]] const std::shared_ptr<LaunchSeries>& series(const std::string& pass, std::size_t items)
    {
        std::shared_ptr<LaunchSeries>& found = series_[{pass, items}];
        if (!found) found = std::make_shared<LaunchSeries>();
        return found;
    }

private:
    void expect_all(std::uint64_t are_set) const;
    [[nodiscard]] cl_uint index_of(std::string_view parameter) const;

    cl::Kernel kernel_;
    std::string name_;
    std::string program_;
    std::vector<std::string> parameters_;
    std::map<std::pair<std::string, std::size_t>, std::shared_ptr<LaunchSeries>> series_;
};

}  // namespace clconv
