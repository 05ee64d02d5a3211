/* The scales of exact sums (kernels/types/exact_sum.h), from the config and the start: powers of two
 * near a particle's largest mass, speed and energy. A sum has 16 binary digits above its scale and
 * 79 below, so the scales need not be exact. */
#include <math.h>

#include "case/builder.h"

/* Of Lennard-Jones, whose energy grows with 1/r^12: 2^(20 + 16) epsilon is reached at r = 0.12
 * sigma. */
enum { LJ_ROOM = 20 };

/* The binary exponent of a size; 0 if it is none. */
static int exponent_of(double size)
{
    return size > 1e-200 && size < 1e200 ? ilogb(size) : 0;
}

static void measure_start(const struct sluice_case *c, double *mass, double *speed)
{
    double speed2 = 0;
    *mass = 0;
    for (int t = 0; t < SLUICE_GHOST; t++)
        for (int64_t i = 0; i < c->start[t].count; i++) {
            const double *v = c->start[t].velocity[i];
            *mass = fmax(*mass, c->start[t].mass[i]);
            speed2 = fmax(speed2, v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        }
    *speed = sqrt(speed2);
}

void sluice_case_set_scales(struct sluice_case_builder *b)
{
    const struct sluice_config *config = b->config;
    const struct wcsph_params *p = &b->c->physics.wcsph;
    double mass, speed, size = 0, specific = 0; /* specific: energy of a unit mass */
    measure_start(b->c, &mass, &speed);
    for (int c = 0; c < config->dimension; c++) {
        const double length = b->c->grid.high[c] - b->c->grid.low[c];
        size += length * length;
        specific += fabs(config->gravity[c]) * length;
    }
    size = sqrt(size);
    for (int n = 0; n < config->central_count; n++)
        specific += pow(config->centrals[n].strength * size, 2);
    if (config->model == SLUICE_MODEL_WCSPH)
        speed = fmax(speed, p->second ? fmax(p->sound_speed, p->second->sound_speed)
                                      : p->sound_speed);
    else if (mass > 0)
        speed = fmax(speed, sqrt(sluice_config_pair_number(config, "pair.epsilon", 1) / mass));
    specific = fmax(specific, speed * speed);
    const int room = config->model == SLUICE_MODEL_LJ ? LJ_ROOM : 0;
    b->c->physics.scales = (struct sluice_scales){
        .mass = exponent_of(mass),
        .momentum = exponent_of(mass * speed),
        .angular = exponent_of(mass * speed * size),
        .energy = exponent_of(mass * specific) + room,
        .power = exponent_of(mass * specific * sqrt(specific) / b->c->cutoff),
    };
}
