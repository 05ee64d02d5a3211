/* Walls that mirror a gas: faces of the domain. A target's image behind a wall meets the particles
 * before it. With d = x_i - x_j of the image, what it gets there is the mirror image of what the
 * target gets from the particles' images. Beside two walls a target has three images: behind the
 * one, behind the other, and behind both. */
#ifndef SLUICE_KERNELS_GPU_WALL_IMAGES_H
#define SLUICE_KERNELS_GPU_WALL_IMAGES_H
#include "kernels/gpu/c_headers.h"

namespace SLUICE_GPU
{

enum { WALL_LOW = 1, WALL_HIGH = 2 }; /* sides; 0: not mirrored along this axis */

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
    w.count = g->walls ? 27 : 1;
    for (int c = 0; c < g->dimension; c++) {
        w.frame[c][0] = low.frame[c];
        w.frame[c][1] = high.frame[c];
        w.offset[c][0] = low.offset[c];
        w.offset[c][1] = high.offset[c];
        w.width[c] = g->width[c];
    }
    return w;
}

/* The side of image `number` along an axis. */
HD int wall_side(int number, int axis)
{
    return (axis == 0 ? number : axis == 1 ? number / 3 : number / 9) % 3;
}

/* Whether there is an image of this number; number 0 is the target itself. */
HD int wall_image_exists(const struct wall_images &w, int number, const int dim)
{
    int exists = 1;
    for (int c = 0; c < 3; c++) {
        const int side = wall_side(number, c);
        exists &= side == 0 || (c < dim && w.walls >> (2 * c + side - 1) & 1);
    }
    return exists;
}

/* From a particle at offset x in a frame to the wall on a side of an axis, m. */
HD double to_wall(const struct wall_images &w, int axis, int side, int32_t frame, double x)
{
    return (double)(w.frame[axis][side - 1] - frame) * w.width[axis] +
           (w.offset[axis][side - 1] - x);
}

} // namespace SLUICE_GPU
#endif
