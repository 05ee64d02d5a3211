/* test: 6 s, emulator */
/* Forces on walls of every kind, at rest and moving, on every backend that runs here. To round-off
 * they balance the change of momentum and angular momentum of one fluid or two; in still water they
 * are those of hydrostatics, on a tank and on a body in it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probes/probe.h"
#include "support/part.h"
#include "sim/sim.h"
#include "support/tap.h"
#include "support/variants.h"

enum { STEPS = 12, SETTINGS = 6, TANK = 0, BODY = 1 };

/* The cases `plane` and `layers` differ in their fluids alone: a body in a jet of water that leaves
 * the floor's corner, and a tank that holds both. */
#define PLANE(FLUID, SHAPES)                                                                       \
    "model = \"wcsph\"; dimension = 2; spacing = 0.05; gravity = [1.0, -9.81];\n"                  \
    "fluid = { sound_speed = 40.0; " FLUID "};\n"                                                  \
    "domain = { min = [0.0, 0.0]; max = [1.0, 1.0]; };\n"                                          \
    "geometry = ( " SHAPES                                                                         \
    "  { name = \"tank\"; shape = \"walls\"; sides = [\"x-\", \"x+\", \"y-\"]; },\n"               \
    "  { name = \"body\"; shape = \"box\"; type = \"wall\"; min = [0.4, 0.2]; max = [0.6, 0.4];\n" \
    "    motion = \"turn\"; } );\n"                                                                \
    "motions = ( { name = \"turn\"; kind = \"rotation\"; centre = [0.5, 0.3];\n"                   \
    "              rate = 5.0; } );\n"                                                             \
    "initial = ( { field = \"velocity\"; kind = \"uniform\"; value = [6.0, -5.0]; } );\n"          \
    "probes = ( { name = \"t\"; kind = \"force\"; on = \"tank\"; every = 0.001; },\n"              \
    "  { name = \"b\"; kind = \"force\"; on = \"body\"; every = 0.001; } );\n"                     \
    "time = { end = 9.0; }; output = { every = 0.0; };\n"
static const char plane[] = PLANE(
    "", "{ shape = \"box\"; type = \"fluid\"; min = [0.0, 0.0]; max = [1.0, 0.6]; },\n");
/* The interface is at the body. */
static const char layers[] = PLANE(
    "second = { density = 100.0; }; ",
    "{ shape = \"box\"; type = \"fluid\"; min = [0.0, 0.0]; max = [1.0, 0.3]; },\n"
    "  { shape = \"box\"; type = \"fluid\"; phase = 2; min = [0.0, 0.3]; max = [1.0, 0.6]; },\n");

/* Periodic in x, where arms have no origin; the body at rest. */
static const char space[] =
    "model = \"wcsph\"; dimension = 3; spacing = 0.1; gravity = [1.0, 0.5, -9.81];\n"
    "fluid = { sound_speed = 40.0; };\n"
    "domain = { min = [0.0, 0.0, 0.0]; max = [0.6, 0.4, 0.8]; periodic = [true, false, false];\n"
    "           frame_shift = [1000, 2, -3]; };\n"
    "geometry = ( { shape = \"box\"; type = \"fluid\"; min = [0.0, 0.0, 0.0];\n"
    "    max = [0.6, 0.4, 0.4]; },\n"
    "  { name = \"tank\"; shape = \"walls\"; sides = [\"y-\", \"y+\", \"z-\"]; },\n"
    "  { name = \"body\"; shape = \"box\"; type = \"wall\"; min = [0.2, 0.1, 0.1];\n"
    "    max = [0.4, 0.3, 0.3]; } );\n"
    "initial = ( { field = \"velocity\"; kind = \"uniform\"; value = [6.0, 3.0, -5.0]; } );\n"
    "probes = ( { name = \"t\"; kind = \"force\"; on = \"tank\"; every = 0.001; },\n"
    "  { name = \"b\"; kind = \"force\"; on = \"body\"; about = [0.1, 0.2, 0.3]; every = 0.001; } "
    ");\n"
    "time = { end = 9.0; }; output = { every = 0.0; };\n";

struct run {
    struct sluice_config config;
    struct sluice_case setup;
    struct sluice_sim sim;
    struct sluice_probes *probes;
    struct sluice_host_particles near;
};

