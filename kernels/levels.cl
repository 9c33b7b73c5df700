// The levels of a line that a work-item owns whole, for programs that run any line (general_blocks.cl).
//
// The text of both sides, as sizes.cl. Level s splits each of its blocks in radix[s]; src/fft/lane_line.h has the formulas.
#define MOST_LEVELS 6
typedef struct {  // NOLINT(modernize-use-using): C, too
    int length;                // values of a line
    int count;                 // levels
    int radix[MOST_LEVELS];
    int step[MOST_LEVELS];     // values between the inputs of a butterfly
    int set[MOST_LEVELS];      // twiddles of a butterfly
    int forward[MOST_LEVELS];  // where a level's forward twiddles begin
    int back[MOST_LEVELS];     // where its back twiddles begin
} levels;
