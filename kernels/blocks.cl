// The levels 1, 2, ... of lines that a work-item owns whole: the functions PASS1, PASS2, ... of block.cl.
//
// Needs:  PASS, FORWARD, BACK, PRODUCT   as block.cl; undefined again at the end
//         STAGES          levels, at most 6; R0 R1 ... their radices
//         STEP0 STEP1 ... N over the product of the radices up to this one
//         FT1 FT2 ...     where a level's forward twiddles begin;  BT0 BT1 ...  its back twiddles
// Level 0 is the kernels' own: it takes no twiddles forward, and the columns fuse it with their loads and stores.

#if STAGES > 5
#define SLOT 5
#define RADIX R5
#define STEP STEP5
#define FORWARD_TABLE FT5
#define BACK_TABLE BT5
#include "block.cl"
#endif
#if STAGES > 4
#define SLOT 4
#define RADIX R4
#define STEP STEP4
#define FORWARD_TABLE FT4
#define BACK_TABLE BT4
#if STAGES > 5
#define NEXT 5
#endif
#include "block.cl"
#endif
#if STAGES > 3
#define SLOT 3
#define RADIX R3
#define STEP STEP3
#define FORWARD_TABLE FT3
#define BACK_TABLE BT3
#if STAGES > 4
#define NEXT 4
#endif
#include "block.cl"
#endif
#if STAGES > 2
#define SLOT 2
#define RADIX R2
#define STEP STEP2
#define FORWARD_TABLE FT2
#define BACK_TABLE BT2
#if STAGES > 3
#define NEXT 3
#endif
#include "block.cl"
#endif
#if STAGES > 1
#define SLOT 1
#define RADIX R1
#define STEP STEP1
#define FORWARD_TABLE FT1
#define BACK_TABLE BT1
#if STAGES > 2
#define NEXT 2
#endif
#include "block.cl"
#endif

#undef PASS
#undef FORWARD
#undef BACK
#undef PRODUCT
