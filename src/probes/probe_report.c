#include "probes/probe_report.h"

#include <math.h>

#include "core/warnings.h"
#include "probes/probe_level.h"
#include "probes/standing_water.h"

sluice_status sluice_probes_check(struct sluice_case *c, FILE *out)
{
    const int up = c->config->dimension - 1;
    const double top = c->grid.high[up] - c->config->domain.min[up] - 1e-6 * c->config->spacing;
    struct sluice_warnings warnings = {.out = out};
    struct sluice_levels levels;
    if (c->config->model != SLUICE_MODEL_WCSPH)
        return SLUICE_OK;
    sluice_status status = sluice_levels_create(&levels, c);
    for (int i = 0; levels.probe && i < c->config->probe_count && status == SLUICE_OK; i++) {
        double low = -INFINITY, high;
        if (sluice_probe_has(c->config->probes[i].kind, SLUICE_PROBE_HAS_LEVEL))
            status = sluice_levels_beds(&levels, i, &low, &high);
        if (status == SLUICE_OK && low >= top)
            sluice_warn(&warnings,
                        "probe '%s': a wall fills the whole height of the domain there, so it will "
                        "never find water; move it",
                        c->config->probes[i].name);
    }
    sluice_levels_destroy(&levels);
    c->warning_count += warnings.count;
    return status;
}

/* --- Printing --- */

/* Shows rounding of 0 as 0. */
static double shown(const struct sluice_case *c, double x)
{
    return fabs(x) < 1e-9 * c->cutoff ? 0 : x;
}

static void print_place(const struct sluice_case *c, const char *before, const double x[3],
                        FILE *out)
{
    fputs(before, out);
    for (int a = 0; a < c->config->dimension; a++)
        fprintf(out, "%s%.6g", a ? ", " : " (", shown(c, x[a]));
    fprintf(out, ")%s", sluice_config_unit(c->config, " m"));
}

/* The bed's height above the foot; of a line its lowest and highest. */
static sluice_status print_bed(const struct sluice_case *c, struct sluice_levels *levels, int i,
                               FILE *out)
{
    double low, high;
    SLUICE_TRY(sluice_levels_beds(levels, i, &low, &high));
    fprintf(out, ", bed %.6g", shown(c, low));
    if (high > low)
        fprintf(out, " to %.6g", shown(c, high));
    fputs(sluice_config_unit(c->config, " m"), out);
    return SLUICE_OK;
}

/* The grid of a patch; a round one has those points that lie in it. */
static void print_patch(const struct sluice_case *c, const struct sluice_probe *p,
                        const int points[2], FILE *out)
{
    fprintf(out, ", %s%d", p->round ? "round, of " : "", points[0]);
    if (c->config->dimension == 3)
        fprintf(out, " x %d", points[1]);
    fputs(" points", out);
}

/* The steps of a slope on the lattice hold back what is thinner than a spacing, so a tongue ends up
 * to a step too low. */
static sluice_status print_steps(const struct sluice_case *c, struct sluice_levels *levels, int i,
                                 FILE *out)
{
    char title[2 * SLUICE_TEXT_MAX];
    int shape;
    SLUICE_TRY(sluice_runup_steps(levels, i, &shape));
    if (shape < 0)
        return SLUICE_OK;
    const double dp = c->config->spacing;
    fprintf(
        out,
        "\n               on the lattice, whose steps hold thin water back: expect a run-up about "
        "one step, %.6g%s, too low;\n               fit = \"surface\" makes %s smooth",
        dp, sluice_config_unit(c->config, " m"),
        sluice_geometry_title(c->config, shape, title, sizeof title));
    return SLUICE_OK;
}

/* Forces are those on the lattice's steps: says where the water on them weighs less or more than on
 * the true surface. */
static void print_standing(const struct sluice_case *c, const struct sluice_probe *p, FILE *out)
{
    char title[2 * SLUICE_TEXT_MAX];
    const struct sluice_standing_water w = sluice_find_standing_water(c, p->on);
    if (w.shape < 0 || !(fabs(w.on_steps - w.on_surface) > 0.03 * w.on_surface))
        return;
    fprintf(out,
            "\n               on the lattice, whose steps bear %.3g %s of water at the start, the "
            "true surface\n               %.3g; fit = \"surface\" makes %s smooth",
            w.on_steps, c->config->dimension == 2 ? "N/m" : "N", w.on_surface,
            sluice_geometry_title(c->config, w.shape, title, sizeof title));
}

static sluice_status print_probe(const struct sluice_case *c, struct sluice_levels *levels, int i,
                                 FILE *out)
{
    const struct sluice_probe *p = &c->config->probes[i];
    fprintf(out, "  %-12s %-7s", p->name, sluice_probe_kinds[p->kind].word);
    if (p->kind == SLUICE_PROBE_FRONT) {
        fprintf(out, " along %c, above %.6g%s\n", "xyz"[p->axis], p -> above,
                sluice_config_unit(c->config, " m"));
        return SLUICE_OK;
    }
    if (p->kind == SLUICE_PROBE_FORCE)
        fprintf(out, " on '%s', torque", p->on);
    print_place(c, p->kind == SLUICE_PROBE_FORCE ? " about" : " at", c->probes[i].x, out);
    if (sluice_probe_has(p->kind, SLUICE_PROBE_TAKES_ENDS | SLUICE_PROBE_TAKES_SIZE))
        print_place(c, " to", c->probes[i].to, out);
    if (sluice_probe_has(p->kind, SLUICE_PROBE_TAKES_FACE) && p->on[0])
        fprintf(out, " on face %c%c of '%s'", "xyz"[p->face / 2], "-+"[p->face % 2], p -> on);
    if (sluice_probe_has(p->kind, SLUICE_PROBE_TAKES_SIZE))
        print_patch(c, p, c->probes[i].points, out);
    if (levels->probe && sluice_probe_has(p->kind, SLUICE_PROBE_HAS_LEVEL))
        SLUICE_TRY(print_bed(c, levels, i, out));
    if (levels->probe && p->kind == SLUICE_PROBE_RUNUP)
        SLUICE_TRY(print_steps(c, levels, i, out));
    if (p->kind == SLUICE_PROBE_FORCE && c->config->model == SLUICE_MODEL_WCSPH)
        print_standing(c, p, out);
    fputc('\n', out);
    return SLUICE_OK;
}

sluice_status sluice_probes_print(const struct sluice_case *c, FILE *out)
{
    struct sluice_levels levels = {0};
    sluice_status status = SLUICE_OK;
    if (c->config->probe_count > 0)
        fputs("Probes\n", out);
    if (c->config->model == SLUICE_MODEL_WCSPH)
        status = sluice_levels_create(&levels, c);
    for (int i = 0; i < c->config->probe_count && status == SLUICE_OK; i++)
        status = print_probe(c, &levels, i, out);
    sluice_levels_destroy(&levels);
    return status;
}
