/* test: 0.3 s */
/* Probes on lattices whose fields are known in closed form, against a plain sum over all particles,
 * and to the same bits whatever the order of the particles. */
#include "lattice_scene.h"
#include "kernels/registry.h"

/* sum V W f and sum V W over all fluid particles, in order. */
static double plain_sum(const struct scene *s, const struct sluice_host_particles *p,
                        const double x[3], const double *field)
{
    double sum = 0;
    for (int64_t i = 0; i < p->count; i++) {
        const double d[3] = {p->x[i][0] - x[0], p->x[i][1] - x[1], p->x[i][2] - x[2]};
        const double r = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        if (p->type[i] == SLUICE_FLUID && r < 2 * s->setup.physics.wcsph.h)
            sum += p->mass[i] / p->density[i] * (field ? field[i] : 1) *
                   sluice_wcsph_w(&s->setup.physics.wcsph, r);
    }
    return sum;
}

/* Height above a half space of fluid at which its kernel sum is 0.4, in units of h: 1/2 - integral
 * of the kernel over a slab. */
static double surface_offset(const struct scene *s)
{
    const double h = s->setup.physics.wcsph.h;
    const int dimension = s->config.dimension, n = 2000;
    double sum = 0.5, z = 0;
    for (; sum > 0.4; z += 2 * h / n) {
        double slab = 0; /* of W over the plane at height z */
        for (int k = 0; k < n; k++) {
            const double t = (k + 0.5) * 2 * h / n, r = sqrt(z * z + t * t);
            slab += (dimension == 3 ? 2 * M_PI * t : 2) *
                    sluice_wcsph_w(&s->setup.physics.wcsph, r) * 2 * h / n;
        }
        sum -= slab * 2 * h / n;
    }
    return z;
}

static void check_point(struct scene *s, const struct sluice_host_particles *p,
                        const double inside[3], const double floor[3])
{
    const int dimension = s->config.dimension, up = dimension - 1;
    const double *v = sluice_probes_table(s->made, 0)->values;
    is_close(v[0], rho * gravity * (depth - inside[up]), 1e-9 * rho * gravity * depth,
             "point in the lattice: linear pressure exact");
    is_close(v[1], 1, 0.02,
             "its weight is 1 within the lattice moment"); /* 2-D 1.004, 3-D 1.0006; cubic 1.01 */
    v = sluice_probes_table(s->made, 1)->values;
    const double weight = plain_sum(s, p, floor, NULL);
    is_close(v[0], plain_sum(s, p, floor, p->pressure) / weight, 1e-9 * rho * gravity * depth,
             "point on the floor: the plain sum");
    is_close(v[1], weight, 1e-12, "its weight: the plain sum");
    ok(v[1] > 0.4 && v[1] < 0.6, "half of the support is fluid: %.3f; walls do not count", v[1]);
    v = sluice_probes_table(s->made, 2)->values;
    ok(v[0] == 0 && v[1] == 0, "no fluid: 0, weight 0");
    v = sluice_probes_table(s->made, 3)->values;
    ok(v[0] == 0 && v[1] > 0 && v[1] < 0.05, "a trace of fluid (weight %.3f): 0", v[1]);
    v = sluice_probes_table(s->made, 4)->values;
    for (int c = 0; c < dimension; c++)
        is_close(v[c], 0.3 * (c + 1) + 2 * inside[0], 1e-12,
                 "velocity in the lattice: linear, exact");
    v = sluice_probes_table(s->made, 5)->values;
    is_close(v[0], rho, 1e-9, "density");
}

static void check_line(struct scene *s, const struct sluice_host_particles *p)
{
    const struct sluice_case_probe *place = &s->places[6];
    const int points = s->probes[6].points, up = s->config.dimension - 1;
    const double *v = sluice_probes_table(s->made, 6)->values;
    double worst = 0, worst_weight = 0;
    for (int k = 0; k < points; k++) {
        double x[3];
        for (int c = 0; c < 3; c++)
            x[c] = place->x[c] + (place->to[c] - place->x[c]) * k / (points - 1);
        const double weight = plain_sum(s, p, x, NULL);
        const double want = weight < 0.05 ? 0 : plain_sum(s, p, x, p->pressure) / weight;
        worst = fmax(worst, fabs(v[2 * k] - want));
        worst_weight = fmax(worst_weight, fabs(v[2 * k + 1] - weight));
    }
    is_close(worst, 0, 1e-9 * rho * gravity * depth, "line: each point is the plain sum");
    is_close(worst_weight, 0, 1e-12, "and each weight");
    ok(v[1] > 0.4 && v[2 * points - 1] == 0 && place->to[up] > depth,
       "from the floor out of the water");
}

