/* test: 0.4 s */
/* Sums near places against sums over all particles, with kernels written here from their papers.
 * Places, reductions and blocks of the measurements of finished runs. */
#include "core/threads.h"
#include "kernels/registry.h"
#include "measure/measure.h"
#include "support/tap.h"

static uint64_t seed = 12345;

static double random_number(void) /* 0 to 1 */
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(seed >> 11) * 0x1p-53;
}

static double positive(double x)
{
    return x > 0 ? x : 0;
}

/* W(r; h), 1/m^D: Wendland 1995; Monaghan 1992; Morris, Fox & Zhu 1997. */
static double kernel(int name, int dimension, double h, double r)
{
    const double q = r / h, volume = dimension == 2 ? h * h : h * h * h, flat = dimension == 2;
    switch (name) {
    case SLUICE_KERNEL_WENDLAND_C2:
        return (flat ? 7 / (4 * M_PI) : 21 / (16 * M_PI)) / volume * pow(positive(1 - q / 2), 4) *
               (1 + 2 * q);
    case SLUICE_KERNEL_WENDLAND_C4:
        return (flat ? 9 / (4 * M_PI) : 495 / (256 * M_PI)) / volume * pow(positive(1 - q / 2), 6) *
               (1 + 3 * q + 35. / 12 * q * q);
    case SLUICE_KERNEL_CUBIC_SPLINE:
        return (flat ? 10 / (7 * M_PI) : 1 / M_PI) / volume *
               (pow(positive(2 - q), 3) / 4 - pow(positive(1 - q), 3));
    default:
        return (flat ? 7 / (478 * M_PI) : 1 / (120 * M_PI)) / volume *
               (pow(positive(3 - q), 5) - 6 * pow(positive(2 - q), 5) +
                15 * pow(positive(1 - q), 5));
    }
}

/* --- Sums --- */

enum { SUMS = 3, MOST = 3000, TARGETS = 200 };

struct cloud {
    int count, dimension, kernel;
    struct sluice_source source[MOST];
    double value[MOST * SUMS];
};

/* spread: supports differ up to this factor. */
static void scatter(struct cloud *c, double h, double spread)
{
    for (int i = 0; i < c->count; i++) {
        struct sluice_source *p = &c->source[i];
        *p = (struct sluice_source){.inverse_h = 1 / (h * pow(spread, random_number())),
                                    .volume = 0.001 + 0.001 * random_number(),
                                    .fluid = i % 5 > 0};
        for (int a = 0; a < c->dimension; a++)
            p->x[a] = i % 50 == 0 ? 0.5 : random_number() * (a == 0 ? 1.7 : 0.8);
        for (int k = 0; k < SUMS; k++)
            c->value[i * SUMS + k] = k == 0 ? 7 : random_number() - 0.5;
    }
}

static void plain_sum(const struct cloud *c, const double x[3], double *sums, double weight[2])
{
    memset(sums, 0, SUMS * sizeof *sums);
    weight[0] = weight[1] = 0;
    for (int i = 0; i < c->count; i++) {
        const struct sluice_source *p = &c->source[i];
        const double d[3] = {p->x[0] - x[0], p->x[1] - x[1], p->x[2] - x[2]};
        const double w = p->volume * kernel(c->kernel, c->dimension, 1 / p->inverse_h,
                                            sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
        weight[0] += w;
        weight[1] += w * p->fluid;
        for (int k = 0; k < SUMS; k++)
            sums[k] += w * c->value[i * SUMS + k];
    }
}

/* The largest difference at many places, some of them outside the cloud or on a particle. */
static double worst_difference(const struct cloud *c, const struct sluice_search *s, int *met)
{
    double worst = 0;
    *met = 0;
    for (int t = 0; t < TARGETS; t++) {
        double x[3] = {0, 0, 0}, sums[2][SUMS], weight[2][2];
        for (int a = 0; a < c->dimension; a++)
            x[a] = -0.3 + 2.2 * random_number();
        if (t % 10 == 0 && c->count > 0)
            memcpy(x, c->source[t % c->count].x, sizeof x);
        sluice_search_sum(s, x, sums[0], weight[0]);
        plain_sum(c, x, sums[1], weight[1]);
        *met += weight[1][0] > 0;
        for (int k = 0; k < 2; k++)
            worst = fmax(worst, fabs(weight[0][k] - weight[1][k]) / fmax(1, weight[1][0]));
        for (int k = 0; k < SUMS; k++)
            worst = fmax(worst, fabs(sums[0][k] - sums[1][k]) / fmax(1, 7 * weight[1][0]));
    }
    return worst;
}

static void check_sums(int dimension, int name, int count, double h, double spread)
{
    static struct cloud c;
    int met;
    struct sluice_search s = {.dimension = dimension, .kernel = name, .sums = SUMS};
    c = (struct cloud){.count = count, .dimension = dimension, .kernel = name};
    scatter(&c, h, spread);
    if (sluice_search_fill(&s, c.source, c.value, count) != SLUICE_OK)
        abort();
    const double worst = worst_difference(&c, &s, &met);
    /* The order of some hundred terms, in double. */
    ok(worst < 1e-12 && (count < 100 || met > TARGETS / 10),
       "%d-D, kernel %d, %d particles, supports 1:%g: all pairs to %.1e, %d of %d places meet some",
       dimension, name, count, spread, worst, met, TARGETS);
    sluice_search_empty(&s);
}

static void check_clouds(void)
{
    const int counts[] = {0, 1, 2, 300};
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int name = 0; name < 4; name++)
            check_sums(dimension, name, MOST, 0.06, 1);
        for (int k = 0; k < 4; k++)
            check_sums(dimension, SLUICE_KERNEL_WENDLAND_C2, counts[k], 0.1, 1);
        check_sums(dimension, SLUICE_KERNEL_CUBIC_SPLINE, MOST, 0.002, 1000);
    }
}

