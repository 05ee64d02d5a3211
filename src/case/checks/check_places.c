/* Fails if two particles are in one place, or fluid of a file in walls. */

#include "case/builder.h"
#include "core/allocate.h"

/* --- Two particles in one place --- */

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

struct checked {
    const struct sluice_case_builder *b;
    struct sluice_cell_lists lists;
    sluice_id *id; /* of the points in the lists */
    double near;
};

/* Adds the particles one after the other. Each is first compared with those before it. */
static sluice_status check_chunk(void *data, const struct sluice_start *s, int64_t first,
                                 struct sluice_threads *team)
{
    struct checked *c = data;
    (void)first;
    (void)team;
    for (int64_t i = 0; i < s->count; i++) {
        double x[3];
        sluice_grid_coordinates(&c->b->grid, &s->place[i], x);
        const int64_t k = find_near(&c->lists, x, c->near);
        SLUICE_CHECK(!k, SLUICE_BAD_INPUT,
                     "%s: particles %lld and %lld are in one place, (%.9g, %.9g, %.9g): move or "
                     "remove one of them",
                     c->b->config->particles, (long long)c->id[k - 1], (long long)s->id[i], x[0],
                     x[1], x[2]);
        c->id[c->lists.count] = s->id[i];
        sluice_cell_lists_add(&c->lists, x);
    }
    return SLUICE_OK;
}

sluice_status sluice_case_check_coincident(const struct sluice_case_builder *b)
{
    const struct sluice_config *config = b->config;
    const int lj = config->model == SLUICE_MODEL_LJ;
    const double apart = lj ? b->c->cutoff : config->spacing;
    const int64_t all = b->c->start[SLUICE_FLUID].count + b->c->start[SLUICE_WALL].count;
    struct checked c = {.b = b, .near = 1e-6 * apart};
    if (lj && sluice_config_pair_number(config, "pair.softening", 0) > 0)
        return SLUICE_OK;
    SLUICE_ALLOCATE(c.id, all, "ids of particles");
    sluice_status status = sluice_cell_lists_create(&c.lists, &b->c->grid, (lj ? 0.25 : 1) * apart,
                                                    all);
    for (enum sluice_type type = SLUICE_FLUID; status == SLUICE_OK && type <= SLUICE_WALL; type++)
        status = sluice_case_each(b->c, type, check_chunk, &c);
    sluice_cell_lists_destroy(&c.lists);
    free(c.id);
    return status;
}

/* --- Fluid in walls --- */

/* Walls from particle `first` on, as a body, with their ids and groups. */
struct checked_walls {
    const struct sluice_case_builder *b;
    int64_t first;
    struct sluice_wall_body body;
    struct {
        sluice_id id;
        uint32_t group;
    } * wall;
};

static sluice_status add_walls(void *data, const struct sluice_start *wall, int64_t first,
                               struct sluice_threads *team)
{
    struct checked_walls *w = data;
    (void)team;
    for (int64_t i = 0; i < wall->count; i++) {
        double x[3];
        if (first + i < w->first ||
            (wall->motion && sluice_case_moved_body(w->b->c, (int)wall->motion[i] - 1)))
            continue; /* fluid of a snapshot may touch what was in its run */
        sluice_grid_coordinates(&w->b->grid, &wall->place[i], x);
        w->wall[w->body.lists.count].id = wall->id[i];
        w->wall[w->body.lists.count].group = wall->group[i];
        sluice_wall_body_add(&w->body, x);
    }
    return SLUICE_OK;
}

static sluice_status check_row(const struct checked_walls *w, const struct sluice_particle_row *row)
{
    const struct sluice_case_builder *b = w->b;
    const int64_t held = sluice_wall_body_holds(&w->body, row->x);
    if (!held)
        return SLUICE_OK;
    const sluice_id id = w->wall[held - 1].id;
    const double *at = w->body.lists.x[held - 1];
    return SLUICE_FAIL(
        SLUICE_BAD_INPUT,
        "%s:%lld: particle %lld is fluid, but at (%.9g, %.9g, %.9g) it lies inside a "
        "wall: nearest is particle %lld of '%.60s' at (%.9g, %.9g, %.9g); move or "
        "remove it, half a spacing (%.9g) or more from wall particles",
        b->config->particles, (long long)row->line, (long long)row->id, row->x[0], row->x[1],
        row->x[2], (long long)id, b->c->groups.group[w->wall[held - 1].group].name, at[0], at[1],
        at[2], 0.5 * b->config->spacing);
}

sluice_status sluice_case_check_fluid(const struct sluice_case_builder *b)
{
    struct checked_walls w = {.b = b, .first = b->file.is_snapshot ? b->from_file[SLUICE_WALL] : 0};
    const int64_t walls = b->c->start[SLUICE_WALL].count - w.first;
    if (b->from_file[SLUICE_FLUID] == 0 || walls == 0)
        return SLUICE_OK;
    SLUICE_ALLOCATE(w.wall, walls, "ids of walls");
    sluice_status status = sluice_wall_body_create(&w.body, b, walls);
    if (status == SLUICE_OK)
        status = sluice_case_each(b->c, SLUICE_WALL, add_walls, &w);
    for (int64_t i = 0; i < b->file.count && status == SLUICE_OK; i++)
        if (b->file.row[i].type == SLUICE_FLUID)
            status = check_row(&w, &b->file.row[i]);
    sluice_cell_lists_destroy(&w.body.lists);
    free(w.wall);
    return status;
}
