/* test: 0.5 s */
/* Many fitted shapes: depths against a closed form, and the tree and the bins of shapes against all
 * shapes. */
#include "fitted.h"

#include "core/hash.h"
#include "fit/shape_tree.h"

enum { COLUMNS = 7, ROWS = 6, DISCS = COLUMNS * ROWS };
static double disc[DISCS][3]; /* centre and radius, in spacings */

static double number(uint64_t *state)
{
    return sluice_mix_unit(*state += SLUICE_MIX_STEP);
}

/* Discs about 10 spacings apart, in a period along x. */
static void add_discs(void)
{
    uint64_t state = 1;
    for (int i = 0; i < DISCS; i++) {
        disc[i][0] = 5 + 10 * (i % COLUMNS) + number(&state);
        disc[i][1] = 5 + 10 * (i / COLUMNS) + number(&state);
        disc[i][2] = 2.6 + number(&state);
        fitted_round(SLUICE_SHAPE_DISC, disc[i][0] * dp, disc[i][1] * dp, 0, disc[i][2] * dp);
    }
}

static double depth_in_discs(const double x[3])
{
    double depth = -1e9;
    for (int i = 0; i < DISCS; i++)
        depth = fmax(depth, disc[i][2] - hypot(x[0] - disc[i][0], x[1] - disc[i][1]));
    return depth;
}

static void depths(void)
{
    const double pi = acos(-1);
    double area = 0, edge = 0, worst = 0;
    for (int i = 0; i < DISCS; i++) {
        area += pi * disc[i][2] * disc[i][2];
        edge += 2 * pi * disc[i][2];
    }
    /* The tolerance of build() in fitted.h: 1/200 of a spacing, times the surface. */
    build_within(10.0 * COLUMNS * 62 - area, 0.5 + 0.005 * edge, "many discs");
    for (int64_t i = wall.lattice; i < wall.count; i++) {
        const double d = depth_in_discs(wall.x[i]);
        worst = fmax(worst, fabs(d - floor(d) - 0.5));
    }
    /* The first two layers of a disc of 2.6 spacings hold 13.2 and 6.9 particles. */
    ok(wall.count - wall.lattice >= 20 * DISCS && worst < 1e-9,
       "layers are at dp/2, 3 dp/2, ... from the discs, to %.1e dp", worst);
}

static void check_place(const struct sluice_shape_tree *tree, const double x[3], int64_t *wrong,
                        int64_t *listed)
{
    int count, near = 0, found = 0;
    const int *list = sluice_shape_tree_near(tree, x, &count);
    for (int s = 0; s < t.config.shape_count; s++) {
        if (sluice_geometry_box_distance(&c.geometry, s, x) > tree->reach)
            continue;
        near++;
        for (int k = 0; k < count; k++)
            found += list[k] == s;
    }
    *wrong += found != near;
    for (int k = 1; k < count; k++)
        *wrong += list[k - 1] >= list[k];
    *listed += count;
}

static void tree(void)
{
    enum { PLACES = 5000 };
    const double low[3] = {0, -0.5, 0}, high[3] = {COLUMNS, 7, 0}, beyond[3] = {1, 7.1, 0};
    struct sluice_shape_tree shapes;
    uint64_t state = 9;
    int64_t wrong = 0, listed = 0;
    int count;
    is_int(sluice_shape_tree_create(&shapes, &c.geometry, low, high, 6 * dp), SLUICE_OK, "a tree");
    for (int i = 0; i < PLACES; i++) {
        const double x[3] = {number(&state) * COLUMNS, number(&state) * 7.5 - 0.5, 0};
        check_place(&shapes, x, &wrong, &listed);
    }
    is_int(wrong, 0, "it lists all shapes near a place, in their order");
    /* A leaf is 3 spacings wide at most, so it lists shapes within 6 + 2 x 2.1 of a place in it.
     * There is one disc a 100 dp^2, up to 7.2 wide: (7.2^2 + 4 x 7.2 x 10.2 + pi 10.2^2)/100 = 6.7
     * of them, the water and the floor. */
    ok(listed < 9 * PLACES, "and few others: %.1f of %d", (double)listed / PLACES,
       t.config.shape_count);
    const int *list = sluice_shape_tree_near(&shapes, beyond, &count);
    int all = count == t.config.shape_count;
    for (int s = 0; s < count; s++)
        all &= list[s] == s;
    ok(all, "outside its box it lists all of them");
    sluice_shape_tree_destroy(&shapes);
}

/* The owner of a cell from the bins is the last of all shapes that owns it. */
static void owners(void)
{
    const struct sluice_geometry *g = &c.geometry;
    const int64_t beyond = 2 * g->layers;
    int64_t cell[3] = {0, 0, 0}, wrong = 0, longest = 0, count;
    for (cell[1] = -beyond; cell[1] < g->n[1] + beyond; cell[1]++)
        for (cell[0] = -beyond; cell[0] < g->n[0] + beyond; cell[0]++) {
            int last = -1;
            for (int s = 0; s < t.config.shape_count; s++)
                last = sluice_geometry_owns(g, s, cell) ? s : last;
            wrong += sluice_geometry_owner(g, cell) != last;
            sluice_shape_bins_at(&g->bins, cell, &count);
            longest = count > longest ? count : longest;
        }
    is_int(wrong, 0, "each cell's bin lists the shapes that own it");
    ok(longest < 10, "and few others: %lld of %d at most", (long long)longest,
       t.config.shape_count);
}

int main(void)
{
    begin(2, COLUMNS, 6.4, 0);
    t.config.domain.periodic[0] = 1;
    test_box(&t, FLUID, 0, 0, 0, COLUMNS, 6.2, 0);
    test_walls(&t, 4);
    add_discs();
    depths();
    tree();
    owners();
    end();
    return done_testing();
}
