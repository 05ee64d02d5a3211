#include "fit/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "domain/comm.h"
#include "fit/fit_internal.h"

/* -1: none. */
static int first_fitted(const struct sluice_config *c)
{
    for (int s = 0; s < c->shape_count; s++)
        if (sluice_fit_is_fitted(c, s))
            return s;
    return -1;
}

static sluice_status check(const struct sluice_fit_source *source, int first)
{
    const struct sluice_config *c = source->config;
    char title[2 * SLUICE_TEXT_MAX];
    sluice_geometry_title(c, first, title, sizeof title);
    SLUICE_CHECK(c->model == SLUICE_MODEL_WCSPH, SLUICE_BAD_INPUT,
                 "geometry: %s: fit = \"surface\" is for model \"wcsph\"; leave it out", title);
    SLUICE_CHECK(!c->particles[0] || source->keeps_fluid, SLUICE_BAD_INPUT,
                 "geometry: %s: fit = \"surface\" moves the fluid beside the wall, but particles = "
                 "\"%s\" brings particles with places of their own: set fit = \"lattice\" (walls "
                 "that a snapshot brings stay fitted), or remove `particles`",
                 title, c->particles);
    return SLUICE_OK;
}

/* Each fitted shape has its true faces, and the volume that its particles stand for. */
static sluice_status report_walls(const struct sluice_fit *f, struct sluice_fit_report *report,
                                  struct sluice_shape_report *shapes,
                                  int64_t made[SLUICE_TYPE_COUNT])
{
    const double cell = pow(f->surface.spacing, f->surface.dimension);
    char title[2 * SLUICE_TEXT_MAX];
    for (int s = 0; s < f->config->shape_count; s++) {
        struct sluice_shape_report *r = &shapes[s];
        double due = 0;
        int64_t count = 0;
        if (!sluice_fit_is_fitted(f->config, s))
            continue;
        for (int64_t i = 0; i < f->wall_count; i++)
            count += f->wall[i].kind == s;
        for (int k = 0; k < f->layers; k++)
            due += f->due[(int64_t)s * f->layers + k];
        r->buried = f->buried[s];
        SLUICE_CHECK(count > 0 || r->particles == r->buried, SLUICE_BAD_INPUT,
                     "geometry: no layer of particles fits into %s: no point of it is half a "
                     "spacing (%.9g) deep in the walls. Make it thicker, the spacing smaller, or "
                     "set fit = \"lattice\"",
                     sluice_geometry_title(f->config, s, title, sizeof title),
                     0.5 * f->surface.spacing);
        if (fabs((double)count - due) > report->worst_by) {
            report->worst = s;
            report->worst_by = fabs((double)count - due);
        }
        made[SLUICE_WALL] += count - r->particles;
        r->particles = count;
        r->actual_volume += cell * (f->volume[s] + (double)count - due);
        memcpy(r->actual_min, r->asked_min, sizeof r->actual_min);
        memcpy(r->actual_max, r->asked_max, sizeof r->actual_max);
    }
    return SLUICE_OK;
}

static void report_fluid(const struct sluice_fit *f, struct sluice_fit_report *report,
                         struct sluice_shape_report *shapes, int64_t made[SLUICE_TYPE_COUNT])
{
    double due = 0;
    for (int s = 0; s < f->config->shape_count; s++) {
        struct sluice_shape_report *r = &shapes[s];
        int64_t change = 0;
        if (f->config->shapes[s].type != SLUICE_SHAPE_FLUID)
            continue;
        for (int64_t i = 0; i < f->added_count; i++)
            change += f->added[i].kind == s;
        for (int64_t i = 0; i < f->map.count; i++)
            change -= f->cell[i].removed && f->cell[i].shape == s;
        due += (double)r->particles + f->due_fluid[s];
        r->particles += change;
        r->cut -= change;
        report->fluid += r->particles;
        made[SLUICE_FLUID] += change;
    }
    report->narrow = f->narrow;
    report->fluid_due = due + f->narrow;
}

