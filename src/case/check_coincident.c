/* Fails if two particles are in one place. */
#include <math.h>

#include "case/builder.h"

/* Finds a point within `near` of x. Returns 1 + its index, or 0 if there is none. Searches the
 * cells that a box around x touches: usually a single one, since `near` is tiny. */
static int64_t find_near(const struct sluice_cell_lists *l, const double x[3], double near)
{
    const double below[3] = {x[0] - near, x[1] - near, x[2] - near},
                 above[3] = {x[0] + near, x[1] + near, x[2] + near};
    int64_t low[3], high[3], cell[3];
    double way[3];
    sluice_cell_lists_cell(l, below, low);
    sluice_cell_lists_cell(l, above, high);
    for (cell[2] = low[2]; cell[2] <= high[2]; cell[2]++)
        for (cell[1] = low[1]; cell[1] <= high[1]; cell[1]++)
            for (cell[0] = low[0]; cell[0] <= high[0]; cell[0]++)
                for (int64_t k = sluice_cell_lists_first(l, cell); k; k = l->next[k - 1])
                    if (sluice_cell_lists_way(l, k - 1, x, way) <= near * near)
                        return k;
    return 0;
}

/* The id of point k. The points are the fluid particles, then the walls. */
static uint32_t id_of(const struct sluice_case *c, int64_t k)
{
    const int64_t fluid = c->start[SLUICE_FLUID].count;
    return k < fluid ? c->start[SLUICE_FLUID].id[k] : c->start[SLUICE_WALL].id[k - fluid];
}

/* Adds the particles one after the other. Each is first compared with those before it. */
static sluice_status check_all(const struct sluice_case_builder *b, struct sluice_cell_lists *l,
                               double near)
{
    for (int type = 0; type <= SLUICE_WALL; type++)
        for (int64_t i = 0; i < b->c->start[type].count; i++) {
            double x[3];
            sluice_grid_coordinates(&b->grid, &b->c->start[type].place[i], x);
            const int64_t k = find_near(l, x, near);
            SLUICE_CHECK(!k, SLUICE_BAD_INPUT,
                         "%s: particles %u and %u are in one place, (%.9g, %.9g, %.9g): move or "
                         "remove one of them",
                         b->config->particles, id_of(b->c, k - 1), b->c->start[type].id[i], x[0],
                         x[1], x[2]);
            sluice_cell_lists_add(l, x);
        }
    return SLUICE_OK;
}

sluice_status sluice_case_check_coincident(const struct sluice_case_builder *b)
{
    const struct sluice_config *config = b->config;
    const int lj = config->model == SLUICE_MODEL_LJ;
    const double apart = lj ? b->c->cutoff : config->spacing;
    struct sluice_cell_lists l;
    if (lj && sluice_config_pair_number(config, "pair.softening", 0) > 0)
        return SLUICE_OK;
    SLUICE_TRY(
        sluice_cell_lists_create(&l, &b->c->grid, (lj ? 0.25 : 1) * apart,
                                 b->c->start[SLUICE_FLUID].count + b->c->start[SLUICE_WALL].count));
    const sluice_status status = check_all(b, &l, 1e-6 * apart);
    sluice_cell_lists_destroy(&l);
    return status;
}
