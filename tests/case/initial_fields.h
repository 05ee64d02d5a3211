/* The case of a test of initial fields, and its difference from closed forms. */
#ifndef SLUICE_TESTS_FIELDS_H
#define SLUICE_TESTS_FIELDS_H
#include "support/case_config.h"

static struct test_config t;
static struct sluice_case c;

/* Largest difference of the fluid's velocity and density from these functions. */
typedef void (*field)(const double x[3], double v[3], double *r);
static double worst(field exact)
{
    double miss = 0;
    for (int64_t i = 0; i < c.start[0].count; i++) {
        double x[3], v[3] = {0}, r = 0;
        test_x(&c, 0, i, x);
        exact(x, v, &r);
        for (int a = 0; a < 3; a++)
            miss = fmax(miss, fabs(c.start[0].velocity[i][a] - v[a]));
        miss = fmax(miss, fabs(c.start[0].density[i] - r));
    }
    return miss;
}
#endif
