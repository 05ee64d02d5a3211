/* Openings, through which water comes and goes: where they are, and what their columns hold. Filled
 * by src/physics/openings; read by kernels/pointwise/openings.h.
 *
 * The face of an opening is a parallelogram of columns, one particle wide, or a few. Behind it, out
 * of the water, lies its buffer, whose particles have the velocity and the pressure that the
 * opening gives their column. In front of it lies its strip, where each column measures the water.
 * Columns lie along the axis of the opening: its normal, or the direction in which water comes. */
#ifndef SLUICE_KERNELS_TYPES_OPENING_PARAMS_H
#define SLUICE_KERNELS_TYPES_OPENING_PARAMS_H
#include "kernels/types/scalar_energy.h"
#include "kernels/types/wcsph_params.h"

/* What happens to the particles of a column's buffer. */
enum opening_rule {
    OPENING_FREE,   /* nothing: no column, or the state is not known yet */
    OPENING_HOLDS,  /* they have the column's velocity and head */
    OPENING_RETIRES /* they go */
};

struct opening_column {
    double velocity; /* along the normal, into the water, m/s: as the precision of the run has it */
    double head;     /* piezometric, from the corner of the face */
    int32_t rule, closed; /* enum opening_rule; it is no part of the opening */
};

struct opening_box {
    struct sluice_place corner; /* of the face */
    double normal[3], axis[3];  /* a unit vector into the water; axis.normal = 1 */
    double edge[2][3];          /* 1/m: d.edge counts columns, d from the corner */
    double buffer, strip;       /* depths, m */
    int32_t columns[2], first;  /* along the edges (1 in 2-D); its first in the table */
    int32_t bounded;            /* 1: no tension in its buffer */
};

struct openings_params {
    const struct wcsph_predict_params *predict;
    const struct scalar_energy_params *energy;
    const struct opening_box *box;       /* [count], in the backend's memory */
    const struct opening_column *column; /* the same */
    int count;                           /* openings */
    int sets;                            /* of `hold`: velocities and densities too */
};

/* The terms of sums over the particles of a label, a column. Over the water in its strip, with
 * weights w that fall to 0 at the strip's end, s the distance from the face over the strip's depth:
 * w, w s, w s^2, w u, w e, w s e, u the velocity along the normal over c0, e the piezometric
 * head; and the mass. Over its buffer: the mass, with weights whose mean is 1 and that fall to 0 at
 * both ends; the energy by which the particles change at the end of the step (J), the power of what
 * holds them (W). */
enum opening_term {
    OPENING_W,
    OPENING_WS,
    OPENING_WSS,
    OPENING_WU,
    OPENING_WE,
    OPENING_WSE,
    OPENING_MASS,
    OPENING_HELD,
    OPENING_JUMP,
    OPENING_POWER,
    OPENING_TERMS
};
#endif
