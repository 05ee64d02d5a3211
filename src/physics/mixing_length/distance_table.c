/* The table of mixing lengths: l = kappa d at nodes over the domain, at most the config's.
 *
 * d is the distance from the nearest wall particle, less half a spacing. The nodes are the centres
 * of the lattice's cells, so d is exact in front of flat walls along it, and linear between nodes.
 * At other walls the nearest particle is up to half a diagonal aside. Walls of a file count, too.
 *
 * Each node learns of its nearest particle from its neighbours, in sweeps along all diagonals until
 * nothing changes (Danielsson 1980). Particles farther than l_m/kappa + 2.5 dp do not matter. */
#include "physics/mixing_length/distance_table.h"

#include <math.h>
#include <stdlib.h>

#include "core/allocate.h"
#include "core/free_memory.h"
#include "kernels/pair/mixing_length.h"

struct sweeps {
    const struct sluice_geometry *lattice;
    int dimension;
    int64_t n[3];      /* nodes: the cells, and on an open axis one more at both ends */
    int64_t before[3]; /* nodes before the first cell: 1 or 0 */
    double (*wall)[3]; /* [start.count] m */
    int32_t *nearest;  /* [nodes]: wall particle; -1: none known */
    double *distance2; /* [nodes]: from it, m^2; INFINITY */
    double most2;      /* m^2: farther particles do not matter */
    int changed;
};

static void centre_of(const struct sweeps *s, const int64_t node[3], double x[3])
{
    for (int a = 0; a < 3; a++)
        x[a] = a < s->dimension ? sluice_geometry_centre(s->lattice, a, node[a] - s->before[a]) : 0;
}

static int64_t index_of(const struct sweeps *s, const int64_t node[3])
{
    return (node[2] * s->n[1] + node[1]) * s->n[0] + node[0];
}

/* Takes a wall particle if it is nearer than the known one. */
static void meet(struct sweeps *s, const int64_t node[3], int32_t wall)
{
    const struct sluice_geometry *g = s->lattice;
    const int64_t at = index_of(s, node);
    double x[3], square = 0;
    centre_of(s, node, x);
    for (int a = 0; a < s->dimension; a++) {
        const double period = (double)g->n[a] * g->step[a], apart = s->wall[wall][a] - x[a],
                     d = g->periodic[a] ? remainder(apart, period) : apart;
        square += d * d;
    }
    if (square >= s->distance2[at] || square > s->most2)
        return;
    s->distance2[at] = square;
    s->nearest[at] = wall;
    s->changed = 1;
}

/* The node before this one in the direction of a sweep. Returns 0 if there is none. */
static int step_back(const struct sweeps *s, const int64_t node[3], int axis, int upwards,
                     int64_t out[3])
{
    for (int a = 0; a < 3; a++)
        out[a] = node[a];
    out[axis] += upwards ? -1 : 1;
    if (out[axis] >= 0 && out[axis] < s->n[axis])
        return 1;
    out[axis] = upwards ? s->n[axis] - 1 : 0;
    return s->lattice->periodic[axis];
}

/* Bit a of `upwards`: the sweep runs upwards along axis a. */
static void sweep(struct sweeps *s, int upwards)
{
    int64_t node[3], before[3], k[3];
    for (k[2] = 0; k[2] < s->n[2]; k[2]++)
        for (k[1] = 0; k[1] < s->n[1]; k[1]++)
            for (k[0] = 0; k[0] < s->n[0]; k[0]++) {
                for (int a = 0; a < 3; a++)
                    node[a] = upwards >> a & 1 ? k[a] : s->n[a] - 1 - k[a];
                for (int a = 0; a < s->dimension; a++)
                    if (step_back(s, node, a, upwards >> a & 1, before)) {
                        const int32_t wall = s->nearest[index_of(s, before)];
                        if (wall >= 0 && wall != s->nearest[index_of(s, node)])
                            meet(s, node, wall);
                    }
            }
}

/* Puts each wall particle to the node that is nearest. */
static void seed(struct sweeps *s, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        int64_t node[3] = {0, 0, 0};
        for (int a = 0; a < s->dimension; a++) {
            const double cell = floor((s->wall[i][a] - s->lattice->origin[a]) /
                                      s->lattice->step[a]);
            node[a] = (int64_t)fmin(fmax(cell + (double)s->before[a], 0), (double)(s->n[a] - 1));
        }
        meet(s, node, (int32_t)i);
    }
}

static sluice_status find_distances(struct sweeps *s, const struct sluice_effect_setup *setup)
{
    const int64_t walls = setup->walls;
    const int64_t nodes = s->n[0] * s->n[1] * s->n[2];
    SLUICE_ALLOCATE(s->wall, walls, "places of walls");
    SLUICE_ALLOCATE(s->nearest, nodes, "nodes of the mixing length");
    SLUICE_ALLOCATE(s->distance2, nodes, "nodes of the mixing length");
    SLUICE_TRY(setup->wall_places(setup, s->wall));
    for (int64_t i = 0; i < nodes; i++) {
        s->nearest[i] = -1;
        s->distance2[i] = INFINITY;
    }
    seed(s, walls);
    do {
        s->changed = 0;
        for (int upwards = 0; upwards < 1 << s->dimension; upwards++)
            sweep(s, upwards);
    } while (s->changed);
    return SLUICE_OK;
}

