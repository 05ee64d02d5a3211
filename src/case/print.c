/* What `sluice check` shows of a case. */
#include <math.h>
#include <stdio.h>

#include "case/case.h"
#include "case/builder.h"

static const char *const probe_kind[] = {SLUICE_PROBES(SLUICE_CHOICE_WORD)};
static const char *const motion_kind[] = {SLUICE_MOTIONS(SLUICE_CHOICE_WORD)};

static const char *length_unit(const struct sluice_config *config)
{
    return config->units == SLUICE_UNITS_SI ? " m" : "";
}

/* A coordinate, m; what is only the rounding of 0 beside the cutoff is shown as 0. */
static double shown(const struct sluice_case *c, double x)
{
    return fabs(x) < 1e-9 * c->cutoff ? 0 : x;
}

static const char *mass_unit(const struct sluice_config *config)
{
    return config->units != SLUICE_UNITS_SI ? "" : config->dimension == 2 ? " kg/m" : " kg";
}

/* What the volume misses, %; what would be printed as -0.00 is 0. */
static double shown_error(const struct sluice_shape_report *r)
{
    const double error = 100 * sluice_geometry_volume_error(r);
    return fabs(error) < 0.005 ? 0 : error;
}

/* "area 0.27 m^2 asked", or of space between walls "encloses 0.27 m^2". */
static void print_volume(const struct sluice_case *c, int shape, FILE *out)
{
    const struct sluice_shape_report *r = &c->shapes[shape];
    const int si = c->config->units == SLUICE_UNITS_SI, flat = c->config->dimension == 2;
    const char *unit = !si ? "" : flat ? " m^2" : " m^3";
    fprintf(out, ", %s %.6g%s asked, %.6g%s actual (%+.2f%%)",
            c->config->shapes[shape].kind == SLUICE_SHAPE_WALLS ? "encloses"
            : flat                                              ? "area"
                                                                : "volume",
            r->asked_volume, unit, r->actual_volume, unit, shown_error(r));
}

/* The mass that a shape of fluid holds on the lattice, and what later shapes leave of it. */
static void print_mass(const struct sluice_case *c, const struct sluice_shape_report *r, FILE *out)
{
    const char *unit = mass_unit(c->config);
    const double cells = (double)(r->particles + r->cut + r->left_out);
    fprintf(out, ", mass %.6g%s asked, %.6g%s actual (%+.2f%%)", r->asked_mass, unit,
            r->actual_mass, unit, shown_error(r));
    if (r->cut + r->left_out > 0)
        fprintf(out, ", %.6g%s left", r->actual_mass * (double)r->particles / cells, unit);
}

/* Coordinates. */
static void print_vector(FILE *out, const char *name, const double v[3],
                         const struct sluice_case *c)
{
    fprintf(out, "  %-18s(", name);
    for (int a = 0; a < c->config->dimension; a++)
        fprintf(out, "%s%.6g", a ? ", " : "", shown(c, v[a]));
    fprintf(out, ")%s\n", length_unit(c->config));
}

static void print_shape(const struct sluice_case *c, int shape, FILE *out)
{
    static const char *const type_name[] = {"fluid", "wall", "void"};
    const struct sluice_shape *s = &c->config->shapes[shape];
    const struct sluice_shape_report *r = &c->shapes[shape];
    const int walls = s->kind == SLUICE_SHAPE_WALLS;
    char title[2 * SLUICE_TEXT_MAX];
    fprintf(out, "  %s: %s%s", sluice_geometry_title(c->config, shape, title, sizeof title),
            type_name[walls ? SLUICE_SHAPE_WALL : s->type],
            s->fill == SLUICE_FILL_SHELL && !walls ? " shell" : "");
    if (walls || s->type != SLUICE_SHAPE_VOID)
        fprintf(out, ", %lld particles", (long long)r->particles);
    if (!walls && s->type == SLUICE_SHAPE_FLUID)
        print_mass(c, r, out);
    else if (r->asked_volume > 0)
        print_volume(c, shape, out);
    if (r->cut > 0)
        fprintf(out, ", %lld cut by later shapes", (long long)r->cut);
    if (r->left_out > 0)
        fprintf(out, ", %lld left out for the file's", (long long)r->left_out);
    fputc('\n', out);
    for (int a = 0; a < c->config->dimension; a++)
        for (int high = 0; high < 2; high++) {
            if (walls && !((s->sides >> (2 * a + high)) & 1))
                continue;
            fprintf(out, "    face %c%c  asked %12.6g  actual %12.6g\n", "xyz"[a], high ? '+' : '-',
                    shown(c, high ? r->asked_max[a] : r->asked_min[a]),
                    shown(c, high ? r->actual_max[a] : r->actual_min[a]));
        }
}