static sluice_status begin(struct run *r, const struct variant *on, int real_bytes,
                           const char *text, const char *boundary, const char *viscosity)
{
    char backend[80], isa[80];
    const char *const set[SETTINGS] = {backend,
                                       isa,
                                       real_bytes == 8 ? "backend.precision=\"double\""
                                                       : "backend.precision=\"float\"",
                                       boundary,
                                       viscosity,
                                       "backend.threads=1"};
    memset(r, 0, sizeof *r);
    snprintf(backend, sizeof backend, "backend.name=\"%s\"", on->backend);
    snprintf(isa, sizeof isa, "backend.isa=\"%s\"", on->isa ? on->isa : "");
    SLUICE_TRY(sluice_config_parse(&r->config, text, "case", set, SETTINGS, NULL));
    r->config.energy.every = 1; /* springs are summed in steps with energies */
    SLUICE_TRY(sluice_case_create(&r->setup, &r->config, NULL));
    SLUICE_TRY(sluice_sim_create(&r->sim, &r->config, &r->setup, NULL));
    SLUICE_TRY(sluice_probes_create(&r->probes, &r->setup));
    return sluice_sim_start(&r->sim);
}

static void end(struct run *r)
{
    sluice_probes_destroy(&r->probes);
    sluice_host_particles_destroy(&r->near);
    sluice_sim_destroy(&r->sim);
    sluice_case_destroy(&r->setup);
    sluice_config_destroy(&r->config);
}

/* Force and torque on both, after a step. */
static sluice_status measure(struct run *r, const double *value[2])
{
    static const unsigned char due[2] = {1, 1};
    SLUICE_TRY(
        sluice_probes_fetch(r->probes, &r->sim.backend, &r->sim.grid, r->sim.set, due, &r->near));
    SLUICE_TRY(sluice_probes_measure(r->probes, &r->near, r->sim.time, due));
    value[TANK] = sluice_probes_table(r->probes, TANK)->values;
    value[BODY] = sluice_probes_table(r->probes, BODY)->values;
    return SLUICE_OK;
}

static sluice_status download(struct run *r, enum sluice_field field, double *to)
{
    const struct sluice_set *set = &r->sim.set[SLUICE_FLUID];
    const int64_t bytes = set->count * sluice_set_field_bytes(set, field);
    void *memory = malloc((size_t)bytes);
    const sluice_status status = r->sim.backend.ops->download(&r->sim.backend, memory,
                                                              set->field[field], (size_t)bytes);
    for (int64_t k = 0; k < bytes / set->real_bytes; k++)
        to[k] = set->real_bytes == 4 ? (double)((float *)memory)[k] : ((double *)memory)[k];
    free(memory);
    return status;
}

/* The fluid's sum m (a - g), its moment about the origin, and the sum of the magnitudes. */
static sluice_status momentum(struct run *r, double force[3], double torque[3], double *scale)
{
    const struct sluice_set *set = &r->sim.set[SLUICE_FLUID];
    const struct sluice_grid *g = &r->sim.grid;
    const int dim = set->dimension;
    double *a = malloc((size_t)(4 * set->count) * sizeof *a),
           *x = malloc((size_t)(4 * set->count) * sizeof *x);
    uint32_t *slot = malloc((size_t)set->count * sizeof *slot);
    sluice_status status = download(r, SLUICE_FIELD_ACCELERATION, a);
    if (status == SLUICE_OK)
        status = download(r, SLUICE_FIELD_POSITION, x);
    if (status == SLUICE_OK)
        status = r->sim.backend.ops->download(&r->sim.backend, slot, set->field[SLUICE_FIELD_FRAME],
                                              (size_t)set->count * sizeof *slot);
    memset(force, 0, 3 * sizeof *force);
    memset(torque, 0, 3 * sizeof *torque);
    *scale = 0;
    for (int64_t i = 0; i < set->count && status == SLUICE_OK; i++) {
        double f[3] = {0, 0, 0}, arm[3] = {0, 0, 0};
        for (int c = 0; c < dim; c++) {
            f[c] = x[(dim + 1) * i + dim] * (a[dim * i + c] - r->config.gravity[c]);
            arm[c] = sluice_grid_centre(g, (int)slot[i], c) + x[(dim + 1) * i + c];
            force[c] += f[c];
            *scale += fabs(f[c]);
        }
        for (int c = 0; c < 3; c++)
            torque[c] += arm[(c + 1) % 3] * f[(c + 2) % 3] - arm[(c + 2) % 3] * f[(c + 1) % 3];
    }
    free(a);
    free(x);
    free(slot);
    return status;
}

