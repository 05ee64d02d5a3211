/* The sweeps of packing. */
#include <math.h>
#include <string.h>

#include "core/vector.h"
#include "fit/pack_internal.h"

enum { BLOCK = 512, CHUNK = 64 };
static const double close = 0.95, apart_close = 0.9, /* range of the short force, dp */
    most_step = 0.2, calm = 2e-5;                    /* dp */

/* g(q) and -g'(q). */
static double push(double q)
{
    const double t = 1 - q;
    return t > 0 ? q * t * t * t : 0;
}

static double stiffness(double q)
{
    const double t = 1 - q;
    return t > 0 ? t * t * (4 * q - 1) : 0;
}

/* lambda = pace dp/S, where S bounds the change of the sum of forces with a point's place on a
 * lattice: no wave of the lattice grows at a pace up to 1 + momentum. */
static void set_lambda(struct sluice_pack *p)
{
    const double reach = p->reach / p->spacing;
    const int most = (int)reach + 1,
              wide[3] = {most, p->manifold > 1 ? most : 0, p->manifold > 2 ? most : 0};
    double sum = 0;
    for (int z = -wide[2]; z <= wide[2]; z++)
        for (int y = -wide[1]; y <= wide[1]; y++)
            for (int x = -wide[0]; x <= wide[0]; x++) {
                const double r2 = x * x + y * y + z * z, r = sqrt(r2);
                if (r2 == 0)
                    continue;
                sum += fabs(stiffness(r / reach)) / reach * x * x / r2 +
                       push(r / reach) / r * (1 - x * x / r2);
            }
    p->lambda = p->pace * p->spacing / sum;
}

/* --- Sweeps --- */

struct sweep {
    struct sluice_pack *p;
    int number, apart;
};

/* The ways to some neighbours. */
struct ways {
    int count;
    double nearest;                                     /* m^2, of these */
    double x[CHUNK], y[CHUNK], z[CHUNK], square[CHUNK]; /* m, m^2 */
};

static void find_ways(const struct sluice_pack *p, const double from[3], const uint32_t *other,
                      struct ways *w)
{
    for (int k = 0; k < w->count; k++) {
        double way[3];
        sluice_pack_way(p, from, p->x[other[k]], way);
        w->x[k] = way[0];
        w->y[k] = way[1];
        w->z[k] = way[2];
    }
}

/* Most of the time of packing is spent here. A neighbour beyond the reach adds 0, so there is no
 * branch, and several are summed at once. */
static void sum_forces(const struct sluice_pack *p, struct ways *w, struct sluice_pack_action *sum)
{
    const double inverse = 1 / p->reach;
    double x = 0, y = 0, z = 0, nearest = INFINITY;
#pragma omp simd reduction(+ : x, y, z) reduction(min : nearest)
    for (int k = 0; k < w->count; k++) {
        const double r2 = w->x[k] * w->x[k] + w->y[k] * w->y[k] + w->z[k] * w->z[k],
                     q = sqrt(r2) * inverse, t = q < 1 ? 1 - q : 0, t3 = t * t * t;
        w->square[k] = r2;
        nearest = r2 < nearest ? r2 : nearest;
        x += t3 * w->x[k];
        y += t3 * w->y[k];
        z += t3 * w->z[k];
    }
    w->nearest = nearest;
    sum->force[0] -= inverse * x;
    sum->force[1] -= inverse * y;
    sum->force[2] -= inverse * z;
}

/* A moving neighbour takes its own part in moving apart. */
static void sum_apart(const struct sluice_pack *p, const struct ways *w, const uint32_t *other,
                      double range, struct sluice_pack_action *sum)
{
    for (int k = 0; k < w->count; k++) {
        if (w->square[k] >= range * range || w->square[k] == 0)
            continue;
        const double r = sqrt(w->square[k]),
                     share = (other[k] < p->fixed ? 0.5 : 0.35) * (range - r) / r;
        sum->apart[0] -= share * w->x[k];
        sum->apart[1] -= share * w->y[k];
        sum->apart[2] -= share * w->z[k];
    }
}

