/* The cases of `sluice bench claims`. */
#include "bench/claims.h"

#include <string.h>

static const struct {
    const char *name;
    sluice_status (*run)(struct sluice_bench *bench, const char *name);
    double h_over_dp; /* of its cube; 0: its config is not a cube */
} cases[] = {
    {"lists-h1.2", sluice_claims_lists, 1.2}, {"lists-h1.5", sluice_claims_lists, 1.5},
    {"lists-h2.0", sluice_claims_lists, 2},   {"split", sluice_claims_split, 0},
    {"layouts", sluice_claims_layouts, 0},    {"chunks", sluice_claims_layouts, 0},
    {"swarm", sluice_claims_layouts, 0},      {"kahan", sluice_claims_sums, 0},
    {"kahan-cache", sluice_claims_sums, 0},   {"sorted-types", sluice_claims_types, 0},
    {"linearisation", sluice_claims_axes, 0}, {"split-lists", sluice_claims_typed_lists, 0}};
enum { CASES = sizeof cases / sizeof *cases };

/* The first case of `bench step`, SPHERIC test 2, with dynamic walls. */
static void make_tank(struct sluice_bench_case *found)
{
    static const char kind[] = "\"adami\"";
    const char *text = sluice_bench_configs[0].text, *at = strstr(text, kind);
    found->config = found->made_config;
    snprintf(found->made_config, sizeof found->made_config, "%.*s\"dynamic\"%s", (int)(at - text),
             text, at + strlen(kind));
}

static int find_case(const struct sluice_bench_settings *settings, int k,
                     struct sluice_bench_case *found)
{
    if (k == CASES)
        return 0;
    found->name = cases[k].name;
    if (cases[k].h_over_dp > 0)
        sluice_bench_make_cube(found, sluice_bench_particles(settings), "wendland-c2",
                               cases[k].h_over_dp);
    else if (cases[k].run == sluice_claims_split || cases[k].run == sluice_claims_types)
        make_tank(found);
    return 1;
}

static sluice_status run(struct sluice_bench *bench, int k, const char *name)
{
    return cases[k].run(bench, name);
}

const struct sluice_benchmark sluice_bench_claims = {"claims", find_case, run};
