/* How fast walls turn, for their friction: with w of what carries a wall particle, the velocity of
 * that rigid motion at a place x is u_w + w x (x - x_w). Friction compares velocities at two places
 * with it, so that water and walls that turn as one have none. */
#ifndef SLUICE_PAIR_WALL_SPIN_H
#define SLUICE_PAIR_WALL_SPIN_H
#include "kernels/types/real.h"
#include "kernels/types/rigid_motion_params.h"
#include "kernels/types/view.h"

struct wall_spin {
    int used; /* 0: no wall turns */
    uint32_t count;
    real motion[SLUICE_MOTIONS_HELD][3]; /* w of each motion, 1/s */
    uint32_t listed;
    const struct sluice_rigid *table; /* [listed] in the backend's memory */
};

/* m NULL: no wall turns. */
static inline struct wall_spin wall_spin_prepare(const struct rigid_motion_params *m)
{
    struct wall_spin s = {0, 0, {{0}}, 0, NULL};
    if (!m)
        return s;
    s.count = (uint32_t)m->count;
    s.listed = (uint32_t)(m->listed + m->bodies);
    s.table = m->table;
    s.used = rigid_motion_turns(m);
    for (int i = 0; i < m->count; i++)
        for (int c = 0; c < 3; c++)
            s.motion[i][c] = (real)m->motion[i].spin[c];
    return s;
}

/* w of what carries wall particle i; 0 of one at rest. */
HD void wall_spin_of(const struct wall_spin *s, const struct sluice_view *v, int64_t i, real w[3])
{
    const uint32_t *motions = (const uint32_t *)(const void *)v->field[SLUICE_FIELD_MOTION];
    const uint32_t motion = motions ? motions[i] : 0;
    for (int c = 0; c < 3; c++)
        w[c] = motion == 0                      ? 0
               : motion <= s->count             ? s->motion[motion - 1][c]
               : motion - s->count <= s->listed ? (real)s->table[motion - 1 - s->count].spin[c]
                                                : 0;
}

/* Component c of w x d. */
HD real wall_spin_cross(const real w[3], const real d[3], int c)
{
    const int p = (c + 1) % 3, q = (c + 2) % 3;
    return w[p] * d[q] - w[q] * d[p];
}
#endif