/* The groups that are more than one shape. */
static void print_groups(const struct sluice_case *c, FILE *out)
{
    static const char *const type_name[] = {"fluid", "wall"};
    int any = 0;
    for (int k = 0; k < c->groups.count; k++) {
        const struct sluice_group *g = &c->groups.group[k];
        if (g->shapes < 2 && g->rows == 0)
            continue;
        if (!any++)
            fputs("Groups\n", out);
        fprintf(out, "  %-18s%s", g->name, type_name[g->type]);
        if (g->shapes > 0)
            fprintf(out, ", %d shape%s", g->shapes, g->shapes == 1 ? "" : "s");
        if (g->rows > 0)
            fprintf(out, ", %lld rows of the file", (long long)g->rows);
        fprintf(out, ", %lld particles", (long long)g->particles);
        if (g->type == SLUICE_FLUID)
            fprintf(out, ", mass %.6g%s", g->mass, mass_unit(c->config));
        fputc('\n', out);
    }
}

/* The wall's surface above the foot, at t = 0; of a line from its lowest to its highest. */
static void print_bed(const struct sluice_case *c, const struct sluice_case_probe *probe, FILE *out)
{
    fprintf(out, ", bed %.6g", shown(c, probe->bed_low));
    if (probe->bed_high > probe->bed_low)
        fprintf(out, " to %.6g", shown(c, probe->bed_high));
    fputs(length_unit(c->config), out);
}

static void print_probe(const struct sluice_case *c, int i, FILE *out)
{
    const struct sluice_probe *p = &c->config->probes[i];
    const int side = p->face < 0 ? 0 : p->face; /* -1: on no face, and not printed */
    const char axis = "xyz"[p->axis], face[] = {"xyz"[side / 2], "-+"[side % 2], 0};
    fprintf(out, "  %-12s %-7s", p->name, probe_kind[p->kind]);
    if (p->kind == SLUICE_PROBE_FRONT) {
        fprintf(out, " along %c, above %.6g%s\n", axis, p->above, length_unit(c->config));
        return;
    }
    if (p->kind == SLUICE_PROBE_FORCE)
        fprintf(out, " on '%s', torque about", p->on);
    for (int end = 0; end < 1 + sluice_probe_has_ends(p->kind); end++) {
        const double *x = end ? c->probes[i].to : c->probes[i].x;
        fputs(end ? " to (" : p->kind == SLUICE_PROBE_FORCE ? " (" : " at (", out);
        for (int a = 0; a < c->config->dimension; a++)
            fprintf(out, "%s%.6g", a ? ", " : "", shown(c, x[a]));
        fprintf(out, ")%s", length_unit(c->config));
    }
    if (p->kind == SLUICE_PROBE_POINT && p->on[0])
        fprintf(out, " on face %s of '%s'", face, p->on);
    if (p->kind == SLUICE_PROBE_HEIGHT || p->kind == SLUICE_PROBE_RUNUP)
        print_bed(c, &c->probes[i], out);
    fputc('\n', out);
}

static void print_motion(const struct sluice_case *c, int i, FILE *out)
{
    const struct sluice_start *wall = &c->start[SLUICE_WALL];
    const struct sluice_motion *m = &c->config->motions[i];
    int64_t particles = 0;
    for (int64_t k = 0; wall->motion && k < wall->count; k++)
        particles += wall->motion[k] == (uint32_t)i + 1;
    fprintf(out, "  %-18s%s, %lld particles, to %.6g%s\n", m->name, motion_kind[m->kind],
            (long long)particles, sluice_case_motion_speed(c, i),
            c->config->units == SLUICE_UNITS_SI ? " m/s" : "");
}

