/* Where the waves of a maker run, and places that they do not come to. */
#include <math.h>
#include <stdlib.h>

#include "case/case.h"

/* In spacings. ABOVE: the lines run so much above the water at rest, so that a step that ends at
 * its surface is no reflector. TOUCH: a line is that deep in a wall that it has met. LEAST: a step
 * along a line. START: of a line, before the paddle. SLOPE: how far beyond the water's last
 * particle its surface may meet a slope. */
#define ABOVE 0.02
#define TOUCH 0.002
#define LEAST 0.02
#define START 0.5
#define SLOPE 40.0
/* Of 3-D, and the spacings from one to the next. */
enum { LINES = 15, APART = 4 };
/* A paddle's stroke is less than so many depths. */
#define LONGEST_STROKE 4.0

/* --- Lines --- */

/* What the lines of a run look at. */
struct lines {
    const struct sluice_case *c;
    const struct sluice_wave_run *r;
    int motion;             /* whose walls are left out */
    double low[3], high[3]; /* the box around all lines, m */
};

static int is_wall(const struct sluice_shape *shape)
{
    return (shape->type == SLUICE_SHAPE_WALL && !shape->body) || shape->kind == SLUICE_SHAPE_WALLS;
}

/* Whether a shape can be on a line, or cut one that is. */
static int may_meet(const struct lines *l, int s)
{
    const struct sluice_shape *shape = &l->c->config->shapes[s];
    const struct sluice_solid *solid = &l->c->geometry.solid[s];
    int meets = shape->type != SLUICE_SHAPE_PART && !shape->body &&
                sluice_config_mover(l->c->config, s) != l->motion;
    for (int a = 0; a < l->c->config->dimension && shape->kind != SLUICE_SHAPE_WALLS; a++)
        meets &= solid->low[a] <= l->high[a] && solid->high[a] >= l->low[a];
    return meets;
}

/* The distance from a shape; of walls of the domain, from that at the end of the lines. */
static double distance_to(const struct lines *l, int s, const double x[3], double way[3])
{
    const struct sluice_geometry *g = &l->c->geometry;
    const struct sluice_shape *shape = &l->c->config->shapes[s];
    const unsigned ahead = 1u << (2 * l->r->axis + (l->r->sense > 0));
    if (shape->kind != SLUICE_SHAPE_WALLS)
        return sluice_geometry_distance(g, s, x, way);
    return shape->sides & ahead ? sluice_geometry_sides_distance(g, ahead, x, way) : INFINITY;
}

/* The distance from the walls, m: later shapes cut those before them. *shape: the nearest wall;
 * *steep: its surface there is steeper than 45 degrees. */
static double distance_at(const struct lines *l, const double x[3], int *shape, int *steep)
{
    const struct sluice_config *config = l->c->config;
    double least = INFINITY;
    *shape = -1;
    *steep = 0;
    for (int s = 0; s < config->shape_count; s++) {
        double way[3] = {0};
        if (!may_meet(l, s))
            continue;
        const int wall = is_wall(&config->shapes[s]);
        const double near = sluice_geometry_box_distance(&l->c->geometry, s, x);
        if (wall ? near >= least : near > 0 || *shape < 0)
            continue;
        const double d = distance_to(l, s, x, way);
        if (wall && d < least) {
            least = d;
            *shape = s;
            *steep = fabs(way[l->r->axis]) > sqrt(0.5) * fabs(d);
        } else if (!wall)
            least = fmax(least, -d);
    }
    return least;
}

/* A line's way to the first wall, m; INFINITY: it meets none. */
struct met {
    double way;
    int shape, steep;
};

static struct met follow(const struct lines *l, double across)
{
    const struct sluice_wave_run *r = l->r;
    const int up = l->c->config->dimension - 1;
    const double dp = l->c->config->spacing, water = r->sense * (r->end - r->face);
    const struct met none = {INFINITY, -1, 0};
    double x[3] = {0};
    x[!r->axis] = across;
    x[up] = l->low[up];
    for (double gone = START * dp; gone < water + SLOPE * dp;) {
        struct met met;
        int seen = -1;
        x[r->axis] = r->face + r->sense * gone;
        const double d = distance_at(l, x, &met.shape, &met.steep);
        if (d < -TOUCH * dp) {
            met.way = gone + d;
            x[r->axis] -= r->sense * 0.2 * dp;
            distance_at(l, x, &seen, &met.steep);
            return met.way < water + dp || !met.steep ? met : none;
        }
        gone += fmax(d, LEAST * dp);
    }
    return none;
}

static int by_way(const void *one, const void *other)
{
    const double a = ((const struct met *)one)->way, b = ((const struct met *)other)->way;
    return (a > b) - (a < b);
}

/* The shape that is the paddle of a motion; -1: there is none. */
static int paddle_of(const struct sluice_case *c, int motion)
{
    for (int s = 0; s < c->config->shape_count; s++)
        if (sluice_motions_find(c->config, c->config->shapes[s].motion) == motion)
            return s;
    return -1;
}

int sluice_case_wave_run(const struct sluice_case *c, int motion, struct sluice_wave_run *r)
{
    double to[2];
    sluice_motions_wave_direction(&c->physics.motions, motion, to);
    r->axis = fabs(to[1]) > 0.5;
    r->sense = to[r->axis] < 0 ? -1 : 1;
    r->reflector = -1;
    r->is_steep = 0;
    const int paddle = paddle_of(c, motion);
    if (c->geometry.solid == NULL || to[!r->axis] != 0 || paddle < 0)
        return 0;
    const struct sluice_solid *solid = &c->geometry.solid[paddle];
    r->face = r->sense < 0 ? solid->low[r->axis] : solid->high[r->axis];
    r->end = r->sense < 0 ? c->fluid_low[r->axis] : c->fluid_high[r->axis];
    return isfinite(r->face);
}

