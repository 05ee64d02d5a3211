/* Tolerances of the tests, each with the reason for its size. */
#ifndef SLUICE_TESTS_TOLERANCES_H
#define SLUICE_TESTS_TOLERANCES_H

/* Sums over pairs against the double all-pairs reference, as a part of the sum of the terms'
 * magnitudes. In float a difference of offsets is rounded to half an ulp of the frame's width, here
 * up to 32 h: 2e-6 h, and terms have up to two such factors. In double the same is 4e-15; the
 * reference itself is summed in another order. */
#define TOLERANCE_PAIR_FLOAT  1e-5
#define TOLERANCE_PAIR_DOUBLE 1e-13

/* The same for Lennard-Jones, whose force goes with r^-13: a relative error of r counts 14 times.
 */
#define TOLERANCE_LJ_FLOAT  1.4e-4
#define TOLERANCE_LJ_DOUBLE 1e-12

/* The power identity at one instant, as docs/theory.md promises it. */
#define TOLERANCE_IDENTITY_FLOAT  1e-5
#define TOLERANCE_IDENTITY_DOUBLE 1e-12
#endif
