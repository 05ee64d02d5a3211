/* Warns of motions that are hardly meant: a wall that runs into another one, a start with a jump of
 * speed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "case/builder.h"
#include "core/allocate.h"

enum { TIMES = 400, MOST_TIMES = 4000, POINTS = 1000, CELLS = 200000 };
/* Of points of a surface, in spacings: those APART from a wall at the start are in it TOUCH deep,
 * others RUB deep. */
#define APART 0.75
#define TOUCH 0.01
#define RUB   1.5

/* A sine or a table that begins in the middle of its motion; a steady motion is meant to. */
static void warn_of_jump(struct sluice_case_builder *b, int motion)
{
    const struct sluice_motion *m = &b->config->motions[motion];
    char title[4 * SLUICE_TEXT_MAX];
    if (m->kind != SLUICE_MOTION_SINE && m->kind != SLUICE_MOTION_TABLE)
        return;
    const struct sluice_motion_peaks peaks = sluice_case_motion_peaks(b->c, motion);
    if (!(peaks.start > 0.1 * peaks.speed))
        return;
    sluice_warn(&b->warnings,
                "motions: %s start with a jump of speed: 0 before t = 0, %.3g m/s at t = 0, of "
                "%.3g m/s at most; the water gets a blow. %s",
                sluice_case_motion_title(b->c, motion, title, sizeof title), peaks.start,
                peaks.speed,
                m->kind == SLUICE_MOTION_SINE ? "phase = -1.5707963267948966 starts at rest"
                                              : "Begin the table at rest");
}

/* A filtered path begins at rest: of rows that begin with a speed U the filter moves the first one
 * by about 0.7 U/(2 pi filter), and the whole path with it. */
static void warn_of_moved_start(struct sluice_case_builder *b, int motion)
{
    const struct sluice_motion *m = &b->config->motions[motion];
    const struct sluice_track *track = &b->c->physics.motions.track[motion];
    if (!(m->filter > 0))
        return;
    const double speed = sluice_case_motion_peaks(b->c, motion).speed,
                 reach = b->c->physics.motion_reach[motion];
    double by = 0, noise = 0;
    for (int c = 0; c < SLUICE_TRACK_COLUMNS; c++) {
        const double unit = c == SLUICE_TRACK_ANGLE ? reach : 1;
        by = fmax(by, unit * track->first[c]);
        noise = fmax(noise, unit * track->mean[c]);
    }
    char title[4 * SLUICE_TEXT_MAX];
    if (by > 5 * noise && by > 0.1 * speed / (2 * acos(-1) * m->filter))
        sluice_warn(&b->warnings,
                    "motions: the table of %s does not begin at rest, but a filtered path does: "
                    "filter = %.4g moves its first row, and all of the path with it, by %.3g m. "
                    "Begin the table at rest, or leave filter out",
                    sluice_case_motion_title(b->c, motion, title, sizeof title), m->filter, by);
}

/* --- Walls that run into others ----------------------------------------------------------------
 */

/* Into how many times a look at a motion divides: about 20 a period of waves. */
static int times_of(const struct sluice_case_builder *b, int motion)
{
    if (motion < 0 || b->config->motions[motion].kind != SLUICE_MOTION_WAVE)
        return TIMES;
    const int64_t samples = sluice_wave_maker_samples(&b->c->physics.motions.maker[motion],
                                                      b->config->time.end) /
                            5;
    return samples < TIMES ? TIMES : samples > MOST_TIMES ? MOST_TIMES : (int)samples;
}

/* Points of the surface of a moving shape, and how deep each lies in the other one at the start. */
struct moved {
    struct sluice_case_builder *b;
    int shape, other, motion, other_motion; /* -1: at rest */
    int64_t count, met;
    double x[POINTS][3], depth[POINTS];
};

/* Where both shapes are at a time, and whether their boxes meet then. */
struct moment {
    struct sluice_displacement d, other;
    int meet;
};

static struct moment moment_at(const struct moved *m, double t)
{
    const struct sluice_motions *motions = &m->b->c->physics.motions;
    const struct sluice_geometry *g = &m->b->c->geometry;
    const struct sluice_solid *own = &g->solid[m->shape], *solid = &g->solid[m->other];
    struct moment now = {.meet = 1};
    double box[2][3], of_own[2][3], of_other[2][3];
    int bounded = own->kind && solid->kind;
    sluice_motions_at(motions, m->motion, t, &now.d);
    if (m->other_motion >= 0)
        sluice_motions_at(motions, m->other_motion, t, &now.other);
    for (int a = 0; a < g->dimension; a++)
        bounded &= isfinite(own->low[a]) && isfinite(own->high[a]) && isfinite(solid->low[a]) &&
                   isfinite(solid->high[a]) && !g->periodic[a];
    if (!bounded)
        return now;
    memcpy(box[0], own->low, sizeof box[0]);
    memcpy(box[1], own->high, sizeof box[1]);
    sluice_motions_carry_box(motions, m->motion, &now.d, box, of_own);
    memcpy(of_other[0], solid->low, sizeof box[0]);
    memcpy(of_other[1], solid->high, sizeof box[1]);
    memcpy(box, of_other, sizeof box);
    if (m->other_motion >= 0)
        sluice_motions_carry_box(motions, m->other_motion, &now.other, box, of_other);
    for (int a = 0; a < g->dimension; a++)
        now.meet &= of_own[0][a] <= of_other[1][a] && of_other[0][a] <= of_own[1][a];
    return now;
}

