/* Still water on a lattice, whose fields are known in closed form, and probes in it. */
#ifndef SLUICE_TESTS_LATTICE_SCENE_H
#define SLUICE_TESTS_LATTICE_SCENE_H
#include "probes/probe.h"
#include "support/run_fixture.h"
#include "support/tap.h"

static const double dp = 0.01, depth = 0.4, rho = 1000, gravity = 9.81;
enum { PROBES = 9 };

struct scene {
    struct sluice_config config;
    struct sluice_case setup;
    struct sluice_probe probes[PROBES];
    struct sluice_case_probe places[PROBES];
    struct sluice_probes *made;
};

static void put_probe(struct scene *s, int kind, int quantity, const double x[3])
{
    const int i = s->config.probe_count++;
    s->probes[i] = (struct sluice_probe){
        .kind = kind, .quantity = quantity, .axis = 0, .above = depth / 2, .points = 2};
    snprintf(s->probes[i].name, sizeof s->probes[i].name, "probe%d", i);
    memcpy(s->places[i].x, x, sizeof s->places[i].x);
    memcpy(s->places[i].to, x, sizeof s->places[i].to);
}

static void begin_scene(struct scene *s, int dimension, int kernel, int periodic)
{
    memset(s, 0, sizeof *s);
    s->config.model = SLUICE_MODEL_WCSPH;
    s->config.dimension = dimension;
    s->config.spacing = dp;
    s->config.kernel.name = kernel;
    s->config.probes = s->probes;
    s->setup.config = &s->config;
    s->setup.probes = s->places;
    s->setup.cutoff = 3 * dp;
    s->setup.grid.dimension = dimension;
    s->setup.grid.periodic[0] = periodic;
    for (int c = 0; c < 3; c++)
        s->setup.grid.high[c] = c < dimension ? 0.5 : 0;
    s->setup.physics.wcsph = (struct wcsph_params){.dimension = dimension,
                                                   .kernel = kernel,
                                                   .spacing = dp,
                                                   .h = 1.5 * dp,
                                                   .rho0 = rho,
                                                   .sound_speed = 20,
                                                   .eos = SLUICE_EOS_TAIT,
                                                   .gamma = 7};
}

/* Still water: a box of 0.5 x (0.5 x) 0.4 at its lattice points, p = rho g (H - z), v linear; and
 * wall particles that must not count. */
static void fill(struct sluice_host_particles *p, int dimension)
{
    const int across = 50, deep = dimension == 3 ? 20 : 1, up = dimension - 1;
    int64_t n = 0;
    memset(p, 0, sizeof *p);
    if (sluice_host_particles_reserve(p, (int64_t)across * deep * 41) != SLUICE_OK)
        abort();
    p->dimension = dimension;
    p->has_density = 1;
    for (int k = -1; k < 40; k++)
        for (int j = 0; j < deep; j++)
            for (int i = 0; i < across; i++, n++) {
                p->x[n][0] = (i + 0.5) * dp;
                p->x[n][1] = dimension == 3 ? (j + 0.5) * dp : 0;
                p->x[n][2] = 0;
                p->x[n][up] = (k + 0.5) * dp;
                p->type[n] = (uint8_t)(k < 0 ? SLUICE_WALL : SLUICE_FLUID);
                p->density[n] = rho;
                p->mass[n] = rho * pow(dp, dimension);
                p->pressure[n] = rho * gravity * (depth - p->x[n][up]);
                for (int c = 0; c < 3; c++)
                    p->velocity[n][c] = c < dimension ? 0.3 * (c + 1) + 2 * p->x[n][0] : 0;
                p->id[n] = (sluice_id)n;
                p->type_count[p->type[n]]++;
            }
    p->count = n;
}
#endif
