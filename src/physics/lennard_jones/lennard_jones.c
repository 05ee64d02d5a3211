/* A Lennard-Jones fluid: one pass in plain velocity Verlet. Its forces do not depend on velocities,
 * so nothing is predicted. */
#include <math.h>

#include "kernels/registry.h"
#include "model/model.h"

static sluice_fields fields(const struct sluice_physics *p, enum sluice_type type)
{
    (void)p;
    if (type != SLUICE_FLUID)
        return 0;
    return SLUICE_BIT(POSITION) | SLUICE_BIT(POSITION_LOW) | SLUICE_BIT(FRAME) | SLUICE_BIT(ID) |
           SLUICE_BIT(VELOCITY) | SLUICE_BIT(VELOCITY_LOW) | SLUICE_BIT(ACCELERATION);
}

static sluice_status add_body_force(struct sluice_model *m, struct sluice_backend *b,
                                    const struct sluice_grid *g)
{
    const struct body_force_params params = sluice_model_body_forces(m);
    const struct sluice_point point = {"body forces", SLUICE_POINTWISE_body_force, &params,
                                       m->set[SLUICE_FLUID]};
    return b->ops->pointwise(b, g, &point);
}

static sluice_status forces(struct sluice_model *m, struct sluice_backend *b,
                            const struct sluice_grid *g, struct sluice_passes *passes)
{
    const struct sluice_config *config = m->physics->config;
    struct sluice_set *atoms = m->set[SLUICE_FLUID];
    const struct sluice_pass pass = {.name = "pair loop",
                                     .pair = config->pair.index,
                                     .params = m->lj.begins ? (const void *)&m->lj
                                                            : config->pair.params.bytes,
                                     .target = atoms,
                                     .source = {atoms, NULL}};
    passes->count = 0;
    if (!m->lj.begins)
        SLUICE_TIMED(m->timers, POINTWISE, add_body_force(m, b, g));
    SLUICE_TIMED(m->timers, PAIRS, sluice_passes_interact(passes, m, b, g, pass));
    return SLUICE_OK;
}

/* Potentials have no rule as safe as a CFL condition: the config must give time.step. */
static double time_step(const struct sluice_model *m, const struct sluice_limits *limits)
{
    (void)limits;
    return m->physics->config->time.step;
}

void sluice_lj_tail(const struct sluice_config *config, double density, double *energy,
                    double *pressure)
{
    const double epsilon = sluice_config_pair_number(config, "pair.epsilon", 0),
                 sigma = sluice_config_pair_number(config, "pair.sigma", 0);
    const double cutoff = sluice_config_pair_number(config, "pair.cutoff", 0);
    const int d = config->dimension;
    const double sphere = d == 3 ? 4 * M_PI : 2 * M_PI;
    /* integrals of r^(D-1-12) and r^(D-1-6) from the cutoff on, times sigma^12 and sigma^6 */
    const double i12 = pow(sigma, 12) * pow(cutoff, d - 12) / (12 - d);
    const double i6 = pow(sigma, 6) * pow(cutoff, d - 6) / (6 - d);
    *energy = *pressure = 0;
    if (sluice_config_pair_number(config, "pair.tail", 0) == 0)
        return;
    *energy = density / 2 * sphere * 4 * epsilon * (i12 - i6);
    *pressure = density * density / (2 * d) * sphere * 4 * epsilon * (12 * i12 - 6 * i6);
}

static int passes_of(const struct sluice_physics *p)
{
    (void)p;
    return 1;
}

const struct sluice_model_ops sluice_model_lj = {"lj", passes_of, fields, forces, NULL, time_step};
