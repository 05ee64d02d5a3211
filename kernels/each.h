/* A template: includes a file once for each name of a list of kernels/registry.h, in its order,
 * which no macro can do:
 *
 *   #define EACH_OF         SLUICE_PAIRS
 *   #define EACH_FILE(name) "kernels/cpu/loops/pair_lanes.inc"
 *   #include "kernels/each.h"
 *
 * The file sees the name as EACH_NAME. For lists of 32 names at most. */
#ifndef SLUICE_KERNELS_EACH_H
#define SLUICE_KERNELS_EACH_H
#define EACH_QUOTE(path)         #path
#define EACH_CALL(of, name)      of(name)
#define EACH_PLUS_ONE(name, ...) +1
#define EACH_COMMA(name, ...)    name,
#define EACH_AT(n, of)           EACH_AT_(n, of(EACH_COMMA) 0)
#define EACH_AT_(n, ...)         EACH_AT_##n(__VA_ARGS__)
#define EACH_AT_0(a, ...)        a
#define EACH_AT_1(a, ...)        EACH_AT_0(__VA_ARGS__)
#define EACH_AT_2(a, ...)        EACH_AT_1(__VA_ARGS__)
#define EACH_AT_3(a, ...)        EACH_AT_2(__VA_ARGS__)
#define EACH_AT_4(a, ...)        EACH_AT_3(__VA_ARGS__)
#define EACH_AT_5(a, ...)        EACH_AT_4(__VA_ARGS__)
#define EACH_AT_6(a, ...)        EACH_AT_5(__VA_ARGS__)
#define EACH_AT_7(a, ...)        EACH_AT_6(__VA_ARGS__)
#define EACH_AT_8(a, ...)        EACH_AT_7(__VA_ARGS__)
#define EACH_AT_9(a, ...)        EACH_AT_8(__VA_ARGS__)
#define EACH_AT_10(a, ...)       EACH_AT_9(__VA_ARGS__)
#define EACH_AT_11(a, ...)       EACH_AT_10(__VA_ARGS__)
#define EACH_AT_12(a, ...)       EACH_AT_11(__VA_ARGS__)
#define EACH_AT_13(a, ...)       EACH_AT_12(__VA_ARGS__)
#define EACH_AT_14(a, ...)       EACH_AT_13(__VA_ARGS__)
#define EACH_AT_15(a, ...)       EACH_AT_14(__VA_ARGS__)
#define EACH_AT_16(a, ...)       EACH_AT_15(__VA_ARGS__)
#define EACH_AT_17(a, ...)       EACH_AT_16(__VA_ARGS__)
#define EACH_AT_18(a, ...)       EACH_AT_17(__VA_ARGS__)
#define EACH_AT_19(a, ...)       EACH_AT_18(__VA_ARGS__)
#define EACH_AT_20(a, ...)       EACH_AT_19(__VA_ARGS__)
#define EACH_AT_21(a, ...)       EACH_AT_20(__VA_ARGS__)
#define EACH_AT_22(a, ...)       EACH_AT_21(__VA_ARGS__)
#define EACH_AT_23(a, ...)       EACH_AT_22(__VA_ARGS__)
#define EACH_AT_24(a, ...)       EACH_AT_23(__VA_ARGS__)
#define EACH_AT_25(a, ...)       EACH_AT_24(__VA_ARGS__)
#define EACH_AT_26(a, ...)       EACH_AT_25(__VA_ARGS__)
#define EACH_AT_27(a, ...)       EACH_AT_26(__VA_ARGS__)
#define EACH_AT_28(a, ...)       EACH_AT_27(__VA_ARGS__)
#define EACH_AT_29(a, ...)       EACH_AT_28(__VA_ARGS__)
#define EACH_AT_30(a, ...)       EACH_AT_29(__VA_ARGS__)
#define EACH_AT_31(a, ...)       EACH_AT_30(__VA_ARGS__)
#endif

