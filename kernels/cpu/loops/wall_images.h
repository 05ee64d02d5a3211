/* Walls that mirror a gas: faces of the domain. A target's image behind a wall meets the particles
 * before it. With d = x_i - x_j of the image, what it gets there is the mirror image of what the
 * target gets from the particles' images (kernels/types/wall_sides.h). */
#ifndef SLUICE_KERNELS_CPU_LOOPS_WALL_IMAGES_H
#define SLUICE_KERNELS_CPU_LOOPS_WALL_IMAGES_H
#include "kernels/cpu/variant.h"
#include "kernels/types/real.h"
#include "kernels/types/wall_sides.h"

/* One image after another. */
struct wall_images {
    const struct sluice_grid *grid;
    int number;
    unsigned axes;   /* that are mirrored, as bits */
    double plane[3]; /* the walls on these axes, m */
};

static inline void wall_images_begin(struct wall_images *w, const struct sluice_grid *g)
{
    w->grid = g;
    w->number = 0;
}

/* The next image; 0: there is no other. An axis has its low wall, its high wall, or none. */
static inline int wall_images_next(struct wall_images *w)
{
    const struct sluice_grid *g = w->grid;
    while (++w->number < WALL_IMAGES) {
        if (!wall_image_exists(g->walls, w->number, g->dimension))
            continue;
        w->axes = 0;
        for (int c = 0; c < 3; c++) {
            const int side = wall_side(w->number, c);
            w->axes |= side ? 1u << c : 0;
            w->plane[c] = side == WALL_HIGH ? g->high[c] : g->low[c];
        }
        return 1;
    }
    return 0;
}

/* Puts, for the mirrored axes, what makes d = (-x_i - x_j) + shift of offsets x_i in the frame
 * `target` and x_j in `source`, slots. */
static inline void wall_images_shift(const struct wall_images *w, int target, int source,
                                     real shift[3])
{
    for (int c = 0; c < 3; c++)
        if (w->axes >> c & 1)
            shift[c] = (real)((w->plane[c] - sluice_grid_centre(w->grid, target, c)) +
                              (w->plane[c] - sluice_grid_centre(w->grid, source, c)));
}
#endif
