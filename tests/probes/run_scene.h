/* Probes of a case that is given as a text, measured once at the start of its run. */
#ifndef SLUICE_TESTS_RUN_SCENE_H
#define SLUICE_TESTS_RUN_SCENE_H
#include <stdio.h>
#include <string.h>

#include "probes/probe.h"
#include "sim/sim.h"
#include "support/tap.h"

#define START                                                                                      \
    "model = \"wcsph\"; spacing = 0.02; fluid = { sound_speed = 200.0; };\n"                       \
    "backend = { name = \"cpu\"; precision = \"double\"; strategy = \"window\"; };\n"              \
    "time = { end = 1.0; }; output = { every = 0.0; };\n"

struct scene {
    struct sluice_config config;
    struct sluice_case setup;
    struct sluice_sim sim;
    struct sluice_probes *probes;
    struct sluice_host_particles p;
};

/* Reads the case. said: its warnings. */
static sluice_status build(struct scene *s, const char *text, char said[4096])
{
    memset(s, 0, sizeof *s);
    *said = 0;
    SLUICE_TRY(sluice_config_parse(&s->config, text, "case", NULL, 0, NULL));
    FILE *warnings = fmemopen(said, 4096, "w");
    const sluice_status status = sluice_case_create(&s->setup, &s->config, warnings);
    fclose(warnings);
    return status;
}

static sluice_status measure(struct scene *s)
{
    unsigned char due[8];
    memset(due, 1, sizeof due);
    SLUICE_TRY(sluice_sim_create(&s->sim, &s->config, &s->setup, NULL));
    SLUICE_TRY(sluice_sim_start(&s->sim));
    SLUICE_TRY(sluice_probes_create(&s->probes, &s->setup));
    SLUICE_TRY(
        sluice_probes_fetch(s->probes, &s->sim.backend, &s->sim.grid, s->sim.set, due, &s->p));
    return sluice_probes_measure(s->probes, &s->p, 0, due);
}

static void end(struct scene *s)
{
    sluice_probes_destroy(&s->probes);
    sluice_host_particles_destroy(&s->p);
    sluice_sim_destroy(&s->sim);
    sluice_case_destroy(&s->setup);
    sluice_config_destroy(&s->config);
}
#endif
