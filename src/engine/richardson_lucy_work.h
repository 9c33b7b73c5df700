// SPDX-License-Identifier: Apache-2.0
// The work of a Richardson-Lucy deconvolution: iterations of a convolution and its adjoint, all on the device.
//
// A whole image's iterations are enqueued at once, and the host never waits between them. Estimates, ratios and data
// stay in memory that all images of a queue share.
#pragma once

#include "engine/richardson_lucy.h"
#include "engine/work.h"

#include <memory>

namespace clconv {

[[nodiscard]] std::shared_ptr<const Work> richardson_lucy_work(const RichardsonLucy& how);

}  // namespace clconv
