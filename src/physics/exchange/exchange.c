/* Random births and retirements, for tests. In a step with an exchange, as many particles come as
 * the given fraction of the fluid at the start, at random places in the fluid's first extent,
 * raised by HEIGHT. Their masses and velocities are random too. The fluid in random cells goes.
 * Every random number follows from the seed and the step. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "backend/particle_list.h"
#include "core/hash.h"
#include "kernels/registry.h"
#include "kernels/types/retire_params.h"
#include "model/effect.h"
#include "physics/effects.h"

struct exchange {
    double fraction, gone; /* of the fluid at the start that come; of the cells that go */
    unsigned long long seed, every, last;
    int64_t births;
    uint32_t group;
    double low[3], high[3], mass;
    int64_t listed;                   /* the step that `next` is for; -1: none */
    struct sluice_particle_list next; /* in memory behind this struct */
};

static const char *asked(void)
{
    return getenv("SLUICE_TEST_EXCHANGE");
}

static int used(const struct sluice_physics *p)
{
    (void)p;
    return asked() != NULL;
}

static sluice_fields fields(const struct sluice_physics *p, enum sluice_type type)
{
    (void)p;
    return type == SLUICE_FLUID ? SLUICE_BIT(RETIRES) : 0;
}

static sluice_status prepare(const struct sluice_effect_setup *setup)
{
    const struct wcsph_params *water = &setup->physics->wcsph;
    struct exchange asks = {.last = INT64_MAX}, *x;
    double lift = 0;
    const int numbers = sscanf(asked(), "%lf %llu %llu %lf %lf %llu", &asks.fraction, &asks.seed,
                               &asks.every, &asks.gone, &lift, &asks.last);
    if (numbers == 3)
        asks.gone = asks.fraction;
    SLUICE_CHECK(
        (numbers == 3 || numbers == 5 || numbers == 6) && asks.fraction >= 0 &&
            asks.fraction <= 1 && asks.gone >= 0 && asks.gone <= 1 && asks.every > 0,
        SLUICE_BAD_INPUT,
        "SLUICE_TEST_EXCHANGE=\"%s\": it needs a fraction from 0 to 1, a seed, and steps "
        "from one exchange to the next; then, or not, the fraction that goes, a height, and the "
        "last step in which particles come and go",
        asked());
    asks.births = (int64_t)ceil(asks.fraction * (double)setup->fluid);
    x = calloc(1, sizeof *x + (size_t)asks.births * sizeof *x->next.particle);
    SLUICE_CHECK(x, SLUICE_DEVICE, "no memory for an exchange");
    setup->physics->table[SLUICE_EFFECT_exchange].head = x;
    *x = asks;
    x->listed = -1;
    x->next.particle = (struct sluice_listed_particle *)(x + 1);
    x->next.capacity = x->births;
    x->group = setup->fluid_group;
    x->mass = water->rho0 * pow(water->spacing, water->dimension);
    for (int c = 0; c < 3; c++) {
        x->low[c] = setup->fluid_low[c] + water->spacing / 2;
        x->high[c] = setup->fluid_high[c] - water->spacing / 2;
    }
    sluice_warn(setup->warnings,
                "SLUICE_TEST_EXCHANGE: particles come and go at random, for a test");
    x->low[water->dimension - 1] += lift;
    x->high[water->dimension - 1] += lift;
    return SLUICE_OK;
}

static struct exchange *of(const struct sluice_physics *p)
{
    return p->table[SLUICE_EFFECT_exchange].head;
}

static int64_t births(const struct sluice_physics *p)
{
    return of(p)->births;
}

static void print(const struct sluice_physics *p, FILE *out)
{
    const struct exchange *x = of(p);
    fprintf(out,
            "  %-18s%lld particles come, and %.3g%% of the fluid goes, every %llu steps: "
            "SLUICE_TEST_EXCHANGE\n",
            "exchange", (long long)x->births, 100 * x->gone, x->every);
}

static int now(const struct sluice_model *m)
{
    return m->step % (int64_t)of(m->physics)->every == 0;
}

/* r of water at rest below the top of its extent. */
static double hydrostatic(const struct sluice_physics *p, const struct exchange *x,
                          const double at[3])
{
    double head = 0;
    for (int c = 0; c < 3; c++) {
        const double g = p->config->gravity[c];
        head += g * (at[c] - (g < 0 ? x->high[c] : x->low[c]));
    }
    return head / (p->wcsph.sound_speed * p->wcsph.sound_speed);
}

/* Lists what comes in a step. */
static sluice_status come(const struct sluice_model *m, const struct sluice_backend *b,
                          const struct sluice_grid *g, int64_t step)
{
    struct exchange *x = of(m->physics);
    const double speed = 0.01 * m->physics->wcsph.sound_speed;
    x->listed = step;
    x->next.count = 0;
    for (int64_t k = 0; k < x->births && step <= (int64_t)x->last; k++) {
        uint64_t draw = sluice_mix(x->seed + SLUICE_MIX_STEP * (uint64_t)step) + (uint64_t)k;
        struct sluice_listed_particle p = {.group = x->group};
        double at[3] = {0, 0, 0};
        for (int c = 0; c < g->dimension; c++) {
            at[c] = x->low[c] + (x->high[c] - x->low[c]) * sluice_mix_unit(draw);
            draw += SLUICE_MIX_STEP;
            p.velocity[c] = speed * (2 * sluice_mix_unit(draw) - 1);
            draw += SLUICE_MIX_STEP;
            p.acceleration[c] = m->physics->config->gravity[c];
        }
        p.scalar = hydrostatic(m->physics, x, at);
        p.mass = x->mass * (0.75 + 0.5 * sluice_mix_unit(draw));
        sluice_grid_place(g, at, &p.place);
        SLUICE_TRY(sluice_particle_list_add(&x->next, g, b->real_bytes, &p));
    }
    return SLUICE_OK;
}

/* The list of the next step, while a device computes this one. */
static sluice_status come_next(struct sluice_model *m, struct sluice_backend *b,
                               const struct sluice_grid *g, struct sluice_passes *passes)
{
    (void)passes;
    return (m->step + 1) % (int64_t)of(m->physics)->every == 0 ? come(m, b, g, m->step + 1)
                                                               : SLUICE_OK;
}

static sluice_status change(struct sluice_model *m, struct sluice_backend *b,
                            const struct sluice_grid *g, struct sluice_particle_list *born)
{
    const struct exchange *x = of(m->physics);
    struct retire_cells_params params = {
        .draw = sluice_mix(~x->seed + SLUICE_MIX_STEP * (uint64_t)m->step),
        .fraction = m->step <= (int64_t)x->last ? x->gone : 0};
    for (int c = 0; c < g->dimension; c++)
        params.per_m[c] = 64 / g->width[c];
    const struct sluice_point point = {"retire", SLUICE_POINTWISE_retire_cells, &params,
                                       m->set[SLUICE_FLUID]};
    SLUICE_TRY(b->ops->pointwise(b, g, &point));
    if (x->listed != m->step) /* the first step, or a restart */
        SLUICE_TRY(come(m, b, g, m->step));
    return sluice_particle_list_append(born, &x->next);
}

const struct sluice_effect sluice_effect_exchange = {
    .name = "exchange",
    .used = used,
    .fields = fields,
    .prepare = prepare,
    .print = print,
    .stage[SLUICE_STAGE_AFTER] = {come_next, SLUICE_SECTION_POINTWISE},
    .change = {.now = now, .births = births, .work = change},
};