/* The component of the torques that has an origin: in 3-D about x, the periodic axis. The sum of
 * the fluid's and the walls' torques about the domain's origin. */
static double missing_torque(const struct run *r, const double fluid[3], const double *const on[2])
{
    if (r->config.dimension == 2)
        return fluid[2] + on[TANK][2] + on[BODY][2];
    const double *about = r->config.probes[BODY].about;
    return fluid[0] + on[TANK][3] + on[BODY][3] + about[1] * on[BODY][2] - about[2] * on[BODY][1];
}

/* The largest fraction of the fluid's forces that the walls' do not balance; also of torques, where
 * forces act along the line of two particles. */
static sluice_status worst_balance(struct run *r, double *worst, double *worst_torque)
{
    const int dim = r->config.dimension;
    *worst = *worst_torque = 0;
    for (int k = 0; k < STEPS; k++) {
        const double *on[2];
        double force[3], torque[3], scale;
        r->sim.reaction_time = k % 3 == 2 ? r->sim.time : INFINITY;
        SLUICE_TRY(sluice_sim_step(&r->sim));
        if (k % 3 != 2)
            continue;
        SLUICE_TRY(measure(r, on));
        SLUICE_TRY(momentum(r, force, torque, &scale));
        for (int c = 0; c < dim; c++)
            *worst = fmax(*worst, fabs(force[c] + on[TANK][c] + on[BODY][c]) / scale);
        *worst_torque = fmax(*worst_torque, fabs(missing_torque(r, torque, on)) / scale);
    }
    return SLUICE_OK;
}

/* Round-off: each sum has some hundred terms of its magnitude, whose rounding errors add up like a
 * random walk, at most. */
static double tolerance_of(int real_bytes)
{
    return real_bytes == 8 ? 1e-13 : 1e-5;
}

static void check_balance(const struct variant *on, int real_bytes, const char *text)
{
    static const struct {
        const char *name, *boundary, *viscosity;
        int central; /* forces are along the line of two particles, which stay where they were */
    } kinds[] = {
        {"free slip", "boundary.slip=\"free\"", "fluid.viscosity.kind=\"artificial\"", 1},
        {"no slip", "boundary.slip=\"no-slip\"", "fluid.viscosity={kind=\"both\"; nu=0.01;}", 0},
        {"no slip, sub-particle stress", "boundary.slip=\"no-slip\"",
         "fluid.viscosity={kind=\"sps\"; nu=0.001;}", 0},
        {"law of the wall", "boundary={slip=\"wall-law\"; roughness=0.002;}", "fluid.tension=1e-4",
         0},
        {"artificial viscosity at walls", "boundary.slip=\"artificial\"",
         "fluid.viscosity.alpha=0.1", 1},
        {"ghost nodes, law of the wall", "boundary={kind=\"mdbc\"; slip=\"wall-law\";}",
         "kernel.name=\"wendland-c4\"", 0},
        {"dynamic, law of the wall", "boundary={kind=\"dynamic\"; slip=\"wall-law\";}",
         "fluid.viscosity={kind=\"both\"; nu=0.01;}", 0},
        {"ghost nodes", "boundary={kind=\"mdbc\"; slip=\"free\";}",
         "fluid.viscosity.kind=\"artificial\"", 1},
        {"ghost nodes, no slip, sub-particle stress", "boundary={kind=\"mdbc\"; slip=\"no-slip\";}",
         "fluid.viscosity={kind=\"sps\"; nu=0.001;}", 0},
        {"dynamic", "boundary.kind=\"dynamic\"", "fluid.shifting.kind=\"inside\"", 0},
        {"repulsive", "boundary.kind=\"repulsive\"", "kernel.name=\"wendland-c4\"", 1}};
    static struct run r;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        double worst = INFINITY, torque = INFINITY;
        if (text == layers && strstr(kinds[k].boundary, "kind="))
            continue; /* two fluids have walls of one kind */
        sluice_status status = begin(&r, on, real_bytes, text, kinds[k].boundary,
                                     kinds[k].viscosity);
        if (status == SLUICE_OK)
            status = worst_balance(&r, &worst, &torque);
        if (status != SLUICE_OK)
            diag("%s", sluice_message());
        ok(worst < tolerance_of(real_bytes),
           "%s, %s, %d-D, %s%s: momentum lacks %.1g of its forces", on->name,
           real_bytes == 8 ? "double" : "float", r.config.dimension, kinds[k].name,
           text == layers ? ", two fluids" : "", worst);
        ok(r.sim.now.spring > 0, "springs or repulsive walls push, too");
        if (kinds[k].central)
            ok(torque < tolerance_of(real_bytes), "and angular momentum %.1g", torque);
        end(&r);
    }
}

