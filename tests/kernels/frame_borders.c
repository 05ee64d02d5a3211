/* test: 0.2 s, emulator, tsan-slow */
/* Thin sheets across the borders of frames. What a block of targets knows of the rows of its own
 * frame does not hold for the next frame, whose rows are not the next ones in the table of bins.
 * That frame is empty here beside the sheet, so a strategy that confuses the two finds too few
 * pairs. The pairs can be counted by hand. Every strategy but tiled, which knows no frames, on
 * every backend.
 *
 * A sheet is one particle thick and has strips. A strip is in the middle of a frame in x, further
 * than a cutoff from the next frame's, and goes through many frames in y or z. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/pair_trial.h"
#include "support/tap.h"

struct sheet {
    double frame;              /* width of one; a cutoff is 1 */
    int strips, lines, across; /* lines of a strip, particles of a line */
};

/* Enough particles that bins are as fine as asked: that takes a sixth of a particle a bin. Two rows
 * a cutoff have four lines, which fill a block of the window strategy or more. */
static const struct sheet small = {4, 1, 48, 16};
/* On devices there are enough particles that warps do not share targets. */
static const struct sheet large = {8, 8, 1000, 48};

/* Along a line and from line to line: no two particles are within 0.0007 of a cutoff apart. */
static const double step[2] = {0.0626, 0.1249};

/* The lines follow each other in the other axis, 1 or 2. */
static void put_sheet(struct cloud *c, const struct sheet *s, int other)
{
    for (int64_t i = 0; i < c->n; i++) {
        const int64_t line = i / s->across % s->lines, strip = i / s->across / s->lines;
        const double middle = ((double)strip + 0.5) * s->frame;
        c->x[i][0] = middle + step[0] * ((double)(i % s->across) - 0.5 * (s->across - 1));
        c->x[i][other] = 1.06 + step[1] * (double)line;
        c->x[i][3 - other] = 0.5 * s->frame + 0.06;
    }
}

static double pairs_of(const struct sheet *s)
{
    double pairs = 0;
    for (int a = -16; a <= 16; a++)
        for (int b = -8; b <= 8; b++)
            if ((a != 0 || b != 0) && hypot(a * step[0], b * step[1]) < 1)
                pairs += (double)(s->across - abs(a)) * (double)(s->lines - abs(b));
    return s->strips * pairs;
}

static void check_sheet(const struct variant *on, const struct sheet *s, int other, int real_bytes)
{
    struct sluice_grid_options o = {.dimension = 3,
                                    .cutoff = 1,
                                    .high = {s->strips * s->frame, s->frame, s->frame},
                                    .frame_cutoffs = s->frame,
                                    .bins_per_cutoff = {8, 2, 2}};
    const struct wcsph_params physics = {.dimension = 3,
                                         .h = 0.5,
                                         .spacing = 0.3,
                                         .rho0 = 1,
                                         .sound_speed = 10,
                                         .gamma = 7,
                                         .slip = 1};
    const double want = pairs_of(s);
    struct cloud fluid;
    struct world w;
    o.high[other] = 2 + step[1] * s->lines;
    cloud_random(&fluid, (int64_t)s->strips * s->lines * s->across, 3, o.low, o.high, 3);
    put_sheet(&fluid, s, other);
    trial_open(&w, on, 0, real_bytes, &o, &fluid, NULL, 0);
    for (int strategy = 0; strategy < SLUICE_STRATEGY_COUNT; strategy++) {
        struct sluice_pass pass = trial_pass(&w, SLUICE_PAIR_wcsph_wendland, &physics,
                                             SLUICE_ALL_SUMS, 1);
        if (strategy == SLUICE_STRATEGY_tiled || !sluice_strategy_has(strategy, 0))
            continue;
        w.backend.orders.strategy = strategy;
        trial_run(&w, &pass);
        ok(pass.sum[SLUICE_SUM_PAIRS] == want,
           "%s, %s, %d bytes: a sheet in x and %c: %.0f pairs of %.0f", on->name,
           sluice_strategies[strategy].name, real_bytes, "xyz"[other], pass.sum[SLUICE_SUM_PAIRS],
           want);
    }
    world_close(&w);
    cloud_destroy(&fluid);
}

int main(void)
{
    struct variant variants[VARIANTS_MOST];
    const int n = variants_here(variants);
    for (int k = 0; k < n; k++) {
        const int on_device = !variants[k].is_cpu && strcmp(variants[k].backend, "emulated") != 0;
        for (int real_bytes = 4; real_bytes <= 8; real_bytes += 4)
            for (int other = 1; other <= 2; other++)
                check_sheet(&variants[k], on_device ? &large : &small, other, real_bytes);
    }
    return done_testing();
}
