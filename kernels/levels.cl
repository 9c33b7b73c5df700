// SPDX-License-Identifier: Apache-2.0
// Where the numbers lie that passes read of an image in addition to its samples. They are scalars in two arrays:
//
//     bias         [channels] subtracted from the samples; the scale of what is left; the highlights
//     restore      [channels] added to the results; [channels] the scale of the results before that; [channels] the
//                  minimum of the results; BLEND_NUMBERS times [channels] (blend.cl); the highlights. The last two only if
//                  results are blended
//     highlights   HIGHLIGHT_NUMBERS numbers; if the image has several layers [channels][LAYER_RIVALS] numbers; the tables
//                  by code. The first two only if highlights are convolved, the tables only for samples of 8 bits
//
// Host and device share this text: src/passes/levels.h includes it as C++.
#pragma once

#include "blend.cl"

#define BIAS_SCALE(channels) (channels)
#define BIAS_HIGHLIGHTS(channels) ((channels) + 1)

#define RESTORE_SCALE(channels) (channels)
#define RESTORE_LEAST(channels) (2 * (channels))
#define RESTORE_BLEND(channels) (3 * (channels))
#define RESTORE_HIGHLIGHTS(channels) (RESTORE_BLEND(channels) + BLEND_NUMBERS * (channels))

#define HIGHLIGHT_THRESHOLD 0
#define HIGHLIGHT_KNEE 1   // half the width of the parabola around the threshold
#define HIGHLIGHT_MOST 2   // the largest light that counts
#define HIGHLIGHT_BOOST 3
#define HIGHLIGHT_ALPHA 4  // its channel, or -1
#define HIGHLIGHT_NUMBERS 5

/// In an image of several layers, the other channels that a channel is compared with. Each is given by its distance.
#define LAYER_RIVALS 2

/// Numbers of a table by code, and how many tables an image has at most: light, bright shares, and these boosted.
#define TABLE_NUMBERS 256
#define MOST_TABLES 3

/// Numbers of each array at most: from those of one image of a launch to those of the next.
#define LEVELS(channels) \
    (RESTORE_HIGHLIGHTS(channels) + HIGHLIGHT_NUMBERS + LAYER_RIVALS * (channels) + MOST_TABLES * TABLE_NUMBERS)
