/* test: 0.8 s, emulator, tsan-slow */
/* Probes on every backend that runs here: only the fluid near them comes to the host, and they have
 * the same bits as from all particles. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "probes/probe.h"
#include "sim/sim.h"
#include "support/tap.h"
#include "support/variants.h"

#ifdef SLUICE_WITH_EMULATED
#include "kernels/gpu/emulator/emulator_counts.h"
static int64_t downloaded(void)
{
    return sluice_emulated_counts.downloaded;
}
#else
static int64_t downloaded(void)
{
    return 0;
}
#endif

enum { STEPS = 2 };

/* Periodic in x, with a probe on the seam, and particles that leave their frames; far away. */
static const char channel[] =
    "model = \"wcsph\"; dimension = 2; spacing = 0.02; gravity = [0.0, -9.81];\n"
    "fluid = { sound_speed = 40.0; shifting = { kind = \"inside\"; }; };\n"
    "domain = { min = [0.0, 0.0]; max = [1.0, 1.0]; periodic = [true, false];\n"
    "           frame_shift = [1000000, -7]; };\n"
    "geometry = ( { shape = \"box\"; type = \"fluid\"; min = [0.0, 0.0]; max = [1.0, 0.5]; },\n"
    "             { shape = \"walls\"; sides = [\"bottom\"]; } );\n"
    "initial = ( { field = \"velocity\"; kind = \"uniform\"; value = [9.0, 0.0]; } );\n"
    "probes = ( { name = \"seam\"; kind = \"point\"; at = [0.0, 0.1]; every = 0.001; },\n"
    "  { name = \"through\"; kind = \"flux\"; from = [0.0, 0.1]; to = [0.0, 0.3]; every = 0.001; "
    "},\n"
    "  { name = \"top\"; kind = \"front\"; axis = \"y\"; above = 0.0; every = 0.001; },\n"
    "  { name = \"x\"; kind = \"front\"; axis = \"x\"; above = 0.49; every = 0.001; },\n"
    "  { name = \"none\"; kind = \"front\"; axis = \"x\"; above = 0.9; every = 0.001; } );\n"
    "time = { end = 10.0; }; output = { every = 0.0; };\n";

static const char collapse[] =
    "model = \"wcsph\"; dimension = 3; spacing = 0.05; gravity = [0.0, 0.0, -9.81];\n"
    "domain = { min = [0.0, 0.0, 0.0]; max = [2.0, 1.0, 1.0]; };\n"
    "geometry = ( { shape = \"box\"; type = \"fluid\"; min = [0.0, 0.0, 0.0];\n"
    "               max = [1.0, 1.0, 0.6]; }, { shape = \"box\"; type = \"wall\";\n"
    "               min = [0.2, 0.0, 0.0]; max = [0.5, 1.0, 0.2]; motion = \"up\"; },\n"
    "             { shape = \"box\"; type = \"wall\"; min = [0.7, 0.0, 0.0];\n"
    "               max = [2.0, 1.0, 0.1]; }, { shape = \"walls\";\n"
    "               sides = [\"x-\", \"x+\", \"y-\", \"y+\", \"z-\"]; name = \"tank\"; } );\n"
    "motions = ( { name = \"up\"; kind = \"linear\"; velocity = [0.0, 0.0, 1.0]; } );\n"
    "probes = ( { name = \"slope\"; kind = \"runup\"; from = [0.95, 0.2, 0.0]; to = [1.2, 0.2, "
    "0.1];\n    points = 9; every = 0.001; },\n"
    "  { name = \"patch\"; kind = \"patch\"; on = \"tank\"; face = \"x-\"; at = [0.5, 0.5];\n"
    "    size = [0.2, 0.3]; every = 0.001; },\n"
    "  { name = \"h\"; kind = \"height\"; at = [0.31, 0.2]; every = 0.001; },\n"
    "  { name = \"dry\"; kind = \"height\"; at = [1.7, 0.2]; every = 0.001; },\n"
    "  { name = \"line\"; kind = \"line\"; from = [0.9, 0.2, 0.1]; to = [1.2, 0.3, 0.1];\n"
    "    points = 5; quantity = \"velocity\"; every = 0.001; },\n"
    "  { name = \"front\"; kind = \"front\"; axis = \"x\"; above = 0.325; every = 0.001; } );\n"
    "time = { end = 10.0; }; output = { every = 0.0; };\n";