/* --- A lattice, whose fields are known --- */

static const double dp = 0.02;
enum { N = 24 };

/* Fluid. Velocity (x, y, 0.5), and a pressure of 3 + 2 x - y. */
static sluice_status list_lattice(struct sluice_search *s)
{
    static struct sluice_source source[N * N * N];
    static double value[4 * N * N * N];
    int64_t n = 0;
    for (int k = 0; k < N; k++)
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++, n++) {
                source[n] = (struct sluice_source){
                    .x = {(i + 0.5) * dp, (j + 0.5) * dp, (k + 0.5) * dp},
                    .inverse_h = 1 / (1.5 * dp),
                    .volume = dp * dp * dp,
                    .fluid = 1};
                value[4 * n] = source[n].x[0];
                value[4 * n + 1] = source[n].x[1];
                value[4 * n + 2] = 0.5;
                value[4 * n + 3] = 3 + 2 * source[n].x[0] - source[n].x[1];
            }
    *s = (struct sluice_search){.dimension = 3, .kernel = SLUICE_KERNEL_WENDLAND_C2, .sums = 4};
    return sluice_search_fill(s, source, value, n);
}

static void check_lattice(void)
{
    struct sluice_search s;
    double sums[4], weight[2];
    if (list_lattice(&s) != SLUICE_OK)
        abort();
    const double node[3] = {12 * dp, 12 * dp, 12 * dp}, face[3] = {12 * dp, 12 * dp, 0},
                 edge[3] = {12 * dp, 0, 0};
    sluice_search_sum(&s, node, sums, weight);
    is_close(weight[0], 1, 2e-3, "inside the weight is 1 within the lattice's moment");
    is_close(sums[3] / weight[0], 3 + 2 * node[0] - node[1], 1e-12,
             "in a symmetric place a linear field is exact");
    const double inside = weight[0];
    sluice_search_sum(&s, face, sums, weight);
    is_close(weight[0], inside / 2, 1e-12, "on the face half of that");
    is_close(sums[2] / weight[0], 0.5, 1e-12, "where a constant is exact");
    sluice_search_sum(&s, edge, sums, weight);
    is_close(weight[0], inside / 4, 1e-12, "on an edge a quarter");
    const double away[3] = {12 * dp, 12 * dp, -3.001 * dp};
    sluice_search_sum(&s, away, sums, weight);
    ok(weight[0] == 0 && sums[0] == 0, "beyond the support nothing");
    sluice_search_empty(&s);
}

/* Fields as sluice_measure_fields_choose makes them for water in 3-D. */
static void choose_fields(struct sluice_measure_fields *f, const char *names)
{
    const struct sluice_config config = {.model = SLUICE_MODEL_WCSPH, .dimension = 3};
    if (sluice_measure_fields_choose(f, names, &config) != SLUICE_OK)
        abort();
}

static void check_blocks(void)
{
    enum { PLACES = 2000, ROW = 7 }; /* vx vy vz speed pressure weight valid */
    static double alone[PLACES * ROW], team[PLACES * ROW];
    struct sluice_search s;
    struct sluice_places places;
    struct sluice_measure_fields f;
    struct sluice_threads *threads;
    const double from[3] = {-0.1, 0.2, 0.24}, to[3] = {0.6, 0.21, 0.24};
    choose_fields(&f, "Velocity,Speed,Pressure");
    sluice_places_line(&places, 3, from, to, PLACES);
    if (list_lattice(&s) != SLUICE_OK || sluice_threads_create(&threads, 3) != SLUICE_OK)
        abort();
    struct sluice_measure_block b = {.search = &s,
                                     .places = &places,
                                     .fields = &f,
                                     .least_weight = 0.3,
                                     .count = PLACES,
                                     .values = alone};
    sluice_measure_fill(&b, NULL);
    b.values = team;
    sluice_measure_fill(&b, threads);
    ok(memcmp(alone, team, sizeof alone) == 0, "three threads: the same bits");
    int wrong = 0, valid = 0;
    for (int i = 0; i < PLACES; i++) {
        const double *row = alone + i * ROW, speed = sqrt(row[0] * row[0] + row[1] * row[1] + 0.25);
        valid += row[6] > 0;
        wrong += row[6] > 0 ? !(row[5] >= 0.3) || fabs(row[3] - speed) > 1e-12
                            : !(row[5] < 0.3) || !isnan(row[0]) || !isnan(row[4]);
    }
    ok(wrong == 0 && valid > PLACES / 2 && valid < PLACES,
       "%d of %d places are valid, by their weight; others are nan; speed is that of the velocity",
       valid, PLACES);
    sluice_threads_destroy(&threads);
    sluice_search_empty(&s);
}

