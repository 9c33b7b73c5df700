// SPDX-License-Identifier: Apache-2.0
// Plans that are made before the device needs them, by the threads that read the images.
//
// A plan takes milliseconds. A GPU convolves an image in less, so its thread should not make the plans of a folder of
// many sizes one after the other.
#pragma once

#include "engine/plan_source.h"

namespace clconv {

/// Asks `source` once for each problem, and remembers the answers to the latest ones. For one device and the same
/// forced decisions each time. Thread-safe, if `source` is: a thread that needs a plan that another is making waits for
/// it. Copies share what they remember.
[[nodiscard]] PlanSource remembered(PlanSource source);

}  // namespace clconv