static void check_scene(int dimension, int kernel)
{
    struct scene s;
    struct sluice_host_particles p;
    const int up = dimension - 1;
    const double y = dimension == 3 ? 0.1 : 0;
    double inside[3] = {0.2, y, 0}, floor[3] = {0.2, y, 0}, outside[3] = {0.2, y, 0},
           trace[3] = {0.2, y, 0};
    inside[up] = 0.2 + 0.5 * dp; /* a plane of symmetry of the lattice */
    floor[up] = 0;
    outside[up] = 0.49;
    trace[up] = depth + 1.8 * dp;
    diag("%d-D, kernel %d", dimension, kernel);
    begin_scene(&s, dimension, kernel, 0);
    fill(&p, dimension);
    put_probe(&s, SLUICE_PROBE_POINT, SLUICE_QUANTITY_PRESSURE, inside);
    put_probe(&s, SLUICE_PROBE_POINT, SLUICE_QUANTITY_PRESSURE, floor);
    put_probe(&s, SLUICE_PROBE_POINT, SLUICE_QUANTITY_PRESSURE, outside);
    put_probe(&s, SLUICE_PROBE_POINT, SLUICE_QUANTITY_PRESSURE, trace);
    put_probe(&s, SLUICE_PROBE_POINT, SLUICE_QUANTITY_VELOCITY, inside);
    put_probe(&s, SLUICE_PROBE_POINT, SLUICE_QUANTITY_DENSITY, inside);
    put_probe(&s, SLUICE_PROBE_LINE, SLUICE_QUANTITY_PRESSURE, floor);
    s.places[6].to[0] = 0.3;
    s.places[6].to[up] = 0.49;
    s.probes[6].points = 33;
    put_probe(&s, SLUICE_PROBE_HEIGHT, 0, floor);
    put_probe(&s, SLUICE_PROBE_FRONT, 0, floor);
    if (!ok(sluice_probes_create(&s.made, &s.setup) == SLUICE_OK &&
                sluice_probes_measure(s.made, &p, 0, NULL) == SLUICE_OK,
            "measured"))
        return;
    is_str(sluice_probes_table(s.made, 0)->header, "pressure,weight", "columns of a point");
    is_str(sluice_probes_table(s.made, 4)->header,
           dimension == 3 ? "vx,vy,vz,weight" : "vx,vy,weight", "columns of a velocity");
    ok(strncmp(sluice_probes_table(s.made, 6)->header, "pressure_0,weight_0,pressure_1,", 31) ==
               0 &&
           sluice_probes_table(s.made, 6)->columns == 66,
       "columns of a line");
    check_point(&s, &p, inside, floor);
    check_line(&s, &p);
    /* discrete rows against a continuous half space: a few hundredths of dp */
    is_close(sluice_probes_table(s.made, 7)->values[0], depth + surface_offset(&s), 0.05 * dp,
             "height of still water");
    is_close(sluice_probes_table(s.made, 8)->values[0], 0.5, 1e-12,
             "front: the wall that the water touches");
    sluice_probes_destroy(&s.made);
    sluice_host_particles_destroy(&p);
}

/* A step in the surface, a hole in the floor, drops: where the front and the height are clear. */
static void check_shapes(void)
{
    struct scene s;
    struct sluice_host_particles p;
    const double low[3] = {0.1, 0, 0}, high[3] = {0.4, 0, 0}, dry[3] = {0.25, 0, 0};
    begin_scene(&s, 2, SLUICE_KERNEL_WENDLAND_C2, 0);
    fill(&p, 2);
    for (int64_t i = 0; i < p.count; i++) {
        const int drop = p.x[i][0] > 0.3 && p.x[i][1] > 0.2,
                  hole = p.x[i][0] > 0.2 && p.x[i][0] < 0.3;
        p.type[i] = drop || hole ? SLUICE_WALL : p.type[i];
    }
    p.x[2040][0] = 0.45; /* a lone drop in the air, above the height asked for */
    p.x[2040][1] = 0.35;
    p.type[2040] = SLUICE_FLUID;
    put_probe(&s, SLUICE_PROBE_HEIGHT, 0, low);
    put_probe(&s, SLUICE_PROBE_HEIGHT, 0, high);
    put_probe(&s, SLUICE_PROBE_HEIGHT, 0, dry);
    put_probe(&s, SLUICE_PROBE_FRONT, 0, low);
    put_probe(&s, SLUICE_PROBE_FRONT, 0, low);
    s.probes[4].above = 0.38;
    put_probe(&s, SLUICE_PROBE_FRONT, 0, low);
    s.probes[5].above = 1;
    sluice_probes_create(&s.made, &s.setup);
    ok(sluice_probes_measure(s.made, &p, 0, NULL) == SLUICE_OK, "measured");
    const double offset = surface_offset(&s);
    is_close(sluice_probes_table(s.made, 0)->values[0], 0.4 + offset, 0.05 * dp,
             "height of the deep side");
    is_close(sluice_probes_table(s.made, 1)->values[0], 0.2 + offset, 0.05 * dp,
             "height of the shallow side, under a drop");
    const double *bare = sluice_probes_table(s.made, 2)->values;
    ok(isnan(bare[0]) && bare[1] == 0 && bare[2] == 0, "a dry floor has no height, depth 0");
    is_close(sluice_probes_table(s.made, 3)->values[0], 0.45 + dp / 2, 1e-12,
             "front above half the depth: the drop");
    is_close(sluice_probes_table(s.made, 4)->values[0], 0.2, 1e-12,
             "front near the top: the deep side");
    is_close(sluice_probes_table(s.made, 4)->values[1], 0.5, 1e-12,
             "foremost of all: the shallow side");
    ok(isnan(sluice_probes_table(s.made, 5)->values[0]), "front above all water: nan");
    sluice_probes_destroy(&s.made);
    sluice_host_particles_destroy(&p);
}

