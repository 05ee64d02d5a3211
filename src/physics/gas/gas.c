/* An ideal gas with a smoothing length a particle. Passes in order:
 *
 *   predict   velocity and internal energy at the step's end, a guess of the smoothing length
 *   density   the smoothing length and the density at the new positions
 *   pairs     a, du/dt, and what the next step needs */
#include <math.h>

#include "kernels/types/gas_params.h"
#include "kernels/registry.h"
#include "model/model.h"

static sluice_fields fields(const struct sluice_physics *p, enum sluice_type type)
{
    (void)p;
    if (type != SLUICE_FLUID)
        return 0;
    return SLUICE_BIT(POSITION) | SLUICE_BIT(POSITION_LOW) | SLUICE_BIT(FRAME) | SLUICE_BIT(ID) |
           SLUICE_BIT(VELOCITY) | SLUICE_BIT(VELOCITY_LOW) | SLUICE_BIT(ACCELERATION) |
           SLUICE_BIT(SCALAR) | SLUICE_BIT(SCALAR_LOW) | SLUICE_BIT(RATE) | SLUICE_BIT(SMOOTHING) |
           SLUICE_BIT(PREDICTED) | SLUICE_BIT(GAS);
}

double sluice_gas_widest_support(const struct sluice_model *m, const struct sluice_grid *g)
{
    double widest = sluice_grid_narrowest(g);
    if (m->reach > 0)
        widest = fmin(widest, m->reach);
    for (int c = 0; c < g->dimension; c++)
        if ((g->walls >> 2 * c & 3) == 3)
            widest = fmin(widest, g->high[c] - g->low[c]);
    return widest * (1 - 1e-5); /* and rounding */
}

static sluice_status pass(struct sluice_model *m, struct sluice_backend *b,
                          const struct sluice_grid *g, struct sluice_passes *passes,
                          const char *name, int pair, const struct gas_params *params)
{
    struct sluice_set *gas = m->set[SLUICE_FLUID];
    const struct sluice_pass pass = {.name = name,
                                     .pair = sluice_pair_with_kernel(pair, params->kernel),
                                     .params = params,
                                     .target = gas,
                                     .source = {gas, NULL}};
    return sluice_passes_interact(passes, m, b, g, pass);
}

static sluice_status forces(struct sluice_model *m, struct sluice_backend *b,
                            const struct sluice_grid *g, struct sluice_passes *passes)
{
    struct gas_params params = m->physics->gas;
    const struct sluice_point predict = {"predict", SLUICE_POINTWISE_gas_predict, &params,
                                         m->set[SLUICE_FLUID]};
    params.most = sluice_gas_widest_support(m, g);
    params.dt = m->dt;
    passes->count = 0;
    SLUICE_TIMED(m->timers, POINTWISE, b->ops->pointwise(b, g, &predict));
    SLUICE_TIMED(m->timers, PAIRS,
                 pass(m, b, g, passes, "density", SLUICE_PAIR_gas_density_wendland, &params));
    SLUICE_TIMED(m->timers, PAIRS,
                 pass(m, b, g, passes, "pair loop", SLUICE_PAIR_gas_wendland, &params));
    return SLUICE_OK;
}

/* Courant's condition with the signal velocity of each pair (Monaghan 1997), and a force limit;
 * store() of the pair loop has the inverse of both. Streams that have not met yet have no pairs: no
 * particle moves by more than the largest h. A gas in which nothing moves may take one step. */
static double time_step(const struct sluice_model *m, const struct sluice_limits *limits)
{
    double dt = m->physics->config->time.end;
    if (limits->rate > 0)
        dt = fmin(dt, m->physics->config->time.cfl / limits->rate);
    if (limits->speed > 0)
        dt = fmin(dt, limits->length / limits->speed);
    return dt;
}

static int passes_of(const struct sluice_physics *p)
{
    (void)p;
    return 2;
}

const struct sluice_model_ops sluice_model_gas = {"gas",  passes_of, fields,
                                                  forces, NULL,      time_step};