void sluice_fit_warn(const struct sluice_fit_report *r, const struct sluice_config *config,
                     struct sluice_warnings *warnings)
{
    const double lost = (double)(r->thin + r->left + r->unplaced);
    char worst[2 * SLUICE_TEXT_MAX] = "", title[2 * SLUICE_TEXT_MAX];
    if (r->worst_by >= 1)
        snprintf(worst, sizeof worst, "; farthest off is %.400s, by %.0f",
                 sluice_geometry_title(config, r->worst, title, sizeof title), r->worst_by);
    if (lost > 0.02 * ((double)r->walls + lost))
        sluice_warn(
            warnings,
            "fit: %.3g%% of the particles of fitted walls have no place: %lld where walls are "
            "thinner than their layers, %lld nearer than 0.8 spacings to others, %lld for which a "
            "layer has no room%s. Water may pass there, unless they lie deep in a wall: make the "
            "walls thicker, or the spacing (%.9g) smaller",
            100 * lost / ((double)r->walls + lost), (long long)r->thin, (long long)r->left,
            (long long)r->unplaced, worst, config->spacing);
    const double off = (double)r->fluid - r->fluid_due;
    if (fabs(off) > 1 + 0.01 * r->fluid_due) /* one: the volume is rounded to whole particles */
        sluice_warn(
            warnings,
            "fit: the volume of fluid up to the walls is that of %.1f particles, but %lld are "
            "placed "
            "(%+.3g%%); %.1f belong in gaps between walls narrower than 0.65 spacings, where none "
            "fits: widen or close these, or make the spacing (%.9g) smaller",
            r->fluid_due, (long long)r->fluid, 100 * off / r->fluid_due, r->narrow,
            config->spacing);
    if (r->fraction > 0.3 && config->boundary.spring)
        sluice_warn(
            warnings,
            "fit: walls take a fraction of %.3g of a fluid particle's place, in a sharp corner: "
            "the spring pushes it from 0.3 on, so it does not start at rest",
            r->fraction);
}

static sluice_status make(struct sluice_fit *f, struct sluice_fit_report *report)
{
    SLUICE_TRY(sluice_fit_create_surface(f));
    SLUICE_TRY(
        sluice_threads_create(&f->team, sluice_config_threads(f->config, sluice_world()->sharing)));
    SLUICE_TRY(sluice_fit_find_cells(f));
    SLUICE_TRY(sluice_fit_walls(f, report));
    return sluice_fit_fluid(f, report);
}

sluice_status sluice_fit_create(struct sluice_fit **fit, const struct sluice_fit_source *source,
                                struct sluice_fit_report *report,
                                struct sluice_shape_report *shapes, int64_t made[SLUICE_TYPE_COUNT])
{
    const int first = first_fitted(source->config);
    *fit = NULL;
    memset(report, 0, sizeof *report);
    if (first < 0)
        return SLUICE_OK;
    SLUICE_TRY(check(source, first));
    SLUICE_ALLOCATE(*fit, 1, "fitted walls");
    struct sluice_fit *f = *fit;
    f->config = source->config;
    f->geometry = source->geometry;
    f->grid = source->grid;
    f->cutoff = source->cutoff;
    f->waiting = source->waiting;
    sluice_status status = make(f, report);
    sluice_threads_destroy(&f->team);
    if (status == SLUICE_OK)
        status = report_walls(f, report, shapes, made);
    if (status == SLUICE_OK)
        report_fluid(f, report, shapes, made);
    else
        sluice_fit_destroy(fit);
    return status;
}

void sluice_fit_destroy(struct sluice_fit **fit)
{
    struct sluice_fit *f = *fit;
    if (!f)
        return;
    sluice_fit_destroy_surface(f);
    sluice_cell_map_destroy(&f->map);
    free(f->cell);
    free(f->due);
    free(f->due_fluid);
    free(f->volume);
    free(f->buried);
    free(f->wall);
    free(f->added);
    free(f);
    *fit = NULL;
}

/* --- The particles --- */

int sluice_fit_move(const struct sluice_fit *f, double x[3])
{
    int64_t cell[3];
    sluice_fit_cell_at(&f->surface, x, cell);
    const int64_t i = sluice_cell_map_find(&f->map, cell);
    if (i < 0)
        return 1;
    memcpy(x, f->cell[i].x, sizeof f->cell[i].x);
    return !f->cell[i].removed;
}

const struct sluice_pack_point *sluice_fit_points(const struct sluice_fit *f, int type,
                                                  int64_t *count)
{
    const int fluid = type == SLUICE_SHAPE_FLUID;
    *count = fluid ? f->added_count : f->wall_count;
    return fluid ? f->added : f->wall;
}
