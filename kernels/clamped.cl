// SPDX-License-Identifier: Apache-2.0
// Where results are counted that integers clamp: behind all results, as numbers of 32 bits that work-groups share.
//
// Host and device share this text: src/engine/clamped.h includes it as C++.
// docs/decisions/039-counts-of-clamped-results.md says why there are so many.
#pragma once

/// How many counts there are. Each belongs to one work-group at a time, so that NVIDIA's compiler can add for a whole warp.
#define CLAMPED_COUNTS 256

/// The place of the first count, in samples from the first of `results` on.
#define CLAMPED_AT(results) (((results) + 3) / 4 * 4)

/// Samples from one image's results to those of the next image of a launch, if `counts`: behind both results and counts.
#define RESULTS_STEP(results, counts, sample_bytes) \
    ((counts) ? CLAMPED_AT(results) + CLAMPED_COUNTS * 4 / (sample_bytes) : (results))
