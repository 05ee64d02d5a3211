/* The images of a particle behind walls that mirror it, by number: a digit to the base 3 for each
 * axis says whether it is mirrored there. Beside two walls a particle has three images: behind the
 * one, behind the other, and behind both. Number 0 is the particle itself. */
#ifndef SLUICE_KERNELS_TYPES_WALL_SIDES_H
#define SLUICE_KERNELS_TYPES_WALL_SIDES_H
#include "kernels/types/device.h"

enum { WALL_LOW = 1, WALL_HIGH = 2, WALL_IMAGES = 27 }; /* sides; 0: not mirrored along this axis */

/* The side of image `number` along an axis. */
HD int wall_side(int number, int axis)
{
    return (axis == 0 ? number : axis == 1 ? number / 3 : number / 9) % 3;
}

/* Whether there is an image of this number; walls: as in struct sluice_grid. */
HD int wall_image_exists(unsigned walls, int number, const int dim)
{
    int exists = 1;
    for (int c = 0; c < 3; c++) {
        const int side = wall_side(number, c);
        exists &= side == 0 || (c < dim && walls >> (2 * c + side - 1) & 1);
    }
    return exists;
}
#endif
