/* Whether water that stands on walls starts without the pressure that carries it: it would fall, be
 * stopped, and ring. */
#include <math.h>
#include <stdlib.h>

#include "case/builder.h"

/* The cells of a spacing that hold particles: an open hash of their numbers, with their type. */
struct cells {
    double low[3];    /* m: corner of cell (0, 0, 0) */
    double spacing;   /* m */
    int64_t size[3];  /* cells on each axis, one beyond the fluid on each side */
    uint64_t *number; /* [mask + 1]: 0: none; 2 (number + 1) + type */
    uint64_t mask;
};

/* Beyond the fluid's cells: 0. */
static uint64_t number_of(const struct cells *c, const double x[3])
{
    uint64_t number = 0;
    for (int a = 2; a >= 0; a--) {
        const double k = floor((x[a] - c->low[a]) / c->spacing);
        if (!(k >= 0 && k < (double)c->size[a]))
            return 0;
        number = number * (uint64_t)c->size[a] + (uint64_t)k;
    }
    return number + 1;
}

static uint64_t slot_of(const struct cells *c, uint64_t number)
{
    uint64_t slot = (number * 0x9E3779B97F4A7C15u) >> 20;
    for (slot &= c->mask; c->number[slot] && c->number[slot] / 2 != number;
         slot = (slot + 1) & c->mask)
        ;
    return slot;
}

/* The type of what the cell at x holds, -1: nothing. */
static int type_at(const struct cells *c, const double x[3])
{
    const uint64_t number = number_of(c, x), found = number ? c->number[slot_of(c, number)] : 0;
    return found ? (int)(found & 1) : -1;
}

static sluice_status fill_cells(const struct sluice_case_builder *b, struct cells *c)
{
    const int64_t particles = b->c->start[SLUICE_FLUID].count + b->c->start[SLUICE_WALL].count;
    uint64_t size = 64;
    c->spacing = b->config->spacing;
    for (int a = 0; a < 3; a++) {
        const int there = a < b->config->dimension;
        c->low[a] = there ? b->c->fluid_low[a] - c->spacing : -0.5 * c->spacing;
        c->size[a] = there ? (int64_t)ceil((b->c->fluid_high[a] - c->low[a]) / c->spacing) + 1 : 1;
    }
    while (size < 2 * (uint64_t)particles)
        size *= 2;
    c->mask = size - 1;
    c->number = calloc(size, sizeof *c->number);
    SLUICE_CHECK(c->number, SLUICE_DEVICE, "no memory for the cells of %lld particles",
                 (long long)particles);
    for (int type = SLUICE_FLUID; type <= SLUICE_WALL; type++)
        for (int64_t i = 0; i < b->c->start[type].count; i++) {
            double x[3];
            sluice_grid_coordinates(&b->grid, &b->c->start[type].place[i], x);
            const uint64_t number = number_of(c, x);
            if (number)
                c->number[slot_of(c, number)] = 2 * number + (uint64_t)type;
        }
    return SLUICE_OK;
}

/* How the fluid stands. */
struct standing {
    int64_t on_walls; /* particles that a wall is below */
    double lowest;    /* depth of the deepest particle that nothing is above, m */
};

static void look_at(const struct sluice_case_builder *b, const struct sluice_initial_frame *f,
                    const struct cells *c, struct standing *s)
{
    const struct sluice_start *fluid = &b->c->start[SLUICE_FLUID];
    const double *g = f->pull, pull = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    for (int64_t i = 0; i < fluid->count; i++) {
        double x[3], below[3], above[3];
        sluice_grid_coordinates(&b->grid, &fluid->place[i], x);
        for (int a = 0; a < 3; a++) {
            below[a] = x[a] + f->pull[a] / pull * c->spacing;
            above[a] = x[a] - f->pull[a] / pull * c->spacing;
        }
        s->on_walls += type_at(c, below) == SLUICE_WALL;
        if (type_at(c, above) < 0)
            s->lowest = fmax(s->lowest, sluice_initial_depth(f, x));
    }
}

static int has_pressure(const struct sluice_case_builder *b)
{
    int given = b->config->fluid.masses == SLUICE_MASSES_HYDROSTATIC ||
                (b->from_file[SLUICE_FLUID] > 0 && (b->file.has_density || b->file.has_pressure));
    for (int i = 0; i < b->config->initial_count; i++)
        given |= b->config->initials[i].field != SLUICE_FIELD_OF_VELOCITY;
    return given;
}

/* The field measures depth from the highest fluid: it is no remedy where the surface is lower
 * elsewhere. */
static void say(struct sluice_case_builder *b, const struct standing *s)
{
    static const char field[] = "{ field = \"pressure\"; kind = \"hydrostatic\"; }";
    const double period = 4 * b->c->fluid_depth / b->c->physics.wcsph.sound_speed;
    if (s->lowest > 2 * b->config->spacing)
        sluice_case_warn(b,
                         "initial: gravity pulls on fluid that starts without a pressure; it falls "
                         "on its walls and rings, with a period of %.3g s. Its surface is not "
                         "level, by up to %.3g, so that no field fits: start from a particle file "
                         "with a column pressure, or let it settle first",
                         period, s->lowest);
    else
        sluice_case_warn(b,
                         "initial: gravity pulls on fluid that starts without a pressure; it falls "
                         "on its walls and rings, with a period of %.3g s. %s %s%s%s",
                         period,
                         b->config->initial_count ? "Add to the list initial:" : "Add the line",
                         b->config->initial_count ? "" : "initial = ( ", field,
                         b->config->initial_count ? "" : " );");
}

sluice_status sluice_case_check_rest(struct sluice_case_builder *b,
                                     const struct sluice_initial_frame *frame)
{
    struct cells cells;
    struct standing standing = {0};
    if (b->config->model != SLUICE_MODEL_WCSPH || b->c->fluid_depth <= 0 ||
        b->c->start[SLUICE_WALL].count == 0 || has_pressure(b))
        return SLUICE_OK;
    SLUICE_TRY(fill_cells(b, &cells));
    look_at(b, frame, &cells, &standing);
    free(cells.number);
    if (standing.on_walls > 0)
        say(b, &standing);
    return SLUICE_OK;
}
