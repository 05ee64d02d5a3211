/* test: 0.2 s */
/* Flux probes on lattices: sections of still water that flows as one, particles that pass, and
 * periods. */
#include "lattice_scene.h"

/* Sections across x: all of the water's, a part of its height, and against the axis' other one. */
static void check_flux(int dimension, int kernel)
{
    struct scene s;
    struct sluice_host_particles p;
    const int up = dimension - 1;
    const double width = dimension == 3 ? 0.2 : 1, x = 0.25, speed = 0.3 + 2 * x;
    double from[3] = {x, 0, 0}, to[3] = {x, 0, 0};
    diag("fluxes, %d-D, kernel %d", dimension, kernel);
    begin_scene(&s, dimension, kernel, 0);
    fill(&p, dimension);
    for (int k = 0; k < 3; k++) {
        from[up] = k == 1 ? 0.1 : -0.05;
        to[up] = k == 1 ? 0.2 : 0.5;
        to[1] = dimension == 3 ? 0.25 : to[1];
        put_probe(&s, SLUICE_PROBE_FLUX, 0, from);
        memcpy(s.places[k].to, to, sizeof to);
    }
    from[0] = 0.1;
    to[0] = 0.4;
    from[up] = to[up] = 0.2;
    memcpy(s.places[2].x, from, sizeof from);
    memcpy(s.places[2].to, to, sizeof to);
    ok(sluice_probes_create(&s.made, &s.setup) == SLUICE_OK &&
           sluice_probes_measure(s.made, &p, 0, NULL) == SLUICE_OK,
       "measured");
    is_str(sluice_probes_table(s.made, 0)->header, "flux,volume", "its columns");
    /* The error of the kernel's sum over planes dp apart, h = 1.5 dp; the section is between two of
     * them. */
    const double lattice = 5e-3;
    is_close(sluice_probes_table(s.made, 0)->values[0] / (speed * depth * width), 1, lattice,
             "through all of the water");
    is_close(sluice_probes_table(s.made, 1)->values[0] / (speed * 0.1 * width), 1, lattice,
             "through a part of its height");
    /* v_up at the middle of 0.1 to 0.4 */
    is_close(sluice_probes_table(s.made, 2)->values[0] / ((0.3 * (up + 1) + 2 * x) * 0.3 * width),
             1, lattice, "upwards");
    sluice_probes_destroy(&s.made);

    /* One particle that passes the plane within the section, or beside it: the flux is its volume,
     * or none. */
    double passed[2] = {0, 0};
    const int steps = 2000;
    s.config.probe_count = 1;
    from[0] = to[0] = x;
    from[up] = 0.1;
    to[up] = 0.2;
    memcpy(s.places[0].x, from, sizeof from);
    memcpy(s.places[0].to, to, sizeof to);
    sluice_probes_create(&s.made, &s.setup);
    p.count = 1;
    p.type[0] = SLUICE_FLUID;
    p.velocity[0][0] = -1.5;
    for (int k = 0; k < steps; k++)
        for (int beside = 0; beside < 2; beside++) {
            p.x[0][0] = 0.2 + 0.1 * k / steps;
            p.x[0][1] = dimension == 3 ? 0.1 : 0;
            p.x[0][up] = beside ? 0.21 : 0.15;
            sluice_probes_measure(s.made, &p, 0, NULL);
            passed[beside] += sluice_probes_table(s.made, 0)->values[0] * 0.1 / steps / 1.5;
        }
    /* the rectangle rule over the support's 1200 steps */
    is_close(passed[0] / pow(dp, dimension), -1, 1e-5, "a particle brings its volume, backwards");
    ok(passed[1] == 0, "and none where it passes beside the section");
    sluice_probes_destroy(&s.made);
    sluice_host_particles_destroy(&p);
}

/* A section along the period counts the water once, however long it is. */
static void check_flux_of_period(void)
{
    struct scene s;
    struct sluice_host_particles p;
    double sum = 0;
    const struct {
        double from, to;
    } sections[] = {{0, 0.5}, {-0.3, 0.9}, {0.125, 0.3}, {0.3, 0.625}};
    begin_scene(&s, 2, SLUICE_KERNEL_WENDLAND_C2, 1);
    fill(&p, 2);
    for (int k = 0; k < 4; k++) {
        const double from[3] = {sections[k].from, 0.2, 0}, to[3] = {sections[k].to, 0.2, 0};
        put_probe(&s, SLUICE_PROBE_FLUX, 0, from);
        memcpy(s.places[k].to, to, sizeof to);
    }
    for (int64_t i = 0; i < p.count; i++)
        p.velocity[i][1] = 1;
    sluice_probes_create(&s.made, &s.setup);
    sluice_probes_measure(s.made, &p, 0, NULL);
    const double *all = sluice_probes_table(s.made, 0)->values,
                 *longer = sluice_probes_table(s.made, 1)->values;
    is_close(*all, 0.5, 2.5e-3, "flux through a whole period: its length");
    is_close(*longer, *all, 1e-12, "through more than a period: no more");
    for (int k = 2; k < 4; k++)
        sum += *sluice_probes_table(s.made, k)->values;
    is_close(sum, *all, 1e-12,
             "two sections that share both edges, one across the seam: the whole");
    sluice_probes_destroy(&s.made);
    sluice_host_particles_destroy(&p);
}

int main(void)
{
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int kernel = 0; kernel < 4; kernel += 3)
            check_flux(dimension, kernel);
    check_flux_of_period();
    return done_testing();
}
