/* When waves and their echoes are at the height probes, and probes that they do not come to. */
#include <stdlib.h>

#include "case/builder.h"
#include "core/allocate.h"

/* Of a probe `way` m from the paddle, the times (s) of the first waves, or of a solitary wave's
 * crest, and of those that have come back and gone forth again; steady: of regular waves. */
struct arrival {
    double first, steady, echo, again;
};

static struct arrival arrival_at(const struct sluice_wave_maker *w, const struct sluice_wave_run *r,
                                 double way)
{
    const double speed = sluice_wave_maker_front(w), whole = r->sense * (r->end - r->face),
                 begin = w->of->kind == SLUICE_WAVE_SOLITARY ? sluice_wave_maker_crest(w)
                                                             : w->start;
    return (struct arrival){begin + way / speed, begin + w->ramp + way / speed,
                            begin + (2 * whole - way) / speed, begin + (2 * whole + way) / speed};
}

static void print_arrival(const struct sluice_case *c, const struct sluice_wave_maker *w,
                          const struct sluice_wave_run *r, const struct sluice_probe *p, FILE *out)
{
    const int regular = w->of->kind == SLUICE_WAVE_REGULAR;
    const double way = r->sense * (p->at[r->axis] - r->face);
    const struct arrival t = arrival_at(w, r, way);
    char title[2 * SLUICE_TEXT_MAX];
    fprintf(out, "  %-18sat '%s', %.4g m on: %s at %.4g s", "", p->name, way,
            w->of->kind == SLUICE_WAVE_SOLITARY ? "crest" : "first waves", t.first);
    if (regular)
        fprintf(out, ", steady from %.4g s", t.steady);
    fprintf(out, ", echo of %s at %c = %.4g m at %.4g s",
            sluice_case_reflector_title(c, r, title, sizeof title), "xy"[r->axis], r -> end,
            t.echo);
    if (regular && t.echo - t.steady < w->period)
        fputs(" (no whole period before it)", out);
    fprintf(out, ", re-reflected by the paddle from %.4g s on\n", t.again);
}

void sluice_case_print_arrivals(const struct sluice_case *c, int motion, FILE *out)
{
    struct sluice_wave_run r;
    if (!sluice_case_wave_reflection(c, motion, &r))
        return;
    for (int i = 0; i < c->config->probe_count; i++) {
        const struct sluice_probe *p = &c->config->probes[i];
        int shape;
        if (p->kind == SLUICE_PROBE_HEIGHT && r.sense * (r.end - p->at[r.axis]) >= 0 &&
            sluice_case_gauge_place(c, motion, &r, p->at, &shape) == SLUICE_GAUGE_OPEN)
            print_arrival(c, &c->physics.motions.maker[motion], &r, p, out);
    }
}

/* --- Probes that waves do not come to --- */

/* Whether a probe is warned of. */
static int warn_of_gauge(struct sluice_case_builder *b, int motion, const struct sluice_wave_run *r,
                         const struct sluice_probe *p)
{
    const struct sluice_case *c = b->c;
    const char *maker = b->config->motions[motion].name, axis = "xy"[r->axis];
    const double x = p->at[r->axis];
    char title[2 * SLUICE_TEXT_MAX];
    struct sluice_wave_run at = *r;
    switch (sluice_case_gauge_place(c, motion, r, p->at, &at.reflector)) {
    case SLUICE_GAUGE_OPEN:
        return 0;
    case SLUICE_GAUGE_BEHIND_PADDLE:
        sluice_warn(&b->warnings,
                    "%s:%d: probe '%s': %c = %.6g is behind the face of the paddle of '%s' at %c = "
                    "%.6g: no waves, its theory is empty; put it before the paddle",
                    p->file, p->line, p->name, axis, x, maker, axis, r->face);
        return 1;
    case SLUICE_GAUGE_IN_STROKE: {
        const double high = sluice_case_paddle_path(c, motion).high;
        sluice_warn(
            &b->warnings,
            "%s:%d: probe '%s': %c = %.6g is within the stroke of the paddle of '%s', whose "
            "face reaches %.4g: at times it is in the paddle or behind it, its theory is "
            "empty; put it %s %.4g",
            p->file, p->line, p->name, axis, x, maker, r->face + r->sense * high,
            r->sense > 0 ? "beyond" : "below", r->face + r->sense * high);
        return 1;
    }
    case SLUICE_GAUGE_IN_WALL:
        if (x < b->config->domain.min[r->axis] || x > b->config->domain.max[r->axis])
            return 1; /* place_probes.c warns of it */
        sluice_warn(&b->warnings,
                    "%s:%d: probe '%s': %c = %.6g is in %s, or on its face, and that rises above "
                    "the water at rest: the probe sees no more than water that runs over it, its "
                    "theory is empty; put it half a spacing beside",
                    p->file, p->line, p->name, axis, x,
                    sluice_case_reflector_title(c, &at, title, sizeof title));
        return 1;
    case SLUICE_GAUGE_BEHIND_REFLECTOR:
        sluice_warn(&b->warnings,
                    "%s:%d: probe '%s': %c = %.6g is behind %s, which rises above the water at "
                    "%c = %.6g: waves of '%s' do not come there on a straight path, its theory is "
                    "empty; for the waves themselves put it before that place",
                    p->file, p->line, p->name, axis, x,
                    sluice_case_reflector_title(c, r, title, sizeof title), axis, r->end, maker);
        return 1;
    }
    return 0;
}

sluice_status sluice_case_check_gauges(struct sluice_case_builder *b)
{
    const struct sluice_config *config = b->config;
    int *warned;
    SLUICE_ALLOCATE(warned, config->probe_count, "probes");
    for (int m = 0; m < config->motion_count && config->probe_count > 0; m++) {
        struct sluice_wave_run r;
        if (config->motions[m].kind != SLUICE_MOTION_WAVE ||
            !sluice_case_wave_reflection(b->c, m, &r) ||
            r.sense * (r.end - r.face) <= 0.5 * config->spacing) /* check_place warns of it */
            continue;
        for (int i = 0; i < config->probe_count; i++)
            if (config->probes[i].kind == SLUICE_PROBE_HEIGHT && !warned[i])
                warned[i] = warn_of_gauge(b, m, &r, &config->probes[i]);
    }
    free(warned);
    return SLUICE_OK;
}
