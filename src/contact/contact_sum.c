/* Sums that do not depend on the order of their terms: a term is rounded to a whole number of
 * units, which follow from the largest one. */
#include <math.h>

#include "contact/contact_internal.h"

/* The scale of terms of up to `most`; those far below the smallest normal number are lost. */
static int scale_of(double most)
{
    const int scale = most > 0 ? ilogb(most) : 0;
    return scale < -900 ? -900 : scale;
}

exact_total sluice_contact_total(double most, double x)
{
    return exact_total_of(exact_term_of(scale_of(most), x));
}

double sluice_contact_value(double most, exact_total total)
{
    return exact_value(scale_of(most), total);
}

double sluice_contact_sum(const double *x, int64_t n, int64_t stride)
{
    double most = 0;
    int whole = 1;
    for (int64_t i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i * stride]));
        whole = whole && isfinite(x[i * stride]);
    }
    if (!whole || !(most < 0x1p1000))
        return NAN;
    const int scale = scale_of(most);
    exact_total total = 0;
    for (int64_t i = 0; i < n; i++)
        total += exact_total_of(exact_term_of(scale, x[i * stride]));
    return exact_value(scale, total);
}
