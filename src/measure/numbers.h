/* Numbers of the options of `sluice measure`. */
#ifndef SLUICE_MEASURE_NUMBERS_H
#define SLUICE_MEASURE_NUMBERS_H

/* Reads `count` numbers, separated by commas, up to `end` (0, ':' or, for 0, the end). *at is
 * behind it then. Returns 0 if that is not what stands there. */
int sluice_measure_numbers(const char **at, int count, char end, double *value);
#endif