/* Walls on x, periodic in y: boxes of images. Hot gas in a corner expands into thin gas. */
static const char blast[] =
    "model = \"gas\"; dimension = 2; spacing = 0.02;\n"
    "domain = { min = [0.0, 0.0]; max = [1.0, 1.0]; periodic = [false, true]; };\n"
    "geometry = ( { shape = \"box\"; type = \"fluid\"; min = [0.0, 0.0]; max = [1.0, 1.0];\n"
    "               density = 1.0; pressure = 1.0; },\n"
    "             { shape = \"box\"; type = \"fluid\"; min = [0.0, 0.0]; max = [0.2, 0.2];\n"
    "               density = 4.0; pressure = 50.0; },\n"
    "             { shape = \"walls\"; sides = [\"x-\", \"x+\"]; } );\n"
    "probes = ( { name = \"corner\"; kind = \"point\"; at = [0.0, 1.0]; quantity = \"all\";\n"
    "             every = 0.001; },\n"
    "  { name = \"wall\"; kind = \"line\"; from = [1.0, 0.4]; to = [1.0, 0.6]; points = 5;\n"
    "    quantity = \"all\"; every = 0.001; },\n"
    "  { name = \"h\"; kind = \"point\"; at = [0.5, 0.5]; quantity = \"smoothing-length\";\n"
    "    every = 0.001; } );\n"
    "time = { end = 10.0; }; output = { every = 0.0; };\n";

struct run {
    struct sluice_config config;
    struct sluice_case setup;
    struct sluice_sim sim;
    struct sluice_probes *probes;
    struct sluice_host_particles near, all;
    unsigned char *due;
    double *values; /* of all probes, as `near` gives them */
};

static sluice_status begin(struct run *r, const struct variant *on, int real_bytes,
                           const char *text)
{
    char backend[80], isa[80];
    const char *const set[] = {backend, isa,
                               real_bytes == 8 ? "backend.precision=\"double\""
                                               : "backend.precision=\"float\""};
    snprintf(backend, sizeof backend, "backend.name=\"%s\"", on->backend);
    snprintf(isa, sizeof isa, "backend.isa=\"%s\"", on->isa ? on->isa : "");
    SLUICE_TRY(sluice_config_parse(&r->config, text, "case", set, 3, NULL));
    SLUICE_TRY(sluice_case_create(&r->setup, &r->config, NULL));
    SLUICE_TRY(sluice_sim_create(&r->sim, &r->config, &r->setup, NULL));
    SLUICE_TRY(sluice_probes_create(&r->probes, &r->setup));
    r->due = malloc((size_t)r->setup.config->probe_count);
    r->values = malloc(1000 * sizeof *r->values);
    return sluice_sim_start(&r->sim);
}

static void end(struct run *r)
{
    free(r->due);
    free(r->values);
    sluice_probes_destroy(&r->probes);
    sluice_host_particles_destroy(&r->near);
    sluice_host_particles_destroy(&r->all);
    sluice_sim_destroy(&r->sim);
    sluice_case_destroy(&r->setup);
    sluice_config_destroy(&r->config);
}

/* Values of the probes that are due, one after the other. */
static size_t take_values(const struct run *r, double *to)
{
    size_t n = 0;
    for (int i = 0; i < r->setup.config->probe_count; i++)
        for (int k = 0; r->due[i] && k < sluice_probes_table(r->probes, i)->columns; k++)
            to[n++] = sluice_probes_table(r->probes, i)->values[k];
    return n * sizeof *to;
}

/* Measures both ways after a step; *share: the fraction of the fluid that came to the host, by
 * bytes where they are counted. */
static int same_both_ways(struct run *r, double *share)
{
    struct sluice_backend *b = &r->sim.backend;
    struct sluice_set *fluid = &r->sim.set[SLUICE_FLUID];
    double values[1000];
    const int64_t before = downloaded();
    sluice_status status = sluice_probes_prepare(r->probes, r->sim.support, r->sim.time);
    if (status == SLUICE_OK)
        status = sluice_probes_fetch(r->probes, b, &r->sim.grid, fluid, r->due, &r->near);
    const int64_t near = downloaded() - before;
    if (status == SLUICE_OK)
        status = sluice_probes_measure(r->probes, &r->near, r->sim.time, r->due);
    const size_t bytes = take_values(r, r->values);
    if (status == SLUICE_OK)
        status = sluice_host_particles_collect(&r->all, b, &r->sim.grid, &fluid, 1,
                                               sluice_sim_matter(&r->sim));
    const int64_t all = downloaded() - before - near;
    if (status == SLUICE_OK)
        status = sluice_probes_measure(r->probes, &r->all, r->sim.time, r->due);
    *share = (double)r->near.count / (double)r->all.count;
    if (all > 0)
        *share = fmax(*share, (double)near / (double)all);
    if (status != SLUICE_OK)
        diag("%s", sluice_message());
    return status == SLUICE_OK && take_values(r, values) == bytes &&
           memcmp(values, r->values, bytes) == 0;
}