/* The lines of a run lie before its paddle, in the water. Returns how many there are. */
static int make_lines(struct lines *l)
{
    const struct sluice_case *c = l->c;
    const struct sluice_wave_run *r = l->r;
    const struct sluice_solid *paddle = &c->geometry.solid[paddle_of(c, l->motion)];
    const int up = c->config->dimension - 1, across = !r->axis;
    const double dp = c->config->spacing;
    l->low[r->axis] = fmin(r->face, r->end) - SLOPE * dp;
    l->high[r->axis] = fmax(r->face, r->end) + SLOPE * dp;
    l->low[up] = l->high[up] = c->fluid_high[up] + ABOVE * dp;
    if (up == 1)
        return 1;
    l->low[across] = fmax(paddle->low[across], c->fluid_low[across]);
    l->high[across] = fmin(paddle->high[across], c->fluid_high[across]);
    const double width = l->high[across] - l->low[across];
    return width > 0 ? (int)fmin(LINES, 1 + width / (APART * dp)) : 0;
}

int sluice_case_wave_reflection(const struct sluice_case *c, int motion, struct sluice_wave_run *r)
{
    if (!sluice_case_wave_run(c, motion, r))
        return 0;
    struct lines l = {.c = c, .r = r, .motion = motion};
    struct met met[LINES];
    const int n = make_lines(&l), across = !r->axis;
    for (int i = 0; i < n; i++)
        met[i] = follow(&l, l.low[across] + (i + 0.5) / n * (l.high[across] - l.low[across]));
    qsort(met, (size_t)n, sizeof *met, by_way);
    if (n == 0 || isinf(met[n / 2].way))
        return 1;
    r->end = r->face + r->sense * met[n / 2].way;
    r->reflector = met[n / 2].shape;
    r->is_steep = met[n / 2].steep;
    return 1;
}

const char *sluice_case_reflector_title(const struct sluice_case *c,
                                        const struct sluice_wave_run *r, char *text, int size)
{
    if (r->reflector < 0)
        snprintf(text, (size_t)size, "the water's end");
    else if (c->config->shapes[r->reflector].name[0])
        snprintf(text, (size_t)size, "'%s'", c->config->shapes[r->reflector].name);
    else
        sluice_geometry_title(c->config, r->reflector, text, size);
    return text;
}

/* --- Gauges --- */

struct sluice_paddle_path sluice_case_paddle_path(const struct sluice_case *c, int motion)
{
    const struct sluice_wave_maker *w = &c->physics.motions.maker[motion];
    const double end = fmin(c->config->time.end, sluice_wave_maker_end(w));
    const int64_t samples = sluice_wave_maker_samples(w, end);
    struct sluice_paddle_path p = {0};
    for (int64_t i = 0; i <= samples; i++) {
        double x, v, a;
        sluice_wave_maker_at(w, end * (double)i / (double)samples, &x, &v, &a);
        p.low = fmin(p.low, x);
        p.high = fmax(p.high, x);
        p.speed = fmax(p.speed, fabs(v));
        p.acceleration = fmax(p.acceleration, fabs(a));
    }
    return p;
}

enum sluice_gauge_place sluice_case_gauge_place(const struct sluice_case *c, int motion,
                                                const struct sluice_wave_run *r, const double x[3],
                                                int *shape)
{
    const int up = c->config->dimension - 1;
    const double dp = c->config->spacing, way = r->sense * (x[r->axis] - r->face);
    struct lines l = {.c = c, .r = r, .motion = motion};
    double at[3] = {x[0], x[1], x[2]};
    int steep;
    at[up] = c->fluid_high[up] + ABOVE * dp;
    for (int a = 0; a < 3; a++)
        l.low[a] = l.high[a] = at[a];
    if (way < 0)
        return SLUICE_GAUGE_BEHIND_PADDLE;
    if (distance_at(&l, at, shape, &steep) < TOUCH * dp)
        return SLUICE_GAUGE_IN_WALL;
    if (way < LONGEST_STROKE * c->physics.motions.maker[motion].of->depth &&
        way < sluice_case_paddle_path(c, motion).high)
        return SLUICE_GAUGE_IN_STROKE;
    return r->reflector >= 0 && way > r->sense * (r->end - r->face) + TOUCH * dp
               ? SLUICE_GAUGE_BEHIND_REFLECTOR
               : SLUICE_GAUGE_OPEN;
}

/* --- Log --- */

void sluice_case_log_waves(const struct sluice_case *c, struct sluice_log *log)
{
    for (int i = 0; i < c->config->motion_count; i++) {
        struct sluice_wave_run r;
        char title[2 * SLUICE_TEXT_MAX];
        if (c->config->motions[i].kind != SLUICE_MOTION_WAVE ||
            !sluice_case_wave_reflection(c, i, &r))
            continue;
        sluice_log_detail(log, "waves of '%s': from %c = %.9g m to %s at %c = %.9g m",
                          c->config->motions[i].name, "xy"[r.axis], r.face,
                          sluice_case_reflector_title(c, &r, title, sizeof title), "xy"[r.axis],
                          r.end);
    }
}
