// SPDX-License-Identifier: Apache-2.0
// The stages of a line that a work-item owns whole, for programs that run any line (general_blocks.cl).
//
// Host and device share this text, as they share sizes.cl.
//
// Stage s splits each of its blocks in radix[s]; src/fft/lane_line.h has the formulas.
#pragma once

#define MOST_LANE_STAGES 6
typedef struct {  // NOLINT(modernize-use-using): C, too
    int length;                     // values of a line
    int count;                      // stages
    int radix[MOST_LANE_STAGES];
    int step[MOST_LANE_STAGES];     // values between the inputs of a butterfly
    int set[MOST_LANE_STAGES];      // twiddles of a butterfly
    int forward[MOST_LANE_STAGES];  // where a stage's forward twiddles begin
    int back[MOST_LANE_STAGES];     // where its back twiddles begin
} lane_stages;
