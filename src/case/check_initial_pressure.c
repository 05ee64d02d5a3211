/* Warns of water on walls that starts without the pressure that carries it: it would fall, be
 * stopped, and ring. */
#include <math.h>
#include <string.h>

#include "case/builder.h"

/* How much fluid rests on walls, and how deep its lowest surface lies. */
struct standing {
    int64_t on_walls; /* particles with a wall one spacing below */
    double lowest;    /* depth of the deepest particle with nothing one spacing above, m */
};

/* The type of the particle in the cell at x; -1: none. If there are several, a wall wins. */
static int type_at(const struct sluice_case *c, const struct sluice_cell_lists *l,
                   const double x[3])
{
    int64_t cell[3], other[3];
    sluice_cell_lists_cell(l, x, cell);
    for (int64_t k = sluice_cell_lists_first(l, cell); k; k = l->next[k - 1]) {
        sluice_cell_lists_cell(l, l->x[k - 1], other);
        if (memcmp(cell, other, sizeof cell) == 0)
            return k - 1 < c->start[SLUICE_FLUID].count ? SLUICE_FLUID : SLUICE_WALL;
    }
    return -1;
}

/* All particles in cells of one spacing, the walls last. */
static sluice_status list_particles(const struct sluice_case_builder *b,
                                    struct sluice_cell_lists *l)
{
    struct sluice_grid_options open = {.dimension = b->config->dimension};
    for (int a = 0; a < open.dimension; a++)
        open.low[a] = b->c->fluid_low[a] - b->config->spacing;
    SLUICE_TRY(
        sluice_cell_lists_create(l, &open, b->config->spacing,
                                 b->c->start[SLUICE_FLUID].count + b->c->start[SLUICE_WALL].count));
    for (int type = SLUICE_FLUID; type <= SLUICE_WALL; type++)
        for (int64_t i = 0; i < b->c->start[type].count; i++) {
            double x[3];
            sluice_grid_coordinates(&b->grid, &b->c->start[type].place[i], x);
            sluice_cell_lists_add(l, x);
        }
    return SLUICE_OK;
}

static struct standing find_standing(const struct sluice_case *c,
                                     const struct sluice_initial_frame *f,
                                     const struct sluice_cell_lists *l)
{
    struct standing s = {0, 0};
    for (int64_t i = 0; i < c->start[SLUICE_FLUID].count; i++) {
        const double *x = l->x[i];
        double below[3], above[3];
        for (int a = 0; a < 3; a++) {
            below[a] = x[a] + f->pull[a] / f->gravity * c->config->spacing;
            above[a] = x[a] - f->pull[a] / f->gravity * c->config->spacing;
        }
        s.on_walls += type_at(c, l, below) == SLUICE_WALL;
        if (type_at(c, l, above) < 0)
            s.lowest = fmax(s.lowest, sluice_initial_depth(f, x));
    }
    return s;
}

static int has_pressure(const struct sluice_case_builder *b)
{
    int given = b->config->fluid.masses == SLUICE_MASSES_HYDROSTATIC ||
                (b->from_file[SLUICE_FLUID] > 0 && (b->file.has_density || b->file.has_pressure));
    for (int i = 0; i < b->config->initial_count; i++)
        given |= b->config->initials[i].field != SLUICE_FIELD_OF_VELOCITY;
    return given;
}

sluice_status sluice_case_check_initial_pressure(struct sluice_case_builder *b,
                                                 const struct sluice_initial_frame *frame)
{
    const int fields = b->config->initial_count;
    struct sluice_cell_lists lists;
    if (b->config->model != SLUICE_MODEL_WCSPH || b->c->fluid_depth <= 0 ||
        b->c->start[SLUICE_WALL].count == 0 || has_pressure(b))
        return SLUICE_OK;
    SLUICE_TRY(list_particles(b, &lists));
    const struct standing s = find_standing(b->c, frame, &lists);
    sluice_cell_lists_destroy(&lists);
    if (s.on_walls == 0)
        return SLUICE_OK;
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
