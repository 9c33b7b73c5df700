// SPDX-License-Identifier: Apache-2.0
// Numbers that kernels read as `scalar` (kernels/complex.cl): computed in double on the host, stored as float or
// double.
#pragma once

#include "base/bytes.h"
#include "conv/precision.h"
#include "opencl/buffers.h"

#include <complex>
#include <span>
#include <vector>

namespace clconv {

/// The values in the type of `precision`, rounded to nearest.
[[nodiscard]] inline Bytes scalars(std::span<const double> values, Precision precision)
{
    Bytes packed(values.size() * scalar_bytes(precision));
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (precision == Precision::float64)
            packed.as<double>()[i] = values[i];
        else
            packed.as<float>()[i] = static_cast<float>(values[i]);
    }
    return packed;
}

/// The same in device memory. Throws DeviceError.
[[nodiscard]] inline cl::Buffer upload_scalars(Device& device, std::span<const double> values, Precision precision)
{
    const Bytes packed = scalars(values, precision);
    return upload_bytes(device, packed.data(), packed.size());
}

/// Complex values as pairs (re, im).
[[nodiscard]] inline cl::Buffer upload_scalars(Device& device, const std::vector<std::complex<double>>& values,
                                               Precision precision)
{
    return upload_scalars(device, std::span(reinterpret_cast<const double*>(values.data()), 2 * values.size()),
                          precision);
}

}  // namespace clconv
