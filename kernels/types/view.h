/* A set as a kernel sees it: its arrays, typed. A view borrows, and lasts for one call. */
#ifndef SLUICE_KERNELS_TYPES_VIEW_H
#define SLUICE_KERNELS_TYPES_VIEW_H
#include <stdint.h>

#include "kernels/types/compensated.h"
#include "particles/particles.h"

/* field[f] is NULL where the set has no such field; arrays are [n][components]
 * (particles/fields.h). */
struct sluice_view {
    real *field[SLUICE_FIELD_COUNT];
    const sluice_id *id;
    int64_t count;
};

static inline struct sluice_view view_of(const struct sluice_set *set)
{
    struct sluice_view v;
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++)
        v.field[f] = (real *)set->field[f];
    v.id = (const sluice_id *)set->field[SLUICE_FIELD_ID];
    v.count = set->count;
    return v;
}

/* The places of the frames, for operations that need more than differences of positions. */
struct sluice_frames_view {
    const int32_t (*index)[3];      /* [slot] */
    const int32_t (*neighbour)[27]; /* [slot]: struct sluice_grid */
    uint32_t *wanted; /* [slot] on a GPU: set to 1 where bins are needed; NULL: do not */
    real width[3];
    double exact_width[3], period[3]; /* m; period 0: an open axis */
};

static inline void view_set_widths(struct sluice_frames_view *frames, const double width[3],
                                   const int32_t wrap[3])
{
    for (int c = 0; c < 3; c++) {
        frames->width[c] = (real)width[c];
        frames->exact_width[c] = width[c];
        frames->period[c] = wrap[c] * width[c]; /* open: 0 */
    }
}

/* In place of a source 0 or 1 of a pass: the target. */
enum { SLUICE_TARGET = -1 };

/* Component c of an interleaved [n][components] array. */
#define VIEW(view, name, i, components, c)                                                         \
    ((view)->field[SLUICE_FIELD_##name][(int64_t)(components) * (i) + (c)])

/* The array of a field of type LOW. */
HD real_low *view_low(const struct sluice_view *v, enum sluice_field field)
{
    return (real_low *)(void *)v->field[field];
}

/* A number of particle i, of a field of type U32. */
HD uint32_t view_number(const struct sluice_view *v, enum sluice_field field, int64_t i)
{
    return ((const uint32_t *)(const void *)v->field[field])[i];
}
/* The fluid of particle i, where there are two: 0 the first, 1 the second. */
HD uint32_t view_phase(const struct sluice_view *v, int64_t i)
{
    return view_number(v, SLUICE_FIELD_PHASE, i);
}

/* Four, or two, reals in a row, loaded at once; p is aligned to all of them. On a GPU p is in
 * global memory, and the kernel writes nothing there. */
struct real4 {
    real x, y, z, w;
};
struct real2 {
    real x, y;
};
HD struct real4 view_load4(const real *p)
{
#if SLUICE_ON_DEVICE && defined(SLUICE_DOUBLE)
    const double2 low = __ldg((const double2 *)p), high = __ldg((const double2 *)p + 1);
    const struct real4 v = {low.x, low.y, high.x, high.y};
#elif SLUICE_ON_DEVICE
    const float4 all = __ldg((const float4 *)p);
    const struct real4 v = {all.x, all.y, all.z, all.w};
#else
    const struct real4 v = {p[0], p[1], p[2], p[3]};
#endif
    return v;
}

HD struct real2 view_load2(const real *p)
{
#if SLUICE_ON_DEVICE && defined(SLUICE_DOUBLE)
    const double2 both = __ldg((const double2 *)p);
    const struct real2 v = {both.x, both.y};
#elif SLUICE_ON_DEVICE
    const float2 both = __ldg((const float2 *)p);
    const struct real2 v = {both.x, both.y};
#else
    const struct real2 v = {p[0], p[1]};
#endif
    return v;
}

/* Four, or two, reals stored at once; p is aligned to all of them. */
HD void view_store4(real *p, real x, real y, real z, real w)
{
#if SLUICE_ON_DEVICE && defined(SLUICE_DOUBLE)
    ((double2 *)p)[0] = make_double2(x, y);
    ((double2 *)p)[1] = make_double2(z, w);
#elif SLUICE_ON_DEVICE
    *(float4 *)p = make_float4(x, y, z, w);
#else
    p[0] = x;
    p[1] = y;
    p[2] = z;
    p[3] = w;
#endif
}
HD void view_store2(real *p, real x, real y)
{
#if SLUICE_ON_DEVICE && defined(SLUICE_DOUBLE)
    *(double2 *)p = make_double2(x, y);
#elif SLUICE_ON_DEVICE
    *(float2 *)p = make_float2(x, y);
#else
    p[0] = x;
    p[1] = y;
#endif
}

/* PREDICTED of particle i: the velocity (z = 0 in 2-D), and as w the head as wcsph_predict.h or
 * filter_head.h (kernels/pointwise) leaves it. */
HD struct real4 view_predicted(const struct sluice_view *v, int64_t i, const int dim)
{
    const real *at = &VIEW(v, PREDICTED, i, dim + 1, 0);
    if (dim == 3)
        return view_load4(at);
    struct real4 u;
    u.x = at[0];
    u.y = at[1];
    u.z = 0;
    u.w = at[2];
    return u;
}
HD void view_put_predicted(const struct sluice_view *v, int64_t i, const int dim, const real u[3],
                           real head)
{
    real *at = &VIEW(v, PREDICTED, i, dim + 1, 0);
    if (dim == 3) {
        view_store4(at, u[0], u[1], u[2], head);
        return;
    }
    at[0] = u[0];
    at[1] = u[1];
    at[2] = head;
}
#endif
