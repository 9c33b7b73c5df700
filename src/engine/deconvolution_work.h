// SPDX-License-Identifier: Apache-2.0
// The work of a direct deconvolution: one convolution with a regularised inverse of the PSF. docs/deconvolution.md
#pragma once

#include "base/names.h"
#include "engine/work.h"

#include <memory>

namespace clconv {

/// With H the PSF's spectrum and L that of the five-point Laplacian.
enum class DirectMethod {
    wiener,    ///< conj(H) / (|H|^2 + strength)
    tikhonov,  ///< conj(H) / (|H|^2 + strength |L|^2)
};
template <>
inline constexpr auto kNames<DirectMethod> = std::to_array<Named<DirectMethod>>({{"wiener", DirectMethod::wiener},
                                                                                 {"tikhonov", DirectMethod::tikhonov}});

struct DirectDeconvolution {
    DirectMethod method = DirectMethod::wiener;
    double strength = 0.01;     ///< of the regularisation; 0: the inverse itself, and 0 where H is 0
    bool is_estimated = false;  ///< wiener: the strength is noise_to_signal() of each image
    bool is_cut = false;        ///< results that are floats are cut to [-1, 1]
};

[[nodiscard]] std::shared_ptr<const Work> deconvolution_work(const DirectDeconvolution& how);

}  // namespace clconv
