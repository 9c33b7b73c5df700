// SPDX-License-Identifier: Apache-2.0
// The work of a bloom at a lower resolution (engine/coarse.h).
#pragma once

#include "engine/work.h"

#include <memory>

namespace clconv {

/// `shrink`: 2 or 4, for 1/2 or 1/4 of the resolution; 1: the plain work. Settings with it need highlights.
[[nodiscard]] std::shared_ptr<const Work> work_at_resolution(int shrink);

}  // namespace clconv
