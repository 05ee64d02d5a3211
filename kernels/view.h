/* What a kernel sees of a set: its arrays, typed. Views borrow; they are made anew for each call.
 */
#ifndef SLUICE_KERNELS_VIEW_H
#define SLUICE_KERNELS_VIEW_H
#include <stdint.h>

#include "kernels/real.h"
#include "particles/fields.h"

/* field[f] is NULL where the set has no such field; arrays are [n][components]
 * (particles/fields.h). */
struct sluice_view {
    real *field[SLUICE_FIELD_COUNT];
    const uint32_t *id;
    int64_t count;
};

/* Where the frames are: for what needs more than differences of positions. */
struct sluice_frames_view {
    const int32_t (*index)[3]; /* [slot] */
    real width[3];
};

/* load() of a pair is told what it loads: the target, or a particle of source 0 or 1 of the pass.
 */
enum { SLUICE_TARGET = -1 };

/* Component c of an interleaved [n][components] array. */
#define VIEW(view, name, i, components, c)                                                         \
    ((view)->field[SLUICE_FIELD_##name][(int64_t)(components) * (i) + (c)])
#endif
