/* Walls that mirror a gas: faces of the domain. A target's image behind a wall meets the particles
 * before it. With d = x_i - x_j of the image, what it gets there is the mirror image of what the
 * target gets from the particles' images (kernels/types/wall_sides.h). */
#ifndef SLUICE_KERNELS_GPU_WALL_IMAGES_H
#define SLUICE_KERNELS_GPU_WALL_IMAGES_H
#include "kernels/gpu/c_headers.h"
#include "kernels/types/wall_sides.h"

namespace SLUICE_GPU
{

struct wall_images {
    unsigned walls;      /* as in struct sluice_grid */
    int count;           /* images to try: 1, the target itself, if there are no walls */
    int32_t frame[3][2]; /* of the low and the high face on each axis, */
    double offset[3][2]; /* and the place in it, from the frame's centre, m */
    double width[3];     /* of a frame */
};

static inline struct wall_images wall_images_of(const struct sluice_grid *g)
{
    struct wall_images w = {};
    struct sluice_place low = {}, high = {};
    sluice_grid_place(g, g->low, &low);
    sluice_grid_place(g, g->high, &high);
    w.walls = g->walls;
    w.count = g->walls ? WALL_IMAGES : 1;
    for (int c = 0; c < g->dimension; c++) {
        w.frame[c][0] = low.frame[c];
        w.frame[c][1] = high.frame[c];
        w.offset[c][0] = low.offset[c];
        w.offset[c][1] = high.offset[c];
        w.width[c] = g->width[c];
    }
    return w;
}

/* From a particle at offset x in a frame to the wall on a side of an axis, m. */
HD double to_wall(const struct wall_images &w, int axis, int side, int32_t frame, double x)
{
    return (double)(w.frame[axis][side - 1] - frame) * w.width[axis] +
           (w.offset[axis][side - 1] - x);
}

} // namespace SLUICE_GPU
#endif
