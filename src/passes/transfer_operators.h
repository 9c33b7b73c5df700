// SPDX-License-Identifier: Apache-2.0
// Transfers made of others on a device, value by value (kernels/transfers.cl): a conjugate, a quotient, a power
// spectrum, a regularised inverse. They work in whatever order and scale the plan's column pass keeps transfers.
#pragma once

#include "base/names.h"
#include "opencl/kernel.h"
#include "opencl/kernel_source.h"
#include "opencl/recipe.h"
#include "passes/engine.h"

#include <array>
#include <map>

namespace clconv {

enum class TransferOperator { conjugate, quotient, power_spectrum, regularised_inverse };
template <>
inline constexpr auto kNames<TransferOperator> = std::to_array<Named<TransferOperator>>({
    {"conjugate", TransferOperator::conjugate},
    {"quotient", TransferOperator::quotient},
    {"power_spectrum", TransferOperator::power_spectrum},
    {"regularised_inverse", TransferOperator::regularised_inverse},
});

/// The program of kernels/transfers.cl with the kernel of one operator.
[[nodiscard]] Recipe transfers_recipe(Precision precision, TransferOperator which);

/// Throws InvalidProblem, with the reason, unless transfers of this plan can be made of others: the method must be fft,
/// in float or double, with split spectra. Others are no spectra of a whole line, lack the range, or mix two channels.
void check_operators(const Plan& plan);

class TransferOperators {
public:
    /// For transfers of `plan`. Throws as check_operators().
    TransferOperators(Device& device, const KernelSource& kernels, const Plan& plan);

    // Operands have as many channels as the plan's PSF. Results are enqueued behind earlier commands of `launcher`. The
    // first call of each builds its program, and throws BuildError, DeviceError.

    /// conj(a), the transfer of the correlation with the PSF.
    [[nodiscard]] PreparedPsf conjugate(Launcher& launcher, const PreparedPsf& a);
    /// a / b, and 0 where b is 0.
    [[nodiscard]] PreparedPsf quotient(Launcher& launcher, const PreparedPsf& a, const PreparedPsf& b);
    /// |a|^2 + k.
    [[nodiscard]] PreparedPsf power_spectrum(Launcher& launcher, const PreparedPsf& a, double k);
    /// conj(a) / (|a|^2 + k + l |b|^2), and 0 where the divisor is 0.
    [[nodiscard]] PreparedPsf regularised_inverse(Launcher& launcher, const PreparedPsf& a, double k, double l,
                                                  const PreparedPsf& b);

private:
    [[nodiscard]] Kernel& kernel(TransferOperator which);
    /// A transfer with room for the values, and the sums that `of_sum` makes of those of `a`.
    template <class OfSum>
    [[nodiscard]] PreparedPsf made_of(const PreparedPsf& a, OfSum of_sum) const;

    Device& device_;
    KernelSource kernels_;
    Precision precision_;
    cl_uint lanes_;
    cl_ulong count_;  ///< values of a transfer
    std::uint64_t bytes_;
    std::map<TransferOperator, Kernel> built_;
};

}  // namespace clconv
