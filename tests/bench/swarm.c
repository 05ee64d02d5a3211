/* test: 3 s, emulator, tsan-slow */
/* The particle swarm of `sluice bench claims`: it finds the least value of its function, and all
 * layouts give the same bits, on every backend and instruction set, in both precisions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/bench/bench_ops.h"
#include "kernels/bench/swarm.h"
#include "bench/claims.h"
#include "kernels/backends/backends.h"
#include "support/tap.h"
#include "support/variants.h"

enum { PARTICLES = 64, COMPONENTS = SLUICE_SWARM_COMPONENTS, ITERATIONS = 1500 };

struct swarm {
    struct sluice_backend b;
    const struct sluice_bench_ops *ops;
    struct sluice_swarm s;
    void *x; /* host memory */
};

static void must(sluice_status status)
{
    if (status == SLUICE_OK)
        return;
    printf("Bail out! %s\n", sluice_message());
    exit(1);
}

static size_t bytes_of(const struct swarm *w, int64_t reals)
{
    return (size_t)(reals * w->b.real_bytes);
}

static void open_swarm(struct swarm *w, const struct variant *on, int real_bytes)
{
    const struct sluice_backend_choice choice = {
        .name = on->backend, .isa = on->isa, .real_bytes = real_bytes, .threads = 2};
    const size_t bytes = (size_t)PARTICLES * COMPONENTS * (size_t)real_bytes;
    memset(w, 0, sizeof *w);
    must(sluice_backend_open(&w->b, &choice));
    w->ops = sluice_bench_ops_find(&w->b);
    w->s.count = PARTICLES;
    w->s.dt = 0.25;
    w->s.keep = 1;
    w->x = malloc(bytes);
    void **const arrays[] = {&w->s.x, &w->s.v, &w->s.best, &w->s.value, &w->s.lead};
    for (int k = 0; k < 5; k++)
        must(w->b.ops->alloc(&w->b, bytes, arrays[k]));
}

static void close_swarm(struct swarm *w)
{
    void *const arrays[] = {w->s.x, w->s.v, w->s.best, w->s.value, w->s.lead};
    for (int k = 0; k < 5; k++)
        w->b.ops->free(&w->b, arrays[k]);
    sluice_backend_close(&w->b);
    free(w->x);
}

static void work(struct swarm *w, int layout, enum sluice_swarm_work what)
{
    w->s.layout = (enum sluice_swarm_layout)layout;
    w->s.work = what;
    must(w->ops->swarm(&w->b, &w->s));
}

/* The bits of component c of particle i. */
static const char *real_of(const struct swarm *w, int layout, int64_t i, int c)
{
    const int64_t at = swarm_place(sluice_swarm_shapes[layout].chunk,
                                   sluice_swarm_shapes[layout].stride, PARTICLES, i, c);
    return (const char *)w->x + bytes_of(w, at);
}

/* Positions are v dt k further than at the start, in a layout's own places. */
static void check_drift(struct swarm *w, int layout, char *kept, const char *on)
{
    const int components = sluice_swarm_shapes[layout].components == 4
                               ? 3
                               : sluice_swarm_shapes[layout].components;
    int same = 1, right = 1;
    work(w, layout, SLUICE_SWARM_START);
    for (int k = 0; k < 2; k++)
        work(w, layout, SLUICE_SWARM_DRIFT);
    must(w->b.ops->download(&w->b, w->x, w->s.x, bytes_of(w, PARTICLES * COMPONENTS)));
    for (int64_t i = 0; i < PARTICLES; i++)
        for (int c = 0; c < components; c++) {
            const char *found = real_of(w, layout, i, c);
            char *first = kept + bytes_of(w, i * COMPONENTS + c);
            float x, v;
            swarm_start(i, c, &x, &v);
            right &= fabs(sluice_real_at(found, w->b.real_bytes, 0) - (double)x - 0.5 * (double)v) <
                     1e-6;
            if (layout == 0 || (layout == SLUICE_SWARM_NAIVE && c >= 3))
                memcpy(first, found, (size_t)w->b.real_bytes);
            same &= memcmp(first, found, (size_t)w->b.real_bytes) == 0;
        }
    ok(right, "%s, %s: a drift adds v dt", on, sluice_swarm_shapes[layout].name);
    ok(same, "%s, %s: the same bits as in other layouts", on, sluice_swarm_shapes[layout].name);
}

static double lead_at(const struct swarm *w, const char *lead, int c)
{
    return sluice_real_at(lead, w->b.real_bytes, c);
}

/* Moves the swarm; `lead` gets the best place and its value. */
static void search(struct swarm *w, int layout, int iterations, char *lead, double *begun)
{
    work(w, layout, SLUICE_SWARM_START);
    work(w, layout, SLUICE_SWARM_LEAD);
    for (int k = 0; k < iterations; k++) {
        w->s.moment = (uint64_t)k;
        work(w, layout, SLUICE_SWARM_MOVE);
        work(w, layout, SLUICE_SWARM_LEAD);
        if (k == 0) {
            must(w->b.ops->download(&w->b, lead, w->s.lead, bytes_of(w, COMPONENTS + 1)));
            *begun = lead_at(w, lead, COMPONENTS);
        }
    }
    must(w->b.ops->download(&w->b, lead, w->s.lead, bytes_of(w, COMPONENTS + 1)));
}

static void check_search(struct swarm *w, int iterations, const char *on)
{
    char first[8 * (COMPONENTS + 1)], lead[8 * (COMPONENTS + 1)];
    double begun = 0, value = 0;
    for (int layout = SLUICE_SWARM_NAIVE; layout < SLUICE_SWARM_LAYOUT_COUNT; layout++) {
        const int shown = layout == SLUICE_SWARM_NAIVE;
        search(w, layout, iterations, shown ? first : lead, &begun);
        if (!shown)
            ok(memcmp(first, lead, bytes_of(w, COMPONENTS + 1)) == 0,
               "%s, %s: the same best place, to the bit", on, sluice_swarm_shapes[layout].name);
    }
    for (int c = 0; c < COMPONENTS; c++) {
        const double off = lead_at(w, first, c) - 0.25 * (c % 7 - 3);
        value += off * off;
    }
    ok(fabs(value - lead_at(w, first, COMPONENTS)) <= 1e-5 * value, "%s: its value is right", on);
    diag("%s: the best of the first iteration %.3g, of %d iterations %.3g", on, begun, iterations,
         value);
    ok(begun > 50 && value < begun * (iterations > 100 ? 1e-3 : 0.9), "%s: it finds the minimum",
       on);
}

int main(void)
{
    struct variant variants[VARIANTS_MOST];
    const int count = variants_here(variants);
    for (int k = 0; k < count; k++)
        for (int real_bytes = 4; real_bytes <= 8; real_bytes += 4) {
            struct swarm w;
            char on[96];
            char *kept = malloc((size_t)PARTICLES * COMPONENTS * (size_t)real_bytes);
            snprintf(on, sizeof on, "%.64s, %s", variants[k].name,
                     real_bytes == 4 ? "float" : "double");
            open_swarm(&w, &variants[k], real_bytes);
            for (int layout = 0; layout < SLUICE_SWARM_LAYOUT_COUNT; layout++)
                check_drift(&w, layout, kept, on);
            check_search(&w, strcmp(variants[k].backend, "emulated") == 0 ? 20 : ITERATIONS, on);
            close_swarm(&w);
            free(kept);
        }
    return done_testing();
}