#if 0 EACH_OF(EACH_PLUS_ONE) > 32
#error "the list has more names than kernels/each.h has places"
#endif
#if 0 EACH_OF(EACH_PLUS_ONE) > 0
#define EACH_NAME EACH_AT(0, EACH_OF)
#include EACH_CALL(EACH_FILE, EACH_NAME)
#undef EACH_NAME
#endif
#if 0 EACH_OF(EACH_PLUS_ONE) > 1
#define EACH_NAME EACH_AT(1, EACH_OF)
#include EACH_CALL(EACH_FILE, EACH_NAME)
#undef EACH_NAME
#endif
#if 0 EACH_OF(EACH_PLUS_ONE) > 2
#define EACH_NAME EACH_AT(2, EACH_OF)
#include EACH_CALL(EACH_FILE, EACH_NAME)
#undef EACH_NAME
#endif
#if 0 EACH_OF(EACH_PLUS_ONE) > 3
#define EACH_NAME EACH_AT(3, EACH_OF)
#include EACH_CALL(EACH_FILE, EACH_NAME)
#undef EACH_NAME
#endif
#if 0 EACH_OF(EACH_PLUS_ONE) > 4
#define EACH_NAME EACH_AT(4, EACH_OF)
#include EACH_CALL(EACH_FILE, EACH_NAME)
#undef EACH_NAME
#endif
#if 0 EACH_OF(EACH_PLUS_ONE) > 5
#define EACH_NAME EACH_AT(5, EACH_OF)
#include EACH_CALL(EACH_FILE, EACH_NAME)
#undef EACH_NAME
#endif
#if 0 EACH_OF(EACH_PLUS_ONE) > 6
#define EACH_NAME EACH_AT(6, EACH_OF)
#include EACH_CALL(EACH_FILE, EACH_NAME)
#undef EACH_NAME
#endif
#if 0 EACH_OF(EACH_PLUS_ONE) > 7
#define EACH_NAME EACH_AT(7, EACH_OF)
#include EACH_CALL(EACH_FILE, EACH_NAME)
#undef EACH_NAME
#endif
#if 0 EACH_OF(EACH_PLUS_ONE) > 8
#define EACH_NAME EACH_AT(8, EACH_OF)
#include EACH_CALL(EACH_FILE, EACH_NAME)
#undef EACH_NAME
#endif
#if 0 EACH_OF(EACH_PLUS_ONE) > 9
#define EACH_NAME EACH_AT(9, EACH_OF)
#include EACH_CALL(EACH_FILE, EACH_NAME)
#undef EACH_NAME
#endif
#if 0 EACH_OF(EACH_PLUS_ONE) > 10
#define EACH_NAME EACH_AT(10, EACH_OF)
#include EACH_CALL(EACH_FILE, EACH_NAME)
#undef EACH_NAME
#endif
#if 0 EACH_OF(EACH_PLUS_ONE) > 11
#define EACH_NAME EACH_AT(11, EACH_OF)
#include EACH_CALL(EACH_FILE, EACH_NAME)
#undef EACH_NAME
#endif
#if 0 EACH_OF(EACH_PLUS_ONE) > 12
#define EACH_NAME EACH_AT(12, EACH_OF)
#include EACH_CALL(EACH_FILE, EACH_NAME)
#undef EACH_NAME
#endif
#if 0 EACH_OF(EACH_PLUS_ONE) > 13
#define EACH_NAME EACH_AT(13, EACH_OF)
#include EACH_CALL(EACH_FILE, EACH_NAME)
#undef EACH_NAME
#endif
#if 0 EACH_OF(EACH_PLUS_ONE) > 14
#define EACH_NAME EACH_AT(14, EACH_OF)
#include EACH_CALL(EACH_FILE, EACH_NAME)
#undef EACH_NAME
#endif
#if 0 EACH_OF(EACH_PLUS_ONE) > 15
#define EACH_NAME EACH_AT(15, EACH_OF)
#include EACH_CALL(EACH_FILE, EACH_NAME)
#undef EACH_NAME
#endif
#if 0 EACH_OF(EACH_PLUS_ONE) > 16
#define EACH_NAME EACH_AT(16, EACH_OF)
#include EACH_CALL(EACH_FILE, EACH_NAME)
#undef EACH_NAME
#endif
#if 0 EACH_OF(EACH_PLUS_ONE) > 17
#define EACH_NAME EACH_AT(17, EACH_OF)
#include EACH_CALL(EACH_FILE, EACH_NAME)
#undef EACH_NAME
#endif
#if 0 EACH_OF(EACH_PLUS_ONE) > 18
#define EACH_NAME EACH_AT(18, EACH_OF)
#include EACH_CALL(EACH_FILE, EACH_NAME)
#undef EACH_NAME
#endif
#if 0 EACH_OF(EACH_PLUS_ONE) > 19
#define EACH_NAME EACH_AT(19, EACH_OF)
#include EACH_CALL(EACH_FILE, EACH_NAME)
#undef EACH_NAME
#endif
#if 0 EACH_OF(EACH_PLUS_ONE) > 20
#define EACH_NAME EACH_AT(20, EACH_OF)
#include EACH_CALL(EACH_FILE, EACH_NAME)
#undef EACH_NAME
#endif
#if 0 EACH_OF(EACH_PLUS_ONE) > 21
#define EACH_NAME EACH_AT(21, EACH_OF)
#include EACH_CALL(EACH_FILE, EACH_NAME)
#undef EACH_NAME
#endif
#if 0 EACH_OF(EACH_PLUS_ONE) > 22
#define EACH_NAME EACH_AT(22, EACH_OF)
#include EACH_CALL(EACH_FILE, EACH_NAME)
#undef EACH_NAME
#endif
#if 0 EACH_OF(EACH_PLUS_ONE) > 23
#define EACH_NAME EACH_AT(23, EACH_OF)
#include EACH_CALL(EACH_FILE, EACH_NAME)
#undef EACH_NAME
#endif
#if 0 EACH_OF(EACH_PLUS_ONE) > 24
#define EACH_NAME EACH_AT(24, EACH_OF)
#include EACH_CALL(EACH_FILE, EACH_NAME)
#undef EACH_NAME
#endif
#if 0 EACH_OF(EACH_PLUS_ONE) > 25
#define EACH_NAME EACH_AT(25, EACH_OF)
#include EACH_CALL(EACH_FILE, EACH_NAME)
#undef EACH_NAME
#endif
#if 0 EACH_OF(EACH_PLUS_ONE) > 26
#define EACH_NAME EACH_AT(26, EACH_OF)
#include EACH_CALL(EACH_FILE, EACH_NAME)
#undef EACH_NAME
#endif
#if 0 EACH_OF(EACH_PLUS_ONE) > 27
#define EACH_NAME EACH_AT(27, EACH_OF)
#include EACH_CALL(EACH_FILE, EACH_NAME)
#undef EACH_NAME
#endif
#if 0 EACH_OF(EACH_PLUS_ONE) > 28
#define EACH_NAME EACH_AT(28, EACH_OF)
#include EACH_CALL(EACH_FILE, EACH_NAME)
#undef EACH_NAME
#endif
#if 0 EACH_OF(EACH_PLUS_ONE) > 29
#define EACH_NAME EACH_AT(29, EACH_OF)
#include EACH_CALL(EACH_FILE, EACH_NAME)
#undef EACH_NAME
#endif
#if 0 EACH_OF(EACH_PLUS_ONE) > 30
#define EACH_NAME EACH_AT(30, EACH_OF)
#include EACH_CALL(EACH_FILE, EACH_NAME)
#undef EACH_NAME
#endif
#if 0 EACH_OF(EACH_PLUS_ONE) > 31
#define EACH_NAME EACH_AT(31, EACH_OF)
#include EACH_CALL(EACH_FILE, EACH_NAME)
#undef EACH_NAME
#endif
#undef EACH_OF
#undef EACH_FILE