/* Water at rest in a tank, with a body in it. */
static const char still[] =
    "model = \"wcsph\"; dimension = 2; spacing = 0.05; gravity = [0.0, -9.81];\n"
    "domain = { min = [0.0, 0.0]; max = [1.0, 1.0]; };\n"
    "geometry = ( { shape = \"box\"; type = \"fluid\"; min = [0.0, 0.0]; max = [1.0, 0.6]; },\n"
    "  { name = \"tank\"; shape = \"walls\"; sides = [\"x-\", \"x+\", \"y-\"]; },\n"
    "  { name = \"body\"; shape = \"box\"; type = \"wall\"; min = [0.4, 0.2]; max = [0.6, 0.4]; } "
    ");\n"
    "fluid = { masses = \"hydrostatic\"; viscosity = { alpha = 0.2; }; };\n"
    "initial = ( { field = \"pressure\"; kind = \"hydrostatic\"; } );\n"
    "probes = ( { name = \"t\"; kind = \"force\"; on = \"tank\"; about = [0.5, 0.0]; every = "
    "0.001; },\n"
    "  { name = \"b\"; kind = \"force\"; on = \"body\"; about = [0.5, 0.3]; every = 0.001; } );\n"
    "time = { end = 9.0; }; output = { every = 0.0; };\n";

/* Means over a second after one second. The fluid still has the momentum M v then, v below 1e-3
 * m/s: 1e-4 of its weight in a second. The pressure of still water is within 1% of the exact one
 * (docs/theory.md, "Kernels"), and so are the forces on a body's faces. */
static void check_still(const struct variant *on)
{
    static struct run r;
    double sum[2][3] = {{0}}, seconds = 0;
    sluice_status status = begin(&r, on, 8, still, "boundary.slip=\"free\"", "time.cfl=0.4");
    while (status == SLUICE_OK && r.sim.time < 2) {
        const double *value[2];
        r.sim.reaction_time = r.sim.time > 1 ? r.sim.time : INFINITY;
        status = sluice_sim_step(&r.sim);
        if (status != SLUICE_OK || r.sim.reaction_time > r.sim.time)
            continue;
        status = measure(&r, value);
        seconds += r.sim.dt;
        for (int c = 0; c < 3 && status == SLUICE_OK; c++)
            for (int k = 0; k < 2; k++)
                sum[k][c] += r.sim.dt * value[k][c];
    }
    const double weight = 9.81 * r.sim.summary[SLUICE_FLUID].mass, displaced = 9.81 * 1000 * 0.04;
    const double down = -(sum[TANK][1] + sum[BODY][1]) / seconds, up = sum[BODY][1] / seconds;
    ok(status == SLUICE_OK && fabs(down / weight - 1) < 2e-4,
       "%s: tank and body bear the water: %.6f of its weight", on->name, down / weight);
    ok(fabs(up / displaced - 1) < 0.01, "the body is borne by %.4f of what it displaces",
       up / displaced);
    ok(fabs(sum[TANK][0] / seconds) < 1e-6 * weight && fabs(sum[BODY][0] / seconds) < 1e-6 * weight,
       "nothing is pushed aside");
    ok(fabs(sum[TANK][2] / seconds) < 1e-6 * weight && fabs(sum[BODY][2] / seconds) < 1e-6 * weight,
       "nor turned");
    end(&r);
}

