/* Warns of water on walls that starts without the pressure that carries it: it would fall, be
 * stopped, and ring. */
#include <math.h>

#include "case/builder.h"
#include "grid/cell_bits.h"

enum { FLUID = 1, WALL = 2 }; /* bits of cells with such particles */

/* The occupied cells, of one spacing; how much fluid rests on walls, and how deep its lowest
 * surface lies. */
struct standing {
    const struct sluice_case_builder *b;
    unsigned bits; /* of the type that is visited */
    struct sluice_cell_bits cells;
    int64_t on_walls; /* particles with a wall one spacing below */
    double lowest;    /* depth of the deepest particle with nothing one spacing above, m */
};

/* The cell of a place that lies `up` spacings above x. */
static void find_cell(const struct sluice_case_builder *b, const double x[3], double up,
                      int64_t cell[3])
{
    const struct sluice_initial_frame *f = &b->frame;
    const double spacing = b->config->spacing;
    for (int a = 0; a < 3; a++) {
        const double low = b->c->fluid_low[a] - spacing,
                     there = x[a] - up * (f->pull[a] / f->gravity) * spacing;
        cell[a] = a < b->config->dimension ? (int64_t)floor((there - low) / spacing) : 0;
    }
}

static sluice_status mark_cells(void *data, const struct sluice_start *chunk, int64_t first,
                                struct sluice_threads *team)
{
    struct standing *s = data;
    (void)first;
    (void)team;
    for (int64_t i = 0; i < chunk->count; i++) {
        double x[3];
        int64_t cell[3];
        sluice_grid_coordinates(&s->b->grid, &chunk->place[i], x);
        find_cell(s->b, x, 0, cell);
        SLUICE_TRY(sluice_cell_bits_set(&s->cells, cell, s->bits));
    }
    return SLUICE_OK;
}

static sluice_status find_standing(void *data, const struct sluice_start *fluid, int64_t first,
                                   struct sluice_threads *team)
{
    struct standing *s = data;
    (void)first;
    (void)team;
    for (int64_t i = 0; i < fluid->count; i++) {
        double x[3];
        int64_t below[3], above[3];
        sluice_grid_coordinates(&s->b->grid, &fluid->place[i], x);
        find_cell(s->b, x, -1, below);
        find_cell(s->b, x, 1, above);
        s->on_walls += (sluice_cell_bits_at(&s->cells, below) & WALL) != 0;
        if (!sluice_cell_bits_at(&s->cells, above))
            s->lowest = fmax(s->lowest, sluice_initial_depth(&s->b->frame, x));
    }
    return SLUICE_OK;
}

static sluice_status visit_particles(struct standing *s)
{
    const struct sluice_case *c = s->b->c;
    s->bits = FLUID;
    SLUICE_TRY(sluice_case_each(c, SLUICE_FLUID, mark_cells, s));
    s->bits = WALL;
    SLUICE_TRY(sluice_case_each(c, SLUICE_WALL, mark_cells, s));
    return sluice_case_each(c, SLUICE_FLUID, find_standing, s);
}

static int has_pressure(const struct sluice_case_builder *b)
{
    int given = b->config->fluid.masses == SLUICE_MASSES_HYDROSTATIC ||
                (b->from_file[SLUICE_FLUID] > 0 && (b->file.has_density || b->file.has_pressure));
    for (int i = 0; i < b->config->initial_count; i++)
        given |= b->config->initials[i].field != SLUICE_FIELD_OF_VELOCITY;
    return given;
}

sluice_status sluice_case_check_initial_pressure(struct sluice_case_builder *b)
{
    const int fields = b->config->initial_count;
    struct standing s = {.b = b};
    if (b->config->model != SLUICE_MODEL_WCSPH || b->c->fluid_depth <= 0 ||
        b->c->start[SLUICE_WALL].count == 0 || has_pressure(b))
        return SLUICE_OK;
    const sluice_status status = visit_particles(&s);
    sluice_cell_bits_destroy(&s.cells);
    if (status != SLUICE_OK || s.on_walls == 0)
        return status;
    char remedy[160];
    /* The field measures depth from the highest fluid, so it fits a level surface only. */
    if (s.lowest > 2 * b->config->spacing)
        snprintf(remedy, sizeof remedy,
                 "Its surface is not level, by up to %.3g, so that no field fits: start from a "
                 "particle file with a column pressure, or let it settle first",
                 s.lowest);
    else
        snprintf(remedy, sizeof remedy, "%s { field = \"pressure\"; kind = \"hydrostatic\"; }%s",
                 fields ? "Add to the list initial:" : "Add the line initial = (",
                 fields ? "" : " );");
    sluice_warn(&b->warnings,
                "initial: gravity pulls on fluid that starts without a pressure; it falls on its "
                "walls and rings, with a period of %.3g s. %s",
                4 * b->c->fluid_depth / b->c->physics.wcsph.sound_speed, remedy);
    return SLUICE_OK;
}