void sluice_pack_sum(const struct sluice_pack *p, int64_t i, double range,
                     struct sluice_pack_action *sum)
{
    struct ways w;
    const uint32_t *other = p->other + p->first[i];
    memset(sum, 0, sizeof *sum);
    for (uint32_t k = 0; k < p->near[i]; k += CHUNK) {
        const uint32_t left = p->near[i] - k;
        w.count = left < CHUNK ? (int)left : CHUNK;
        find_ways(p, p->x[p->fixed + i], other + k, &w);
        sum_forces(p, &w, sum);
        if (w.nearest < range * range)
            sum_apart(p, &w, other + k, range, sum);
    }
}

double sluice_pack_density(const struct sluice_pack *p, int64_t i)
{
    double density = 0, way[3];
    for (uint32_t k = 0; k < p->near[i]; k++) {
        const double r2 = sluice_pack_way(p, p->x[p->fixed + i], p->x[p->other[p->first[i] + k]],
                                          way),
                     q = sqrt(r2) / p->reach, t = 1 - q;
        density += r2 > 0 && t > 0 ? t * t * t * t * (1 + 4 * q) : 0;
    }
    return density;
}

static double square_between(const double a[3], const double b[3])
{
    const double v[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sluice_dot(v, v);
}

static void find_step(const struct sweep *s, int64_t i)
{
    const struct sluice_pack *p = s->p;
    double *step = p->step[i];
    struct sluice_pack_action sum;
    sluice_pack_sum(p, i, (s->apart ? apart_close : close) * p->spacing, &sum);
    for (int a = 0; a < 3; a++)
        step[a] = (s->apart ? 0 : p->lambda * sum.force[a] + p->momentum * step[a]) + sum.apart[a];
    const double length = sluice_norm(step), most = most_step * p->spacing;
    for (int a = 0; a < 3; a++)
        step[a] *= length > most ? most / length : length < 1e-9 * p->spacing ? 0 : 1;
}

/* Points that hardly moved are looked at in every fourth sweep only. */
static void find_steps(struct sluice_share *share, void *data)
{
    const struct sweep *s = data;
    const struct sluice_pack *p = s->p;
    int64_t first, last;
    while (sluice_share_block(share, p->count - p->fixed, BLOCK, &first, &last))
        for (int64_t i = first; i < last; i++)
            if (s->number % 4 == 0 || sluice_norm(p->step[i]) > calm * p->spacing)
                find_step(s, i);
            else
                memset(p->step[i], 0, sizeof p->step[i]);
}

static void take_steps(struct sluice_share *share, void *data)
{
    const struct sweep *s = data;
    struct sluice_pack *p = s->p;
    int64_t first, last;
    while (sluice_share_block(share, p->count - p->fixed, BLOCK, &first, &last))
        for (int64_t i = first; i < last; i++) {
            struct sluice_pack_point *point = &p->point[p->fixed + i];
            double *step = p->step[i];
            const double from[3] = {point->x[0], point->x[1], point->x[2]};
            if (step[0] == 0 && step[1] == 0 && step[2] == 0)
                continue;
            p->hold(p->data, point, step);
            for (int a = 0; a < 3; a++)
                step[a] = point->x[a] - from[a];
            memcpy(p->x[p->fixed + i], point->x, sizeof point->x);
        }
}

sluice_status sluice_pack_relax(struct sluice_pack *p, int sweeps, int apart)
{
    const int64_t moving = p->count - p->fixed, blocks = sluice_blocks(moving, BLOCK);
    struct sweep s = {p, 0, apart};
    set_lambda(p);
    for (int n = 0; n < sweeps && moving > 0; n++) {
        double most2 = 0, went2 = 0;
        sluice_waiting_report(p->waiting, "%s: spreading %lld particles", p->what,
                              (long long)moving);
        SLUICE_TRY(sluice_pack_list_if_needed(p));
        s.number = p->listed == 1 ? 0 : n; /* all of them after a new list */
        p->listed = 2;
        sluice_threads_run(p->team, blocks, find_steps, &s);
        sluice_threads_run(p->team, blocks, take_steps, &s);
        for (int64_t i = 0; i < moving; i++) {
            const double step2 = sluice_dot(p->step[i], p->step[i]),
                         way2 = square_between(p->x[p->fixed + i], p->was[i]);
            most2 = step2 > most2 ? step2 : most2;
            went2 = way2 > went2 ? way2 : went2;
        }
        p->went = sqrt(went2);
        if (most2 < 1e-8 * p->spacing * p->spacing)
            break;
    }
    return SLUICE_OK;
}