static void shuffle(struct sluice_host_particles *p)
{
    uint64_t state = 1;
    for (int64_t i = p->count - 1; i > 0; i--) {
        const int64_t j = (int64_t)(fixture_random(&state) * (double)(i + 1));
        struct sluice_host_particles t = *p;
#define SWAP(array)                                                                                \
    do {                                                                                           \
        unsigned char kept[sizeof t.array[0]];                                                     \
        memcpy(kept, &t.array[i], sizeof kept);                                                    \
        memcpy(&t.array[i], &t.array[j], sizeof kept);                                             \
        memcpy(&t.array[j], kept, sizeof kept);                                                    \
    } while (0)
        SWAP(x);
        SWAP(velocity);
        SWAP(density);
        SWAP(pressure);
        SWAP(mass);
        SWAP(id);
        SWAP(type);
#undef SWAP
    }
}

/* Order of the particles, and which other probes are due: no bit changes. */
static void check_same_bits(void)
{
    struct scene s;
    struct sluice_host_particles p;
    uint64_t state = 5;
    const double x[3] = {0.203, 0.1012, 0.199}, foot[3] = {0.2, 0.1, 0};
    unsigned char due[2] = {0, 1};
    begin_scene(&s, 3, SLUICE_KERNEL_WENDLAND_C2, 0);
    fill(&p, 3);
    for (int64_t i = 0; i < p.count; i++) {
        for (int c = 0; c < 3; c++)
            p.x[i][c] += 0.4 * dp * (fixture_random(&state) - 0.5);
        p.pressure[i] *= 1 + 0.1 * fixture_random(&state);
    }
    put_probe(&s, SLUICE_PROBE_POINT, SLUICE_QUANTITY_PRESSURE, x);
    put_probe(&s, SLUICE_PROBE_HEIGHT, 0, foot);
    sluice_probes_create(&s.made, &s.setup);
    sluice_probes_measure(s.made, &p, 0, NULL);
    const double point[2] = {sluice_probes_table(s.made, 0)->values[0],
                             sluice_probes_table(s.made, 0)->values[1]};
    const double height = sluice_probes_table(s.made, 1)->values[0];
    shuffle(&p);
    sluice_probes_measure(s.made, &p, 0, NULL);
    ok(same_bits(point, sluice_probes_table(s.made, 0)->values, sizeof point),
       "a point in shuffled particles: the same bits");
    ok(height == sluice_probes_table(s.made, 1)->values[0] && height > 0.3,
       "a height in shuffled particles: the same bits");
    p.pressure[0] = 0;
    sluice_probes_measure(s.made, &p, 0, due);
    ok(height == sluice_probes_table(s.made, 1)->values[0] &&
           point[0] == sluice_probes_table(s.made, 0)->values[0],
       "only what is due is measured");
    sluice_probes_destroy(&s.made);
    sluice_host_particles_destroy(&p);
}

/* On the border of a period half of the support holds images. */
static void check_periodic(void)
{
    struct scene s;
    struct sluice_host_particles p;
    const double border[3] = {0, 0.2, 0}, middle[3] = {0.25, 0.2, 0}, foot[3] = {0.5, 0, 0};
    begin_scene(&s, 2, SLUICE_KERNEL_WENDLAND_C2, 1);
    fill(&p, 2);
    put_probe(&s, SLUICE_PROBE_POINT, SLUICE_QUANTITY_PRESSURE, border);
    put_probe(&s, SLUICE_PROBE_POINT, SLUICE_QUANTITY_PRESSURE, middle);
    put_probe(&s, SLUICE_PROBE_HEIGHT, 0, foot);
    sluice_probes_create(&s.made, &s.setup);
    sluice_probes_measure(s.made, &p, 0, NULL);
    const double *a = sluice_probes_table(s.made, 0)->values,
                 *b = sluice_probes_table(s.made, 1)->values;
    is_close(a[1], b[1], 1e-12, "the weight on the border is that of the middle");
    is_close(a[0], b[0], 1e-9 * rho * gravity * depth, "and the pressure");
    is_close(sluice_probes_table(s.made, 2)->values[0], depth + surface_offset(&s), 0.05 * dp,
             "height on the border");
    sluice_probes_destroy(&s.made);
    sluice_host_particles_destroy(&p);
}

int main(void)
{
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int kernel = 0; kernel < 2; kernel++)
            check_scene(dimension, kernel);
    check_shapes();
    check_same_bits();
    check_periodic();
    struct scene s;
    begin_scene(&s, 2, 0, 0);
    s.config.model = SLUICE_MODEL_LJ;
    s.config.probe_count = 1;
    is_int(sluice_probes_create(&s.made, &s.setup), SLUICE_BAD_INPUT,
           "probes of a model without density are refused");
    return done_testing();
}