/* The table has a node more than the cells at both ends of each axis. On a periodic axis those two
 * are copies. */
static int64_t node_of(const struct sweeps *s, const int64_t table[3])
{
    int64_t node[3] = {0, 0, 0};
    for (int a = 0; a < s->dimension; a++) {
        const int64_t cells = s->lattice->n[a], cell = table[a] - 1;
        node[a] = s->lattice->periodic[a] ? (cell + cells) % cells : cell + s->before[a];
    }
    return index_of(s, node);
}

static sluice_status fill_table(const struct sweeps *s, const struct sluice_effect_setup *setup,
                                struct mixing_length_table *t)
{
    const struct sluice_geometry *g = s->lattice;
    const double half = 0.5 * setup->physics->config->spacing,
                 most = setup->physics->wcsph.mixing.most;
    int64_t k[3], at = 0;
    double x[3];
    for (int a = 0; a < 3; a++) {
        const int there = a < s->dimension;
        t->n[a] = there ? g->n[a] + 2 : 1;
        t->step[a] = there ? g->step[a] : 1;
        x[a] = there ? sluice_geometry_centre(g, a, 0) : 0;
    }
    SLUICE_ALLOCATE(t->length, t->n[0] * t->n[1] * t->n[2], "nodes of the mixing length");
    for (k[2] = 0; k[2] < t->n[2]; k[2]++)
        for (k[1] = 0; k[1] < t->n[1]; k[1]++)
            for (k[0] = 0; k[0] < t->n[0]; k[0]++)
                t->length[at++] = (float)fmin(most, MIXING_LENGTH_KAPPA *
                                                        (sqrt(s->distance2[node_of(s, k)]) - half));
    sluice_grid_place(setup->grid, x, &t->origin); /* the first cell is in the domain, */
    for (int a = 0; a < s->dimension; a++)
        t->origin.offset[a] -= g->step[a]; /* the node before it may not be */
    return SLUICE_OK;
}

/* The cells of the domain. A period need not be a whole number of spacings. */
static void set_cells(struct sluice_geometry *lattice, const struct sluice_config *config)
{
    for (int a = 0; a < 3; a++) {
        const double length = config->domain.max[a] - config->domain.min[a];
        const int there = a < config->dimension;
        lattice->n[a] = there ? (int64_t)fmin(fmax(1, rint(length / config->spacing)), 1e15) : 1;
        lattice->origin[a] = there ? config->domain.min[a] : 0;
        lattice->periodic[a] = there && config->domain.periodic[a];
        lattice->step[a] = lattice->periodic[a] ? length / (double)lattice->n[a] : config->spacing;
    }
}

static sluice_status check(const struct sluice_effect_setup *setup, const struct sluice_geometry *g)
{
    const int64_t walls = setup->walls;
    const double most = setup->physics->wcsph.mixing.most, there = sluice_free_memory(),
                 bytes = (2 * sizeof(double)) * ((double)g->n[0] + 2) * ((double)g->n[1] + 2) *
                         ((double)g->n[2] + (setup->physics->config->dimension == 3 ? 2 : 0));
    SLUICE_CHECK(!setup->physics->walls_move, SLUICE_BAD_INPUT,
                 "boundary.mixing_length: %.6g m with walls that move: its table is of walls at "
                 "rest; take 0, or remove the %s",
                 most, setup->physics->body_count > 0 ? "bodies" : "motion");
    SLUICE_CHECK(walls <= INT32_MAX, SLUICE_BAD_INPUT,
                 "boundary.mixing_length: its table knows at most %d wall particles, the case has "
                 "%lld; take 0, or a larger spacing",
                 INT32_MAX, (long long)walls);
    SLUICE_CHECK(
        there <= 0 || bytes <= there, SLUICE_DEVICE,
        "boundary.mixing_length: its table over the domain takes %.3g GB while it is made, "
        "and this machine has %.3g GB to give; make the domain smaller",
        bytes / 1e9, there / 1e9);
    return SLUICE_OK;
}

sluice_status sluice_distance_table_create(const struct sluice_effect_setup *setup,
                                           struct sluice_effect_table *made)
{
    struct sluice_geometry lattice = {.config = setup->physics->config,
                                      .dimension = setup->physics->config->dimension,
                                      .spacing = setup->physics->config->spacing};
    struct sweeps s = {.lattice = &lattice, .dimension = setup->physics->config->dimension};
    struct mixing_length_table *table;
    set_cells(&lattice, setup->physics->config);
    SLUICE_TRY(check(setup, &lattice));
    const double reach = setup->physics->wcsph.mixing.most / MIXING_LENGTH_KAPPA +
                         2.5 * setup->physics->config->spacing;
    s.most2 = reach * reach;
    for (int a = 0; a < 3; a++) {
        s.before[a] = a < s.dimension && !lattice.periodic[a];
        s.n[a] = lattice.n[a] + 2 * s.before[a];
    }
    SLUICE_ALLOCATE(table, 1, "table of mixing lengths");
    made->head = table;
    sluice_status status = find_distances(&s, setup);
    if (status == SLUICE_OK)
        status = fill_table(&s, setup, table);
    made->data = table->length;
    made->bytes = table->length ? sizeof *table->length * (size_t)(table->n[0] * table->n[1]) *
                                      (size_t)table->n[2]
                                : 0;
    free(s.wall);
    free(s.nearest);
    free(s.distance2);
    return status;
}