static double depth_at(const struct moved *m, const double x[3], const struct moment *at)
{
    const struct sluice_motions *motions = &m->b->c->physics.motions;
    const struct sluice_geometry *g = &m->b->c->geometry;
    double now[3], way[3];
    sluice_motions_carry(motions, m->motion, &at->d, x, now);
    if (m->other_motion >= 0) {
        double back[3];
        sluice_motions_carry_back(motions, m->other_motion, &at->other, now, back);
        memcpy(now, back, sizeof now);
    }
    if (sluice_geometry_box_distance(g, m->other, now) > 0)
        return -INFINITY;
    return -sluice_geometry_distance(g, m->other, now, way);
}

/* Keeps the points of the surface nearest to POINTS of the cells next to it, spread over all that
 * it is called with. */
static void add_cell(struct moved *m, const int64_t cell[3])
{
    const struct sluice_geometry *g = &m->b->c->geometry;
    double x[3], way[3];
    sluice_geometry_centre_of(g, cell, x);
    if (!sluice_geometry_fills(g, m->shape, cell) ||
        -sluice_geometry_distance(g, m->shape, x, way) > 1.1 * g->spacing)
        return;
    const uint64_t met = (uint64_t)m->met++;
    const uint64_t place = met < POINTS ? met : (met * 0x9e3779b97f4a7c15u >> 11) % (met + 1);
    for (int a = 0; a < 3 && place < POINTS; a++)
        m->x[place][a] = x[a] + way[a];
    m->count = m->met < POINTS ? m->met : POINTS;
}

/* At most CELLS cells of the shape's boxes are looked at. */
static void add_cells(struct moved *m)
{
    struct sluice_cells box[SLUICE_SHAPE_BOXES];
    const int boxes = sluice_geometry_boxes(&m->b->c->geometry, m->shape, box);
    for (int k = 0; k < boxes; k++) {
        int64_t n[3], all = 1;
        for (int a = 0; a < 3; a++) {
            n[a] = box[k].high[a] > box[k].low[a] ? box[k].high[a] - box[k].low[a] : 0;
            all *= n[a];
        }
        const int64_t stride = all > CELLS ? (all / CELLS + 1) | 1 : 1;
        for (int64_t i = 0; i < all; i += stride) {
            const int64_t cell[3] = {box[k].low[0] + i % n[0], box[k].low[1] + i / n[0] % n[1],
                                     box[k].low[2] + i / n[0] / n[1]};
            add_cell(m, cell);
        }
    }
}

/* Faces that are apart at the start meet when they touch. Those that touch may rub: the corners of
 * a flap dip into the floor that it stands on. */
static int is_deep(const struct moved *m, double t, double *most)
{
    const struct moment now = moment_at(m, t);
    const double dp = m->b->config->spacing;
    int deep = 0;
    *most = 0;
    for (int64_t i = 0; i < m->count && now.meet; i++) {
        const double by = depth_at(m, m->x[i], &now) - fmax(m->depth[i], 0);
        *most = fmax(*most, by);
        deep |= by > (m->depth[i] < -APART * dp ? TOUCH : RUB) * dp;
    }
    return deep;
}

/* The first time at which the shapes meet; then how deep they do in the run. */
static int find_meeting(struct moved *m, double *when, double *deepest)
{
    const double end = m->b->config->time.end;
    const int times = times_of(m->b, m->motion);
    double most;
    *deepest = 0;
    *when = -1;
    const struct moment start = moment_at(m, 0);
    for (int64_t i = 0; i < m->count; i++)
        m->depth[i] = start.meet ? depth_at(m, m->x[i], &start) : -INFINITY;
    for (int k = 1; k <= times; k++) {
        double low = end * (k - 1) / times, high = end * k / times;
        const int deep = is_deep(m, high, &most);
        *deepest = fmax(*deepest, most);
        if (!deep || *when >= 0)
            continue;
        for (int i = 0; i < 20; i++) {
            const double middle = 0.5 * (low + high);
            if (is_deep(m, middle, &most))
                high = middle;
            else
                low = middle;
        }
        *when = high;
    }
    return *when >= 0;
}

/* The first of all walls that a shape runs into. */
struct meeting {
    int other;
    double when, deepest;
};