/* The body is cut away. */
static void check_messages(const struct variant *on)
{
    static struct run r;
    char cut[sizeof still + 200];
    const char *tail = strstr(still, "max = [0.6, 0.4]; } );");
    snprintf(cut, sizeof cut,
             "%.*smax = [0.6, 0.4]; }, { shape = \"box\"; type = \"void\"; min = "
             "[0.3, 0.1]; max = [0.7, 0.5]; } );%s",
             (int)(tail - still), still, tail + strlen("max = [0.6, 0.4]; } );"));
    is_int(begin(&r, on, 4, cut, "boundary.slip=\"free\"", "time.cfl=0.3"), SLUICE_BAD_INPUT,
           "a force on nothing");
    ok(strstr(sluice_message(), "probe 'b': 'body' has no wall particle left that a force could "
                                "act on"),
       "its message: %s", sluice_message());
    end(&r);
}

/* The body of `plane` as rows of a file, not in the order of their ids, which have gaps. */
static void write_body(FILE *file)
{
    fputs("id,type,shape,x,y\n", file);
    for (int k = 0; k < 16; k++) {
        const int n = 5 * k % 16;
        fprintf(file, "%d,wall,body,%.3f,%.3f\n", 7 + 3 * n, 0.425 + 0.05 * (n % 4),
                0.225 + 0.05 * (n / 4));
    }
}

/* The same, whether the body is a shape or rows of a file: its forces and motion are by its name.
 */
static void check_file(const struct variant *on, int real_bytes)
{
    static struct run r;
    const double *value[2];
    double of_shape[3] = {0};
    char path[] = "/tmp/sluice-wall-forces-XXXXXX.csv", filed[sizeof plane + 200];
    const char *body = strstr(plane, ",\n  { name = \"body\""),
               *tail = strstr(body, " );\nmotions"), *turn = strstr(tail, "kind = \"rotation\"");
    FILE *file = fdopen(mkstemps(path, 4), "w");
    write_body(file);
    fclose(file);
    snprintf(filed, sizeof filed, "%.*s%.*scarries = \"body\"; %sparticles = \"%s\";\n",
             (int)(body - plane), plane, (int)(turn - tail), tail, turn, path);
    if (begin(&r, on, real_bytes, plane, "boundary.slip=\"free\"", "time.cfl=0.3") == SLUICE_OK &&
        sluice_sim_step(&r.sim) == SLUICE_OK && measure(&r, value) == SLUICE_OK)
        memcpy(of_shape, value[BODY], sizeof of_shape);
    end(&r);
    if (!is_int(begin(&r, on, real_bytes, filed, "boundary.slip=\"free\"", "time.cfl=0.3"),
                SLUICE_OK, "a body of a file"))
        diag("%s", sluice_message());
    is_int(r.setup.start[SLUICE_WALL].motion[0], 1, "its motion carries it");
    is_int(sluice_sim_step(&r.sim), SLUICE_OK, "a step");
    const int measured = is_int(measure(&r, value), SLUICE_OK, "its force");
    const double scale = fabs(of_shape[0]) + fabs(of_shape[1]),
                 round = real_bytes == 8 ? 1e-11 : 1e-4;
    ok(scale > 1, "a force: %g N/m", scale);
    for (int a = 0; a < 3 && measured; a++)
        ok(fabs(value[BODY][a] - of_shape[a]) < round * scale, "component %d: %.17g and %.17g", a,
           value[BODY][a], of_shape[a]);
    end(&r);
    unlink(path);
}

int main(void)
{
    struct variant list[VARIANTS_MOST];
    const int n = variants_here(list);
    for (int v = 0; v < n; v++)
        for (int real_bytes = 4; real_bytes <= 8; real_bytes += 4) {
            const int half = part_has(real_bytes / 4, 2);
            if (list[v].is_cpu || (real_bytes == 4 && half))
                check_balance(&list[v], real_bytes, plane);
            if (list[v].is_cpu || (real_bytes == 8 && !half))
                check_balance(&list[v], real_bytes, layers);
            if (list[v].is_cpu || (real_bytes == 8 && half))
                check_balance(&list[v], real_bytes, space);
        }
    for (int v = 0; v < n; v++)
        if (list[v].is_cpu && (v + 1 == n || !list[v + 1].is_cpu)) { /* one: it takes long */
            check_still(&list[v]);
            check_messages(&list[v]);
            check_file(&list[v], 4);
            check_file(&list[v], 8);
        }
    return done_testing();
}