/* --- Places --- */

static void check_places(void)
{
    struct sluice_places p;
    double x[3], low[3], high[3];
    struct sluice_places_grid grid = {
        .box = {{0, 0, 0}, {1, 0.5, 0.25}}, .spacing = 0.1, .axis = -1};
    ok(sluice_places_fill(&p, 3, &grid) == SLUICE_OK && p.count == 11 * 6 * 3, "a grid by spacing");
    sluice_places_at(&p, 11 * 6 * 2 + 11 * 5 + 10, x);
    ok(fabs(x[0] - 1) + fabs(x[1] - 0.5) + fabs(x[2] - 0.2) < 1e-12, "its last place");
    grid.n[0] = 5;
    grid.n[1] = 1;
    grid.n[2] = 2;
    sluice_places_fill(&p, 3, &grid);
    sluice_places_at(&p, 9, x);
    ok(p.count == 10 && x[0] == 1 && x[1] == 0.25 && x[2] == 0.25,
       "a grid by numbers ends at the faces; one place lies in the middle");
    memset(grid.n, 0, sizeof grid.n);
    grid.axis = 1;
    grid.at = 0.33;
    sluice_places_fill(&p, 3, &grid);
    sluice_places_extent(&p, low, high);
    ok(p.count == 33 && low[1] == 0.33 && high[1] == 0.33, "a plane is one layer");
    ok(sluice_places_outside(&p, (double[3]){0, 0, 0}, (double[3]){0.95, 1, 1}) == 3,
       "three of its places lie outside a box");
    grid.spacing = 1e-9;
    ok(sluice_places_fill(&p, 3, &grid) == SLUICE_BAD_INPUT, "too many places: %s",
       sluice_message());
    sluice_places_line(&p, 2, (double[3]){0, 1, 0}, (double[3]){2, 0, 0}, 5);
    sluice_places_at(&p, 2, x);
    ok(x[0] == 1 && x[1] == 0.5, "a line has both ends");
}

/* --- Reductions --- */

static void check_reductions(void)
{
    enum { TIMES = 5 };
    const double value[TIMES] = {1, -3, NAN, 6, 2}, time[TIMES] = {0, 0.1, 0.2, 0.3, 0.4};
    struct sluice_measure_fields f;
    struct sluice_reduction_choice choice;
    struct sluice_measure_layout layout;
    struct sluice_reduction r;
    double row[SLUICE_LAYOUT_COLUMNS];
    choose_fields(&f, "Pressure");
    ok(sluice_reduction_choose(&choice, "max,arrival,mean,rms,min", "pressure=5", &f) == SLUICE_OK,
       "all reductions");
    sluice_measure_layout_make(&layout, &f, &choice);
    ok(layout.columns == 6 && strcmp(layout.column[2].name, "pressure_mean") == 0 &&
           strcmp(layout.array[5].name, "Pressure_max") == 0,
       "their columns");
    if (sluice_reduction_create(&r, &f, &choice, 2) != SLUICE_OK)
        abort();
    for (int t = 0; t < TIMES; t++) {
        const double at[3] = {value[t], 0.5, !isnan(value[t])}, dry[3] = {NAN, 0, 0};
        sluice_reduction_add(&r, 0, time[t], at);
        sluice_reduction_add(&r, 1, time[t], dry);
        r.times++;
    }
    sluice_reduction_row(&r, 0, row);
    is_close(row[0], 0.8, 1e-15, "wet at four of five times");
    is_close(row[1], 0.3, 1e-15, "above 5 first at 0.3 s");
    is_close(row[2], 1.5, 1e-15, "mean of the valid times");
    is_close(row[3], sqrt(50 / 4.), 1e-15, "rms");
    ok(row[4] == -3 && row[5] == 6, "min and max");
    sluice_reduction_row(&r, 1, row);
    ok(row[0] == 0 && isnan(row[1]) && isnan(row[2]) && isnan(row[5]), "a dry place has none");
    sluice_reduction_destroy(&r);
    ok(sluice_reduction_choose(&choice, "mean", "pressure=5", &f) == SLUICE_BAD_INPUT &&
           sluice_reduction_choose(&choice, "arrival", "vx=5", &f) == SLUICE_BAD_INPUT &&
           sluice_reduction_choose(&choice, "median", NULL, &f) == SLUICE_BAD_INPUT,
       "a senseless reduction is refused: %s", sluice_message());
}

int main(void)
{
    check_clouds();
    check_lattice();
    check_blocks();
    check_places();
    check_reductions();
    return done_testing();
}
