// SPDX-License-Identifier: Apache-2.0
#include "passes/transfer_operators.h"

#include "base/errors.h"
#include "opencl/buffers.h"
#include "opencl/program.h"
#include "passes/defines.h"
#include "passes/pass_names.h"
#include "passes/program_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <complex>
#include <string>
#include <string_view>
#include <utility>

namespace clconv {
namespace {

/// Stored values over those of the spectrum: half spectra of split rows are stored as their doubles.
constexpr double kStored = 2;

/// Calls run(numbers...) with the type that kernels have for scalars.
template <class Run, class... Numbers>
void with_scalars(Precision precision, Run run, Numbers... numbers)
{
    if (precision == Precision::float64)
        run(static_cast<cl_double>(numbers)...);
    else
        run(static_cast<cl_float>(numbers)...);
}

std::string in_capitals(std::string_view name)
{
    std::string text(name);
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::toupper(c); });
    return text;
}

}  // namespace

Recipe transfers_recipe(Precision precision, TransferOperator which)
{
    Defines defines;
    defines.add_lines(precision_define(precision));
    for (const auto& [name, other] : kNames<TransferOperator>)
        defines.add("HAS_" + in_capitals(name), other == which ? 1 : 0);
    return {fmt::format("transfers-{}{}", name_of(which), precision_words(precision)), "transfers.cl", defines.text(),
            ""};
}

void check_operators(const Plan& plan)
{
    const auto refuse = [](std::string_view what, std::string_view instead) {
        throw InvalidProblem(fmt::format("{}: its transfers cannot be made of others; use {}", what, instead));
    };
    if (!plan.is_fft()) refuse(fmt::format("method {}", name_of(plan.method())), "method fft");
    if (plan.problem.precision == Precision::half) refuse("--precision half", "float or double");
    if (plan.fft().joint()) refuse(fmt::format("product={}", name_of(plan.fft().product)), "product=split");
}

TransferOperators::TransferOperators(Device& device, const KernelSource& kernels, const Plan& plan)
    : device_(device), kernels_(kernels), precision_(plan.problem.precision)
{
    check_operators(plan);
    const FftPlan& fft = plan.fft();
    lanes_ = static_cast<cl_uint>(fft.lanes);
    count_ = fft.transfer_cells() * static_cast<std::uint64_t>(fft.planes_of(plan.problem.psf_channels));
    bytes_ = plan.transfer_bytes();
}

Kernel& TransferOperators::kernel(TransferOperator which)
{
    Kernel& kernel = built_[which];
    if (kernel.name().empty())
        kernel = Kernel(build(device_, kernels_, transfers_recipe(precision_, which)), std::string(name_of(which)));
    return kernel;
}

template <class OfSum>
PreparedPsf TransferOperators::made_of(const PreparedPsf& a, OfSum of_sum) const
{
    PreparedPsf made{allocate(device_, bytes_), a.weight, {}, a.scales};
    for (std::size_t c = 0; c < a.sums.size(); ++c) made.sums.push_back(of_sum(a.sums[c], c));
    return made;
}

PreparedPsf TransferOperators::conjugate(Launcher& launcher, const PreparedPsf& a)
{
    launcher.after(a.ready);
    PreparedPsf made = made_of(a, [](double sum, std::size_t /*c*/) { return sum; });
    launcher.run_plane(pass::kTransfers, kernel(TransferOperator::conjugate), count_, 1, named("a", a.transfer),
                       named("result", made.transfer), named("lanes", lanes_), named("count", count_));
    made.ready = launcher.so_far();
    return made;
}

PreparedPsf TransferOperators::quotient(Launcher& launcher, const PreparedPsf& a, const PreparedPsf& b)
{
    launcher.after(a.ready);
    launcher.after(b.ready);
    PreparedPsf made =
        made_of(a, [&](double sum, std::size_t c) { return b.sums.at(c) == 0 ? 0 : sum / b.sums.at(c); });
    const auto run = [&](auto stored) {
        launcher.run_plane(pass::kTransfers, kernel(TransferOperator::quotient), count_, 1, named("a", a.transfer),
                           named("b", b.transfer), named("result", made.transfer), named("stored", stored),
                           named("lanes", lanes_), named("count", count_));
    };
    with_scalars(precision_, run, kStored);
    made.ready = launcher.so_far();
    return made;
}

PreparedPsf TransferOperators::power_spectrum(Launcher& launcher, const PreparedPsf& a, double k)
{
    launcher.after(a.ready);
    PreparedPsf made = made_of(a, [k](double sum, std::size_t /*c*/) { return sum * sum + k; });
    const auto run = [&](auto stored, auto added) {
        launcher.run_plane(pass::kTransfers, kernel(TransferOperator::power_spectrum), count_, 1,
                           named("a", a.transfer), named("result", made.transfer), named("k", added),
                           named("stored", stored), named("lanes", lanes_), named("count", count_));
    };
    with_scalars(precision_, run, kStored, k);
    made.ready = launcher.so_far();
    return made;
}

PreparedPsf TransferOperators::regularised_inverse(Launcher& launcher, const PreparedPsf& a, double k, double l,
                                                   const PreparedPsf& b)
{
    launcher.after(a.ready);
    launcher.after(b.ready);
    PreparedPsf made = made_of(a, [&](double sum, std::size_t c) {
        const double divisor = sum * sum + k + l * b.sums.at(c) * b.sums.at(c);
        return divisor > 0 ? sum / divisor : 0;
    });
    made.is_inverse = true;
    const auto run = [&](auto stored, auto of_one, auto of_b) {
        launcher.run_plane(pass::kTransfers, kernel(TransferOperator::regularised_inverse), count_, 1,
                           named("a", a.transfer), named("b", b.transfer), named("result", made.transfer),
                           named("k", of_one), named("l", of_b), named("stored", stored), named("lanes", lanes_),
                           named("count", count_));
    };
    with_scalars(precision_, run, kStored, k, l);
    made.ready = launcher.so_far();
    return made;
}

}  // namespace clconv