static void print_wcsph(const struct sluice_case *c, FILE *out)
{
    const struct wcsph_params *p = &c->physics.wcsph;
    const int si = c->config->units == SLUICE_UNITS_SI;
    const char *unit = length_unit(c->config);
    fprintf(out, "  %-18s%.6g%s\n", "spacing dp", p->spacing, unit);
    fprintf(out, "  %-18s%.6g%s (%.3g dp)\n", "smoothing length", p->h, unit, p->h / p->spacing);
    if (c->start[SLUICE_WALL].count > 0)
        fprintf(out, "  %-18s%d\n", "wall layers", c->wall_layers);
    fprintf(out, "  %-18s%.6g%s\n", "reference density", p->rho0, si ? " kg/m^3" : "");
    fprintf(out, "  %-18s%.6g%s%s\n", "sound speed c0", p->sound_speed, si ? " m/s" : "",
            c->config->fluid.sound_speed > 0 ? "" : " (10 sqrt(2 g H))");
    if (p->second) {
        fprintf(out, "  %-18s%.6g%s\n", "second density", p->second->rho0, si ? " kg/m^3" : "");
        fprintf(out, "  %-18s%.6g%s%s\n", "second speed c0", p->second->sound_speed,
                si ? " m/s" : "",
                c->config->fluid.second.sound_speed > 0 ? "" : " (as stiff as the first)");
        if (p->repulsion > 0)
            fprintf(out, "  %-18s%.6g\n", "repulsion", p->repulsion);
    }
    if (c->fluid_depth > 0)
        fprintf(out, "  %-18s%.6g%s\n", "fluid depth H", c->fluid_depth, unit);
}

/* Particles of the fluid and their masses, as the run starts. */
static void print_fluid(const struct sluice_case *c, FILE *out)
{
    const char *unit = mass_unit(c->config);
    double mass[2];
    int64_t count[2];
    sluice_case_sum_fluid(c, count, mass);
    fprintf(out, "  %-18s%lld\n", "fluid", (long long)count[0] + (long long)count[1]);
    fprintf(out, "  %-18s%lld\n", "wall", (long long)c->start[SLUICE_WALL].count);
    if (c->physics.wcsph.second)
        fprintf(out, "  %-18s%lld\n", "of the second", (long long)count[1]);
    fprintf(out, "  %-18s%.6g%s\n", "mass of fluid", mass[0], unit);
    if (c->physics.wcsph.second)
        fprintf(out, "  %-18s%.6g%s\n", "mass of second", mass[1], unit);
}

void sluice_case_print(const struct sluice_case *c, FILE *out)
{
    const struct sluice_config *config = c->config;
    const char *unit = length_unit(config);
    const double fluid = (double)c->start[SLUICE_FLUID].count,
                 wall = (double)c->start[SLUICE_WALL].count;
    if (config->shape_count > 0)
        fputs("Shapes\n", out);
    for (int s = 0; s < config->shape_count; s++)
        print_shape(c, s, out);
    print_groups(c, out);
    fputs("Particles\n", out);
    print_fluid(c, out);
    fprintf(out, "  %-18sabout %.3g MB\n", "memory to start",
            sluice_case_memory_needed(config, fluid, wall) / 1e6);
    fputs("Lengths and speeds\n", out);
    print_vector(out, wall > 0 ? "domain with walls" : "domain from", c->grid.low, c);
    print_vector(out, "to", c->grid.high, c);
    print_vector(out, "fluid from", c->fluid_low, c);
    print_vector(out, "to", c->fluid_high, c);
    if (config->model == SLUICE_MODEL_WCSPH)
        print_wcsph(c, out);
    fprintf(out, "  %-18s%.6g%s\n", "cutoff", c->cutoff, unit);
    fprintf(out, "  %-18sabout %.0f\n", "neighbours", c->neighbours);
    fprintf(out, "  %-18s%.3g x %.3g", "bins a cutoff", c->grid.bins_per_cutoff[0],
            c->grid.bins_per_cutoff[1]);
    if (config->dimension == 3)
        fprintf(out, " x %.3g", c->grid.bins_per_cutoff[2]);
    fputc('\n', out);
    if (config->motion_count > 0)
        fputs("Motions\n", out);
    for (int i = 0; i < config->motion_count; i++)
        print_motion(c, i, out);
    if (config->probe_count > 0)
        fputs("Probes\n", out);
    for (int i = 0; i < config->probe_count; i++)
        print_probe(c, i, out);
}
