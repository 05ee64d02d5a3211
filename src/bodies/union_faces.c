#include "bodies/union_faces.h"

#include <math.h>
#include <string.h>

/* Places within rounding of each other are one. */
static int add_face(double at[SLUICE_FACES_MOST], int count, double face, double rounding)
{
    int k = count;
    for (int i = 0; i < count; i++)
        if (fabs(at[i] - face) < rounding)
            return count;
    if (count == SLUICE_FACES_MOST || face < at[0] || face > at[count - 1])
        return count;
    for (; k > 0 && at[k - 1] > face; k--)
        at[k] = at[k - 1];
    at[k] = face;
    return count + 1;
}

/* Adds those of a shape, and of the shapes that it is combined with. */
static int add_faces(const struct sluice_solid_union *u, int shape, int axis,
                     double at[SLUICE_FACES_MOST], int count)
{
    const struct sluice_shape *s = &u->g->asked[shape];
    const double rounding = 1e-9 * (u->high[axis] - u->low[axis]);
    if (s->kind != SLUICE_SHAPE_WALLS) {
        double low, high;
        sluice_solid_union_extent(u, shape, axis, &low, &high);
        count = add_face(at, count, low, rounding);
        count = add_face(at, count, high, rounding);
    }
    for (int k = 0; k < shape && (s->within[0] || s->without[0]); k++) {
        const char *name = u->g->asked[k].name;
        if (name[0] && (strcmp(name, s->within) == 0 || strcmp(name, s->without) == 0))
            count = add_faces(u, k, axis, at, count);
    }
    return count;
}

int sluice_union_faces(const struct sluice_solid_union *u, int axis, double at[SLUICE_FACES_MOST])
{
    int count = 2;
    at[0] = u->low[axis];
    at[1] = u->high[axis];
    for (int k = 0; k < u->count && count < SLUICE_FACES_MOST; k++)
        count = add_faces(u, u->part[k].shape, axis, at, count);
    return count;
}