static void warn_of_meeting(const struct moved *m, const struct meeting *first)
{
    const struct sluice_config *config = m->b->config;
    const struct sluice_motion *motion = &config->motions[m->motion];
    char one[2 * SLUICE_TEXT_MAX], other[2 * SLUICE_TEXT_MAX];
    sluice_warn(
        &m->b->warnings,
        "motions: '%s' (%s:%d) drives %s into %s at t = %.4g s, by %.3g m at most: walls do "
        "not stop each other, and water between them is squeezed; change the motion, or "
        "end the run before",
        motion->name, motion->file, motion->line,
        sluice_geometry_title(config, m->shape, one, sizeof one),
        sluice_geometry_title(config, first->other, other, sizeof other), first->when,
        first->deepest);
}

static int is_wall(const struct sluice_shape *shape)
{
    return shape->type == SLUICE_SHAPE_WALL && !shape->body;
}

/* The motion of a shape; -1: none. */
static int mover_of(const struct sluice_config *config, int shape)
{
    const int mover = sluice_config_mover(config, shape);
    return mover < config->motion_count ? mover : -1;
}

/* The box around all places of a shape until time.end; infinite where the shape is. */
struct swept {
    double low[3], high[3];
};

static void sweep(const struct sluice_case_builder *b, int shape, struct swept *s)
{
    const struct sluice_geometry *g = &b->c->geometry;
    const struct sluice_solid *solid = &g->solid[shape];
    const struct sluice_motions *motions = &b->c->physics.motions;
    const int motion = mover_of(b->config, shape), times = times_of(b, motion);
    int bounded = solid->kind != 0;
    for (int a = 0; a < 3; a++) {
        bounded &= a >= g->dimension ||
                   (isfinite(solid->low[a]) && isfinite(solid->high[a]) && !g->periodic[a]);
        s->low[a] = a < g->dimension ? INFINITY : 0;
        s->high[a] = a < g->dimension ? -INFINITY : 0;
    }
    for (int k = 0; k <= times && bounded; k++) {
        double box[2][3], now[2][3];
        struct sluice_displacement d;
        memcpy(box[0], solid->low, sizeof box[0]);
        memcpy(box[1], solid->high, sizeof box[1]);
        memcpy(now, box, sizeof now);
        if (motion >= 0) {
            sluice_motions_at(motions, motion, b->config->time.end * k / times, &d);
            sluice_motions_carry_box(motions, motion, &d, box, now);
        }
        for (int a = 0; a < g->dimension; a++) {
            s->low[a] = fmin(s->low[a], now[0][a]);
            s->high[a] = fmax(s->high[a], now[1][a]);
        }
    }
    for (int a = 0; a < g->dimension && !bounded; a++) {
        s->low[a] = -INFINITY;
        s->high[a] = INFINITY;
    }
}

static int may_meet(const struct swept *one, const struct swept *other)
{
    int meet = 1;
    for (int a = 0; a < 3; a++)
        meet &= one->low[a] <= other->high[a] && other->low[a] <= one->high[a];
    return meet;
}

static sluice_status check_shape(struct sluice_case_builder *b, const struct swept *swept,
                                 int shape)
{
    const struct sluice_config *config = b->config;
    struct moved *m;
    SLUICE_ALLOCATE(m, 1, "check of a motion");
    *m = (struct moved){.b = b, .shape = shape, .motion = mover_of(config, shape)};
    struct meeting first = {.when = INFINITY}, met;
    add_cells(m);
    for (int s = 0; s < config->shape_count; s++) {
        const struct sluice_shape *other = &config->shapes[s];
        m->other = met.other = s;
        m->other_motion = mover_of(config, s);
        const int seen = m->other_motion >= 0 && s < shape; /* from the other's side */
        if (is_wall(other) && m->other_motion != m->motion && !seen &&
            may_meet(&swept[shape], &swept[s]) && find_meeting(m, &met.when, &met.deepest) &&
            met.when < first.when)
            first = met;
    }
    if (isfinite(first.when))
        warn_of_meeting(m, &first);
    free(m);
    return SLUICE_OK;
}

static sluice_status check_meetings(struct sluice_case_builder *b, struct swept *swept)
{
    for (int s = 0; s < b->config->shape_count; s++)
        if (is_wall(&b->config->shapes[s]))
            sweep(b, s, &swept[s]);
    for (int s = 0; s < b->config->shape_count; s++)
        if (is_wall(&b->config->shapes[s]) && mover_of(b->config, s) >= 0)
            SLUICE_TRY(check_shape(b, swept, s));
    return SLUICE_OK;
}

sluice_status sluice_case_check_motions(struct sluice_case_builder *b)
{
    struct swept *swept;
    for (int i = 0; i < b->config->motion_count; i++) {
        warn_of_jump(b, i);
        warn_of_moved_start(b, i);
    }
    if (b->config->motion_count == 0)
        return SLUICE_OK;
    SLUICE_ALLOCATE(swept, b->config->shape_count, "check of motions");
    const sluice_status status = check_meetings(b, swept);
    free(swept);
    return status;
}
