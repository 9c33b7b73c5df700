// SPDX-License-Identifier: Apache-2.0
#include "passes/transfer_operators.h"

#include "base/errors.h"
#include "opencl/buffers.h"
#include "opencl/program.h"
#include "passes/defines.h"
#include "passes/pass_names.h"
#include "passes/program_names.h"

#include <fmt/format.h>

#include <complex>
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

}  // namespace

Recipe transfers_recipe(Precision precision)
{
    return {"transfers" + precision_words(precision), "transfers.cl", precision_define(precision), ""};
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
    : device_(device), precision_(plan.problem.precision)
{
    check_operators(plan);
    const FftPlan& fft = plan.fft();
    lanes_ = static_cast<cl_uint>(fft.lanes);
    count_ = fft.transfer_cells() * static_cast<std::uint64_t>(fft.planes_of(plan.problem.psf_channels));
    bytes_ = plan.transfer_bytes();
    const BuiltProgram program = build(device, kernels, transfers_recipe(precision_));
    conjugate_ = Kernel(program, "conjugate");
    quotient_ = Kernel(program, "quotient");
    power_spectrum_ = Kernel(program, "power_spectrum");
    regularised_inverse_ = Kernel(program, "regularised_inverse");
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
    launcher.run_plane(pass::kTransfers, conjugate_, count_, 1, named("a", a.transfer), named("result", made.transfer),
                       named("lanes", lanes_), named("count", count_));
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
        launcher.run_plane(pass::kTransfers, quotient_, count_, 1, named("a", a.transfer), named("b", b.transfer),
                           named("result", made.transfer), named("stored", stored), named("lanes", lanes_),
                           named("count", count_));
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
        launcher.run_plane(pass::kTransfers, power_spectrum_, count_, 1, named("a", a.transfer),
                           named("result", made.transfer), named("k", added), named("stored", stored),
                           named("lanes", lanes_), named("count", count_));
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
    const auto run = [&](auto stored, auto of_one, auto of_b) {
        launcher.run_plane(pass::kTransfers, regularised_inverse_, count_, 1, named("a", a.transfer),
                           named("b", b.transfer), named("result", made.transfer), named("k", of_one), named("l", of_b),
                           named("stored", stored), named("lanes", lanes_), named("count", count_));
    };
    with_scalars(precision_, run, kStored, k, l);
    made.ready = launcher.so_far();
    return made;
}

}  // namespace clconv