static void check_steps(const struct variant *on, int real_bytes, const char *text,
                        const char *name)
{
    static struct run r;
    double share, most = 0;
    int same = 1, probes;
    memset(&r, 0, sizeof r);
    sluice_status status = begin(&r, on, real_bytes, text);
    probes = r.probes ? r.setup.config->probe_count : 0;
    for (int k = 0; k <= STEPS && status == SLUICE_OK; k++) {
        for (int only = -1; only < (k == STEPS ? probes : 0); only++) { /* at last each alone */
            for (int i = 0; i < probes; i++)
                r.due[i] = only < 0 || only == i;
            same &= same_both_ways(&r, &share);
            most = fmax(most, share);
        }
        status = sluice_sim_step(&r.sim);
    }
    ok(status == SLUICE_OK, "%s, %s, %s: %d steps", on->name, real_bytes == 8 ? "double" : "float",
       name, STEPS);
    if (status != SLUICE_OK)
        diag("%s", sluice_message());
    ok(same, "all probes, and each alone: the bits from all particles");
    ok(most > 0 && most < 0.4, "at most %.1f%% of the fluid came to the host", 100 * most);
    end(&r);
}

/* Every particle once, by id; NULL: the fetch has failed. */
static int each_once(const struct sluice_fetch *fetch, int64_t count)
{
    const sluice_id *id = fetch->field[SLUICE_FIELD_ID];
    unsigned char *seen = calloc(1 << 20, 1);
    int once = fetch->count == count;
    for (int64_t i = 0; i < fetch->count && once; i++)
        once = id[i] < 1 << 20 && !seen[id[i]]++;
    free(seen);
    return once;
}

/* Boxes that hold everything, some of it twice, and nothing; also of walls at rest, which have
 * little scratch space on a GPU. */
static void check_boxes(const struct variant *on)
{
    static struct run r;
    const struct sluice_box boxes[] = {
        {{-9, -9, -9}, {0.5, 9, 9}}, {{0.4, -9, -9}, {9, 9, 9}}, {{3, 3, 3}, {4, 4, 4}}};
    memset(&r, 0, sizeof r);
    sluice_status status = begin(&r, on, 4, collapse);
    struct sluice_backend *b = &r.sim.backend;
    for (int t = 0; t < SLUICE_TYPE_COUNT && status == SLUICE_OK; t++) {
        struct sluice_fetch fetch = {.set = &r.sim.set[t],
                                     .fields = SLUICE_BIT(ID) | SLUICE_BIT(POSITION) |
                                               SLUICE_BIT(FRAME),
                                     .box = boxes,
                                     .box_count = 3};
        const int64_t n = fetch.set->count;
        status = b->ops->fetch(b, &r.sim.grid, &fetch);
        ok(status == SLUICE_OK && each_once(&fetch, n), "%s: all of set %d, each once", on->name,
           t);
        fetch.box = &boxes[2];
        fetch.box_count = 1;
        status = b->ops->fetch(b, &r.sim.grid, &fetch);
        is_int(fetch.count, 0, "none in a box far away");
        fetch.box_count = 0;
        status = b->ops->fetch(b, &r.sim.grid, &fetch);
        is_int(fetch.count, 0, "none in no box");
        sluice_fetch_destroy(&fetch);
    }
    struct sluice_foremost of[40];
    for (int k = 0; k < 40; k++)
        of[k] = (struct sluice_foremost){k % 3, k < 20 ? -INFINITY : 5, 1};
    if (status == SLUICE_OK)
        status = b->ops->foremost(b, &r.sim.grid, &r.sim.set[SLUICE_FLUID], of, 40);
    is_int(status, SLUICE_OK, "forty questions about the foremost");
    is_close(of[0].x, 0.975, 1e-6, "the first of them");
    ok(of[37].x == -INFINITY, "none so high");
    end(&r);
}

int main(void)
{
    struct variant list[VARIANTS_MOST];
    const int n = variants_here(list);
    for (int v = 0; v < n; v++) {
        for (int real_bytes = 4; real_bytes <= 8; real_bytes += 4) {
            if (list[v].is_cpu || real_bytes == 4)
                check_steps(&list[v], real_bytes, channel, "channel");
            if (list[v].is_cpu || real_bytes == 8)
                check_steps(&list[v], real_bytes, collapse, "collapse");
            check_steps(&list[v], real_bytes, blast, "blast");
        }
        check_boxes(&list[v]);
    }
    return done_testing();
}
