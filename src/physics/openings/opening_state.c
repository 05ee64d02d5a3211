/* What openings give their columns: from the keys, and from what the gauges have measured. */
#include <math.h>

#include "core/vector.h"
#include "kernels/registry.h"
#include "physics/openings/openings.h"

/* A gauge with less weight than this part of a full one is dry. */
#define DRY 0.1

double opening_sum(const struct openings *o, const struct opening *of, enum opening_term term)
{
    enum { CHAINS = 8 }; /* of additions that do not wait for each other */
    const double *value = o->sum + (int64_t)term * o->columns + of->first;
    double sum[CHAINS] = {0};
    for (int c = 0; c < opening_columns_of(of); c++)
        sum[c % CHAINS] += value[c];
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

/* --- Gauges --- */

/* The weights of a full gauge: the mean of (1 - q)^2 over its strip is 1/3. */
static double full_weight(const struct openings *o, const struct opening *of, int dimension)
{
    const double strip = o->box[of - o->opening].strip;
    return strip / of->spacing / 3 * pow(of->across, dimension - 1);
}

/* The head at the face, by the straight line that fits best in the strip of a column. */
static double head_at_face(const double *sum, int64_t columns)
{
    const double w = sum[OPENING_W * columns], ws = sum[OPENING_WS * columns],
                 wss = sum[OPENING_WSS * columns], we = sum[OPENING_WE * columns],
                 determinant = w * wss - ws * ws;
    if (determinant < 0.01 * w * wss)
        return we / w;
    return (wss * we - ws * sum[OPENING_WSE * columns]) / determinant;
}

void openings_take(struct openings *o, const struct sluice_physics *p)
{
    const int64_t columns = o->columns;
    for (int i = 0; i < o->count; i++) {
        const struct opening *of = &o->opening[i];
        const double full = full_weight(o, of, p->wcsph.dimension);
        for (int c = of->first; c < of->first + opening_columns_of(of); c++) {
            const double *sum = o->sum + c, w = sum[OPENING_W * columns];
            struct opening_measured *to = &o->measured[c];
            *to = (struct opening_measured){.weight = w / full,
                                            .mass = sum[OPENING_MASS * columns],
                                            .held = sum[OPENING_HELD * columns]};
            if (!(to->weight > DRY)) {
                to->weight = 0;
                continue;
            }
            to->velocity = sum[OPENING_WU * columns] / w * p->wcsph.sound_speed;
            to->head = head_at_face(sum, columns);
        }
    }
}

static void read_gauges(const struct openings *o, const struct opening *of,
                        const struct wcsph_params *water, double dt)
{
    const double strip = o->box[of - o->opening].strip,
                 late = of->keys->absorb ? strip / 4 : 4 * strip, /* sound must be seen at once */
        take = o->known ? fmin(1, dt * water->sound_speed / late) : 1;
    for (int c = of->first; c < of->first + opening_columns_of(of); c++) {
        const struct opening_measured *now = &o->measured[c];
        const struct opening_gauge *before = &o->gauge[c];
        struct opening_gauge *seen = &o->seen[c];
        *seen = (struct opening_gauge){now->weight, now->velocity, now->head, now->mass};
        if (take == 1 || !(now->weight > 0) || !(before->weight > 0))
            continue;
        seen->velocity = before->velocity + take * (now->velocity - before->velocity);
        seen->head = before->head + take * (now->head - before->head);
    }
}

enum { REACH = 3 }; /* of the smoothing, in gauges */

/* The value at 0 of the parabola that fits best to v at the places -REACH to REACH, with weights w;
 * of fewer than four places that of the straight line, of one its own. */
static double smoothed(const double w[2 * REACH + 1], const double v[2 * REACH + 1])
{
    double m[5] = {0}, f[3] = {0};
    int places = 0;
    for (int k = -REACH; k <= REACH; k++) {
        double power = w[k + REACH];
        places += power > 0;
        for (int n = 0; n < 5; n++, power *= k) {
            m[n] += power;
            if (n < 3)
                f[n] += power * v[k + REACH];
        }
    }
    const double line = m[0] * m[2] - m[1] * m[1],
                 c[3] = {m[2] * m[4] - m[3] * m[3], m[2] * m[3] - m[1] * m[4],
                         m[1] * m[3] - m[2] * m[2]},
                 all = m[0] * c[0] + m[1] * c[1] + m[2] * c[2];
    if (places >= 4 && all > 0)
        return (c[0] * f[0] + c[1] * f[1] + c[2] * f[2]) / all;
    return places >= 2 && line > 0 ? (m[2] * f[0] - m[1] * f[1]) / line : v[REACH];
}

/* Smooths the velocities of the gauges along an edge, so that columns do not shear into one
 * another; a parabola stays what it is (Savitzky & Golay 1964). Even weights have fixed
 * coefficients. */
static void smooth_along(struct openings *o, const struct opening *of, int edge)
{
    enum { PLACES = 2 * REACH + 1 };
    const int stride = edge ? of->columns[0] : 1, n = of->columns[edge],
              lines = opening_columns_of(of) / n;
    double even[PLACES], part[PLACES];
    for (int d = 0; d < PLACES; d++)
        part[d] = 1 - pow((double)(d - REACH) / (REACH + 1), 2);
    for (int d = 0; d < PLACES; d++) {
        double one[PLACES] = {0};
        one[d] = 1;
        even[d] = smoothed(part, one);
    }
    for (int line = 0; line < lines; line++) {
        struct opening_gauge *first = &o->seen[of->first + (edge ? line : line * of->columns[0])];
        for (int k = 0; k < n; k++) {
            double w[PLACES], v[PLACES], least = INFINITY, most = 0;
            for (int d = 0; d < PLACES; d++) {
                const int at = k + d - REACH, inside = at >= 0 && at < n;
                const struct opening_gauge *gauge = &first[inside ? (int64_t)at * stride : 0];
                w[d] = inside ? gauge->weight : 0;
                v[d] = inside ? gauge->velocity : 0;
                least = w[d] < least ? w[d] : least;
                most = w[d] > most ? w[d] : most;
            }
            o->line[k] = 0;
            if (least > 0.8 * most) {
                for (int d = 0; d < PLACES; d++)
                    o->line[k] += even[d] * v[d];
                continue;
            }
            for (int d = 0; d < PLACES; d++)
                w[d] *= part[d];
            if (w[REACH] > 0)
                o->line[k] = smoothed(w, v);
        }
        for (int k = 0; k < n; k++)
            first[(int64_t)k * stride].velocity = o->line[k];
    }
}

/* Whether each column follows the velocity of the water before it. */
static int follows(const struct opening *of)
{
    return of->keys->kind == SLUICE_OPENING_OUTLET && !opening_gives(of, OPENING_VELOCITY) &&
           !opening_gives(of, OPENING_DISCHARGE);
}

/* The mean of an opening's gauges. */
static struct opening_gauge mean_of(const struct openings *o, const struct opening *of)
{
    struct opening_gauge mean = {0};
    for (int k = 0; k < opening_columns_of(of); k++) {
        const struct opening_gauge *seen = &o->seen[of->first + k];
        mean.weight += seen->weight;
        mean.velocity += seen->weight * seen->velocity;
        mean.head += seen->weight * seen->head;
        mean.mass += seen->mass;
    }
    if (mean.weight > 0) {
        mean.velocity /= mean.weight;
        mean.head /= mean.weight;
    }
    return mean;
}

/* --- Columns --- */

/* The rise from 0 to 1 of what begins at `start` (s^3 (10 - 15 s + 6 s^2)). */
static double rise(const struct opening *of, double time)
{
    const double begun = time - of->keys->start,
                 s = of->keys->ramp > 0 ? fmax(0, fmin(1, begun / of->keys->ramp)) : begun >= 0;
    return s * s * s * (10 - 15 * s + 6 * s * s);
}

/* What an opening gives all of its columns. */
struct given {
    double velocity, head, surface; /* INFINITY: not given; the height up to which columns hold */
};

static struct given given_by(const struct opening *of, const struct sluice_physics *p, double time)
{
    const struct wcsph_params *water = &p->wcsph;
    const double c2 = water->sound_speed * water->sound_speed,
                 level = opening_given(of, OPENING_LEVEL, time),
                 pressure = opening_given(of, OPENING_PRESSURE, time),
                 g = sluice_norm(water->gravity);
    struct given to = {opening_given(of, OPENING_VELOCITY, time) * rise(of, time), INFINITY,
                       INFINITY};
    if (!isfinite(opening_given(of, OPENING_VELOCITY, time)))
        to.velocity = INFINITY;
    if (isfinite(level)) {
        to.head = g * (level - opening_height(water, of->corner)) / c2;
        to.surface = level;
    }
    if (isfinite(of->keys->depth))
        to.surface = of->low + of->keys->depth;
    if (isfinite(pressure)) {
        to.head = sluice_wcsph_head(water, sluice_wcsph_relative_density(water, pressure));
        for (int c = 0; c < water->dimension; c++)
            to.head -= water->gravity[c] * (of->centre[c] - of->corner[c]) / c2;
    }
    return to;
}

/* Whether a column has water. Outlets take whatever comes. At the start those up to the surface
 * have; later one fills when the surface covers it, and empties when it is bare: rows would come
 * and go with each ripple. */
static int is_wet(const struct openings *o, const struct opening *of, const struct given *to, int c)
{
    const int held = o->column[of->first + c].rule == OPENING_HOLDS;
    if (of->keys->kind == SLUICE_OPENING_OUTLET || !of->has_surface || !isfinite(to->surface))
        return 1;
    return of->height[c] < to->surface + (!o->known ? 0 : held ? 0.5 : -0.5) * of->size;
}

/* The columns that have water. */
struct wet {
    int count;
    double profile; /* their mean */
};

static struct wet find_wet(const struct openings *o, const struct opening *of,
                           const struct given *to)
{
    struct wet wet = {0, 0};
    for (int c = 0; c < opening_columns_of(of); c++)
        if (!o->column[of->first + c].closed && is_wet(o, of, to, c)) {
            wet.count++;
            wet.profile += of->profile[c];
        }
    wet.profile = wet.profile > 0 ? wet.profile / wet.count : 1;
    return wet;
}

/* As the precision of the run holds it. */
static double rounded(double x, int real_bytes)
{
    return real_bytes == 4 ? (double)(float)x : x;
}

/* The height up to which columns hold, m. */
static double held_to(const struct openings *o, const struct opening *of)
{
    double top = of->low;
    for (int c = 0; c < opening_columns_of(of); c++)
        if (o->column[of->first + c].rule == OPENING_HOLDS)
            top = fmax(top, of->height[c] + of->size / 2);
    return top;
}

/* By how much the surface by the pressure rises if that of the columns rises by 1: u/c where the
 * velocity is given, its square where the discharge is, c = sqrt(g depth). For water that comes
 * deeper sends a wave inside, which pushes back (docs/theory.md, "Openings"). A supercritical
 * stream hears nothing from inside: 0. */
static double push_back(const struct opening *of, double velocity, double c)
{
    const double froude = velocity / c, least = 0.2; /* of 1 less the push */
    if (!(froude > 0) || froude >= 1)
        return 0;
    return fmin(1 - least, opening_gives(of, OPENING_DISCHARGE) ? froude * froude : froude);
}

/* The height up to which columns carry the water inside: there the surface in front of the opening,
 * by its pressure, is as high as that of the columns. */
static void read_level(struct openings *o, const struct opening *of,
                       const struct wcsph_params *water, const struct opening_gauge *mean,
                       double dt)
{
    struct opening_totals *totals = &o->totals[of - o->opening];
    const double g = sluice_norm(water->gravity), c0 = water->sound_speed,
                 now = g > 0 && mean->weight > 0
                           ? opening_height(water, of->corner) + mean->head * c0 * c0 / g
                           : of->low,
                 depth = fmax(totals->level - of->low, of->spacing);
    if (!o->known || !(g > 0)) {
        totals->level = now;
        return;
    }
    totals->level += fmin(1, 2 * dt / sqrt(depth / g)) *
                     (now - totals->level +
                      push_back(of, mean->velocity, sqrt(g * depth)) *
                          (totals->level - held_to(o, of)));
}

/* In what time the means follow that let slow changes pass where an opening absorbs sound, s. Sound
 * of four lengths of the domain still leaves. */
static double slow_time(const struct opening *of, const struct sluice_physics *p)
{
    double longest = 0;
    for (int a = 0; a < p->wcsph.dimension; a++)
        longest = fmax(longest, p->config->domain.max[a] - p->config->domain.min[a]);
    return fmin(20 * of->columns[0] * of->size, 4 * longest) / p->wcsph.sound_speed;
}

static void set_columns(struct openings *o, const struct opening *of,
                        const struct sluice_physics *p, double time, double dt, int real_bytes)
{
    const struct wcsph_params *water = &p->wcsph;
    const double c0 = water->sound_speed;
    const struct opening_gauge mean = mean_of(o, of);
    struct opening_totals *totals = &o->totals[of - o->opening];
    struct given to = given_by(of, p, time);
    read_level(o, of, water, &mean, dt);
    if (!isfinite(to.surface) && of->starts_wet)
        to.surface = totals->level;
    const double discharge = opening_given(of, OPENING_DISCHARGE, time);
    const struct wet wet = find_wet(o, of, &to);
    if (isfinite(discharge))
        to.velocity = wet.count > 0 ? discharge * rise(of, time) /
                                          (wet.count * opening_column_area(of, water))
                                    : 0;
    const int flows = isfinite(to.velocity), presses = isfinite(to.head);
    if (of->keys->absorb && mean.weight > 0) {
        const double now = flows ? mean.head : mean.velocity;
        totals->mean += (o->known ? fmin(1, dt / slow_time(of, p)) : 1) * (now - totals->mean);
    }
    for (int c = 0; c < opening_columns_of(of); c++) {
        const struct opening_column *column = &o->column[of->first + c];
        struct opening_row *next = &o->next[of->first + c];
        next->velocity = next->head = 0;
        next->rule = OPENING_FREE;
        if (column->closed)
            continue;
        /* Where all gauges are dry, what is left in the buffer goes on as before. */
        const struct opening_gauge *gauge = &o->seen[of->first + c],
                                   last = {0, o->row[of->first + c].velocity,
                                           o->row[of->first + c].head, 0},
                                   *near = gauge->weight > 0 ? gauge
                                           : mean.weight > 0 ? &mean
                                                             : &last;
        const int is = is_wet(o, of, &to, c);
        const double part = of->profile[c] / wet.profile; /* of the mean velocity */
        double velocity = opening_has_heights(of)
                              ? opening_velocity_at(of, time, opening_column_height(of, water, c)) *
                                    rise(of, time)
                          : flows ? to.velocity * part
                          : of->keys->kind == SLUICE_OPENING_OUTLET || near == &last
                              ? near->velocity
                              : mean.velocity * part,
               head = presses ? to.head : near->head;
        if (of->keys->absorb && flows && !presses)
            velocity -= c0 * (near->head - totals->mean);
        if (of->keys->absorb && presses && !flows)
            head -= (near->velocity - totals->mean) / c0;
        if (of->keys->kind == SLUICE_OPENING_INLET)
            velocity = fmax(velocity, 0);
        if (of->keys->kind == SLUICE_OPENING_OUTLET)
            velocity = fmin(velocity, 0);
        if (presses && !flows && velocity > 0) /* a level is that of water at rest outside */
            head -= velocity * velocity / (2 * c0 * c0);
        next->velocity = is ? rounded(velocity, real_bytes) : 0;
        next->head = head;
        next->rule = is ? OPENING_HOLDS : OPENING_RETIRES;
    }
}

void openings_read(struct openings *o, const struct sluice_physics *p, double time, double dt,
                   int real_bytes)
{
    for (int i = 0; i < o->count; i++) {
        read_gauges(o, &o->opening[i], &p->wcsph, dt);
        for (int edge = 0; edge < p->wcsph.dimension - 1 && follows(&o->opening[i]); edge++)
            smooth_along(o, &o->opening[i], edge);
        set_columns(o, &o->opening[i], p, time, dt, real_bytes);
    }
}
